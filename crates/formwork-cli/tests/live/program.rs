//! The program, with an environment of its own.

use std::path::PathBuf;
use std::process::Command;

/// A directory of its own for a test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("live").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        // A project of its own: its lock is not that of the repository.
        std::fs::create_dir_all(path.join(".git")).expect("a directory");
        Folder(path)
    }

    pub(crate) fn with(self, name: &str, text: &str) -> Folder {
        std::fs::write(self.0.join(name), text).expect("a file");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Runs the program. Its environment is `environment` alone: no profile of the machine, and no
    /// metadata service of one in the cloud.
    pub(crate) fn run(&self, words: &[&str], environment: &[(&str, &str)]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args(words)
            .current_dir(&self.0)
            .env_clear()
            .env("HOME", &self.0)
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .envs(environment.iter().copied())
            .output()
            .expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Run { status: output.status.code().expect("a status"), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}
