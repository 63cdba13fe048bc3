//! A directory with files, and the program in it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A separate directory for a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(suite: &str, name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(suite).join(name);
        let _ = std::fs::remove_dir_all(&path);
        Folder(path).with_repository()
    }

    /// Makes it a project of its own: the tests run inside a repository.
    fn with_repository(self) -> Folder {
        std::fs::create_dir_all(self.path(".git")).expect("a directory");
        self
    }

    pub(crate) fn with(self, name: &str, text: &str) -> Folder {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
        self
    }

    /// A directory of this one.
    pub(crate) fn below(&self, name: &str) -> Folder {
        Folder(self.path(name))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Every file with its bytes.
    pub(crate) fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.0, &self.0, &mut found);
        found
    }

    /// A command in the directory, without environment.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        command
    }

    pub(crate) fn formwork(&self, words: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_formwork"));
        command.args(words);
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        self.timed(words, &[])
    }

    /// Runs the program, which has to end in good time.
    pub(crate) fn timed(&self, words: &[&str], environment: &[(&str, &str)]) -> Run {
        const MOST: Duration = Duration::from_secs(30);
        let mut command = self.formwork(words);
        command.envs(environment.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // A pipe that nobody reads is full after a while.
        let read = [read_all(child.stdout.take()), read_all(child.stderr.take())];
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a status") {
                break status;
            }
            if start.elapsed() > MOST {
                child.kill().expect("it is ended");
                panic!("{words:?} does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let [stdout, stderr] = read.map(|bytes| bytes.join().expect("what it printed"));
        Run::new(&Output { status, stdout, stderr })
    }
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
            found.insert(name, std::fs::read(&path).expect("a file"));
        }
    }
}

/// Reads a stream to its end, beside everything else.
fn read_all(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    let mut stream = stream.expect("a pipe");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("what the program prints");
        bytes
    })
}

/// What a run printed.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    fn new(output: &Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run { status: output.status.code().expect("a status"), out: text(&output.stdout), err: text(&output.stderr) }
    }
}
