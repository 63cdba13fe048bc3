//! No line of a log is lost (reference/local.md#logs).

use std::sync::Arc;
use std::time::Instant;

use crate::support::{self, Folder, has_program};
use formwork_local::{Invocation, Log, Pool, PoolSettings};

const LINES: usize = 20_000;

const NODE: &str = "
exports.handler = async () => {
  for (let n = 0; n < 20000; n += 1) {
    if (n % 2) console.log('line', n);
    else process.stdout.write(`line ${n}\\n`);
  }
  process.stderr.write('unfinished');
};
exports.callback = (event, context, callback) => {
  for (let n = 0; n < 20000; n += 1) console.log('line', n);
  process.stderr.write('unfinished');
  callback(null, 1);
};
exports.fail = async () => {
  for (let n = 0; n < 20000; n += 1) console.log('line', n);
  process.stderr.write('unfinished');
  throw new Error('no');
};
exports.exit = async () => {
  for (let n = 0; n < 20000; n += 1) console.log('line', n);
  process.stderr.write('unfinished');
  process.exit(3);
};
";

const PYTHON: &str = "
import sys
def handler(event, context):
    for n in range(20000):
        print('line', n)
    sys.stderr.write('unfinished')
";

/// Asserts that a log has all lines in order, and the end of the invocation as its last.
fn assert_whole(log: &str, what: &str) {
    let numbers = log.lines().filter_map(|line| line.rsplit_once("line ")?.1.parse::<usize>().ok());
    assert!(numbers.eq(0..LINES), "{what}: {} lines", log.matches("line ").count());
    let at = |text: &str| log.find(text).unwrap_or_else(|| panic!("{what}: no {text}"));
    assert!(at("START ") < at("line 0\n") && at("line 19999\n") < at("END ") && at("END ") < at("REPORT "), "{what}");
    assert!(at("unfinished\n") < at("END "), "{what}");
    assert!(log.lines().last().is_some_and(|line| line.starts_with("REPORT ")), "{what}");
}

/// The runtimes and handlers that this machine can run.
fn cases() -> Vec<(&'static str, &'static str)> {
    let handlers = ["app.handler", "app.callback", "app.fail"];
    let node = handlers.into_iter().filter(|_| has_program("node")).map(|handler| ("nodejs20.x", handler));
    std::iter::once(("python3.11", "app.handler")).chain(node).collect()
}

#[test]
fn a_process_that_ends_with_the_answer_loses_no_line() {
    let exit = has_program("node").then_some(("nodejs20.x", "app.exit"));
    for (runtime, handler) in cases().into_iter().chain(exit) {
        let folder = Folder::new().with("app.py", PYTHON).with("app.js", NODE);
        let begin = Instant::now();
        folder.invoke_scaled(runtime, handler, "{}", 30.0);
        eprintln!("{runtime} {handler}: {LINES} lines in {:?}", begin.elapsed());
        assert_whole(&folder.log(), &format!("{runtime} {handler}, cold"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_process_that_is_kept_loses_no_line() {
    for (runtime, handler) in cases() {
        let folder = Folder::new().with("app.py", PYTHON).with("app.js", NODE);
        let settings = PoolSettings { is_warm: true, concurrency: 1, warn: Arc::new(|_| {}) };
        let pool = Pool::new(support::launch(30.0), settings, Log::new(vec![Box::new(folder.log.clone())]));
        let function = folder.function(runtime, handler);
        let mut before = 0;
        for call in 0..3 {
            pool.invoke(&function, Invocation::new("{}"), call == 1).await.expect("an answer");
            let log = folder.log();
            assert_whole(&log[before..], &format!("{runtime} {handler}, call {call}"));
            before = log.len();
        }
    }
}
