//! Processes that are kept (reference/local.md#start-lambda): reuse, concurrency, edited code, the end.

use std::sync::Arc;

use crate::support::{self, Folder};
use formwork_local::{Function, Invocation, Log, Pool, PoolSettings};
use serde_json::{Value, json};

const COUNT: &str = "
import os, time
calls = 0
def handler(event, context):
    global calls
    calls += 1
    time.sleep(event.get('sleep', 0))
    return {'pid': os.getpid(), 'calls': calls, 'n': event.get('n')}
";

fn pool(folder: &Folder, concurrency: usize) -> Arc<Pool> {
    let settings = PoolSettings { is_warm: true, concurrency, warn: Arc::new(|_| {}) };
    Arc::new(Pool::new(support::launch(10.0), settings, Log::new(vec![Box::new(folder.log.clone())])))
}

async fn call(pool: &Pool, function: &Arc<Function>, event: Value) -> Value {
    let answer = pool.invoke(function, Invocation::new(event.to_string()), true).await.expect("an answer");
    assert_eq!(answer.failure, None);
    assert!(!answer.tail.is_empty());
    serde_json::from_slice(&answer.payload).expect("JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_takes_one_event_after_the_other() {
    let folder = Folder::new().with("app.py", COUNT);
    let (pool, function) = (pool(&folder, 4), folder.function("python3.11", "app.handler"));
    let first = call(&pool, &function, json!({})).await;
    let second = call(&pool, &function, json!({})).await;
    assert_eq!((&first["pid"], &second["calls"]), (&second["pid"], &json!(2)));
    drop(pool);
    let process = first["pid"].to_string();
    support::await_end(&process);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_requests_get_their_own_answers_from_a_few_processes() {
    let folder = Folder::new().with("app.py", COUNT);
    let (pool, function) = (pool(&folder, 3), folder.function("python3.11", "app.handler"));
    let calls = (0..200).map(|n| {
        let (pool, function) = (Arc::clone(&pool), Arc::clone(&function));
        tokio::spawn(async move { (n, call(&pool, &function, json!({"n": n, "sleep": 0.001})).await) })
    });
    let mut processes = std::collections::BTreeSet::new();
    for task in calls.collect::<Vec<_>>() {
        let (n, answer) = task.await.expect("a task");
        assert_eq!(answer["n"], n);
        processes.insert(answer["pid"].to_string());
    }
    assert!((2..=3).contains(&processes.len()), "{processes:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edited_code_is_run_by_a_new_process() {
    let folder = Folder::new().with("app.py", "def handler(event, context):\n    return 1\n");
    let (pool, function) = (pool(&folder, 2), folder.function("python3.11", "app.handler"));
    assert_eq!(call(&pool, &function, json!({})).await, json!(1));
    folder.write("app.py", "def handler(event, context):\n    return 22\n");
    pool.refresh().await;
    assert_eq!(call(&pool, &function, json!({})).await, json!(22));
}
