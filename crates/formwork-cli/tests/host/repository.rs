//! Git repositories of tests.

use std::path::Path;
use std::process::Command;

use crate::support::folder::Folder;

/// Returns the root of this repository.
pub(crate) fn own() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A directory with the program as `formwork`.
pub(crate) fn with_program(folder: &Folder) -> String {
    let bin = folder.path("bin");
    std::fs::create_dir_all(&bin).expect("a directory");
    let program = bin.join("formwork");
    // A job may run again in the directory.
    if !program.exists() {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_formwork"), program).expect("a link");
    }
    bin.display().to_string()
}

/// A command that knows neither the user's nor the system's configuration of Git.
pub(crate) fn command(program: &str, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).env_clear().env("PATH", "/usr/bin:/bin").env("GIT_CONFIG_NOSYSTEM", "1");
    for (name, value) in [("NAME", "Test"), ("EMAIL", "test@example.com")] {
        command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    command.env("HOME", directory.parent().expect("a parent"));
    command
}

/// Runs Git and returns what it prints.
pub(crate) fn git(directory: &Path, words: &[&str]) -> String {
    let output = command("git", directory).args(words).output().expect("git runs");
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Commits every file of a directory, and returns the commit.
pub(crate) fn commit(directory: &Path) -> String {
    if !directory.join(".git").exists() {
        git(directory, &["init", "--quiet", "--initial-branch=main"]);
    }
    git(directory, &["add", "--all"]);
    git(directory, &["commit", "--quiet", "--message=state"]);
    git(directory, &["rev-parse", "HEAD"])
}
