//! A directory with files, and the program run in it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) struct Project(PathBuf);

/// The status and the output of a run.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Project {
    pub(crate) fn new(name: &str) -> Project {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("display").join(name);
        let _ = std::fs::remove_dir_all(&path);
        // A project of its own: the tests run inside a repository.
        std::fs::create_dir_all(path.join(".git")).expect("a directory");
        Project(path)
    }

    pub(crate) fn with(self, name: &str, text: &str) -> Project {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
        self
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args(words)
            .current_dir(&self.0)
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .expect("the program");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Run { status: status.code().unwrap_or(-1), out: text(stdout), err: text(stderr) }
    }
}
