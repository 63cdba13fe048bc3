//! Runs `git` so that neither the environment nor the settings of the repository choose what it reads, or make it run a
//! program or fetch anything.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::GitError;

/// Variables that describe the installation of Git. All others, such as `GIT_DIR`, `GIT_OBJECT_DIRECTORY` and
/// `GIT_CONFIG_COUNT`, would choose another repository, or other settings.
const KEPT: [&str; 4] = ["GIT_EXEC_PATH", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL"];

const EMPTY: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Settings that prevent Git from running a program, from fetching, and from using another history. `cat-file`,
/// `rev-parse`, `rev-list` and `merge-base` use few of them today; the others are for the next version of Git.
const SETTINGS: [&str; 8] = [
    "safe.bareRepository=explicit",
    "core.commitGraph=false",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
    "log.showSignature=false",
    "core.hooksPath=",
];

pub(super) struct Git {
    /// The Git directory, such as `.git`.
    pub(super) directory: PathBuf,
    /// The directory of the working tree, without links.
    pub(super) top: PathBuf,
}

pub(super) struct Answer {
    pub(super) status: Option<i32>,
    pub(super) text: String,
}

impl Answer {
    /// Returns the first line, if Git succeeded.
    pub(super) fn line(&self) -> Option<&str> {
        self.lines().map(|mut lines| lines.next().unwrap_or_default())
    }

    /// Returns all lines, if Git succeeded.
    pub(super) fn lines(&self) -> Option<std::str::Lines<'_>> {
        (self.status == Some(0)).then(|| self.text.lines())
    }
}

impl Git {
    /// Returns a command for this repository, independent of the environment.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("GIT_") && !KEPT.contains(&&*text) {
                command.env_remove(name);
            }
        }
        command.current_dir(&self.top).arg("--no-pager").arg("--no-replace-objects");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        // The tree is named since a setting may name another one, or one that does not exist.
        command.arg(option("--git-dir", &self.directory)).arg(option("--work-tree", &self.top));
        command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_GRAFT_FILE", EMPTY);
        // Before its version 2.45, Git knows only the second one of these.
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(super) fn run(&self, words: &[&str]) -> Result<Answer, GitError> {
        let output = self.command().args(words).output().map_err(|_| GitError::no_git())?;
        Ok(Answer { status: output.status.code(), text: String::from_utf8_lossy(&output.stdout).into_owned() })
    }
}

fn option(name: &str, path: &Path) -> std::ffi::OsString {
    let mut word = std::ffi::OsString::from(name);
    word.push("=");
    word.push(path);
    word
}
