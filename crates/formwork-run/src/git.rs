//! Templates of another Git revision: `git cat-file` reads them, and the working tree is not touched
//! (reference/plan.md#git).

use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use formwork::{FileBytes, Host, Limits, ReadError, VirtualPath};
use formwork_project::Failure;

use crate::host::ProjectHost;

/// Why a revision cannot be read: the reason, and on a second line what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GitError(String);

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GitError {}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Failure {
        Failure::Usage(error.0)
    }
}

/// The two sides that a word for revisions names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revisions {
    /// The commit of the old side.
    pub old: String,
    /// The commit of the new side; none for the working tree.
    pub new: Option<String>,
}

/// A repository around a directory.
pub struct Repository {
    /// Its top directory.
    top: PathBuf,
    /// The directory, from the top, with a slash at its end; empty at the top.
    folder: String,
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    // Nothing is fetched, locked or asked.
    command.arg("-C").arg(folder).env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0");
    command.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// The first line that a command prints; `None` when it fails.
fn line(folder: &Path, words: &[&str]) -> Result<Option<String>, GitError> {
    let output = git(folder).args(words).output().map_err(|_| GitError(NO_GIT.to_owned()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned()))
}

const NO_GIT: &str = "git cannot be run\n  help: install Git, or pass two templates";

impl Repository {
    /// The repository around a directory.
    ///
    /// # Errors
    /// When the directory is not in a repository, or Git is missing.
    pub fn around(folder: &Path) -> Result<Repository, GitError> {
        let missing = || {
            GitError(format!(
                "`{}` is not in a Git repository\n  help: pass two templates instead of a revision",
                folder.display()
            ))
        };
        let top = line(folder, &["rev-parse", "--show-toplevel"])?.ok_or_else(missing)?;
        let prefix = line(folder, &["rev-parse", "--show-prefix"])?.ok_or_else(missing)?;
        Ok(Repository { top: PathBuf::from(top), folder: prefix })
    }

    /// The commits that a word names: `REV`, `REV...`, `A..B` or `A...B`.
    ///
    /// # Errors
    /// When the commit does not exist, or the commits have no common one.
    pub fn revisions(&self, word: &str) -> Result<Revisions, GitError> {
        if word.is_empty() {
            let why = "the revision is empty\n  help: name a branch, a tag or a commit, such as `main...`";
            return Err(GitError(why.to_owned()));
        }
        let (old, new, is_base) = match (word.split_once("..."), word.split_once("..")) {
            (Some((old, new)), _) => (old, Some(new), true),
            (None, Some((old, new))) => (old, Some(new), false),
            (None, None) => (word, None, false),
        };
        let name = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        let commit = self.commit(&name(old))?;
        let new = match new {
            Some("") if is_base => None,
            Some(new) => Some(self.commit(&name(new))?),
            None => None,
        };
        if !is_base {
            return Ok(Revisions { old: commit, new });
        }
        let other = new.clone().map_or_else(|| self.commit("HEAD"), Ok)?;
        let base = line(&self.top, &["merge-base", &commit, &other])?;
        let base = base.ok_or_else(|| self.missing(&format!("{word}: the revisions have no common commit here")))?;
        Ok(Revisions { old: base, new })
    }

    fn commit(&self, name: &str) -> Result<String, GitError> {
        let word = format!("{name}^{{commit}}");
        let found = line(&self.top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &word])?;
        found.ok_or_else(|| self.missing(&format!("Git does not know the revision {name}")))
    }

    /// What to do about a commit that is not there.
    fn missing(&self, why: &str) -> GitError {
        let is_shallow = line(&self.top, &["rev-parse", "--is-shallow-repository"]).ok().flatten();
        let help = if is_shallow.as_deref() == Some("true") {
            "this clone is shallow: run `git fetch --unshallow`; in a workflow write `fetch-depth: 0` below actions/checkout"
        } else {
            "name a branch, a tag or a commit that `git log` shows"
        };
        GitError(format!("{why}\n  help: {help}"))
    }

    /// What reads files of a commit, by their paths from the directory. Remote modules come through `remote`.
    ///
    /// # Errors
    /// When Git cannot be run.
    pub fn host(&self, commit: &str, remote: Arc<ProjectHost>) -> Result<GitHost, GitError> {
        let mut child = git(&self.top)
            .args(["cat-file", "--batch", "--follow-symlinks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|_| GitError(NO_GIT.to_owned()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitError(NO_GIT.to_owned()));
        };
        let batch = Batch { child, input: Some(input), output: BufReader::new(output) };
        Ok(GitHost { batch: Mutex::new(batch), commit: commit.to_owned(), folder: self.folder.clone(), remote })
    }
}

/// A `git cat-file --batch` that waits for names.
struct Batch {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// The files of a commit.
pub struct GitHost {
    batch: Mutex<Batch>,
    commit: String,
    /// The directory that paths are relative to, from the top, with a slash at its end.
    folder: String,
    remote: Arc<ProjectHost>,
}

impl GitHost {
    /// A path from the top of the repository; `None` when it leads out of it.
    fn path_in_repository(&self, path: &VirtualPath) -> Option<String> {
        let mut parts: Vec<&str> = self.folder.split('/').filter(|part| !part.is_empty()).collect();
        if path.as_str().starts_with('/') || path.as_str().contains(['\n', '\0']) {
            return None;
        }
        for part in path.as_str().split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        (parts.first() != Some(&".git")).then(|| parts.join("/"))
    }
}

impl Batch {
    fn read(&mut self, name: &str) -> Result<FileBytes, ReadError> {
        let failed = |error: std::io::Error| ReadError::Other(format!("git cat-file failed: {error}"));
        let Some(input) = self.input.as_mut() else { return Err(ReadError::NotFound) };
        input.write_all(format!("{name}\n").as_bytes()).and_then(|()| input.flush()).map_err(failed)?;
        let mut header = String::new();
        self.output.read_line(&mut header).map_err(failed)?;
        let words: Vec<&str> = header.trim_end().rsplitn(3, ' ').collect();
        match words.as_slice() {
            // A link that leads out of the tree, to nothing, or round; the target follows.
            [size, "symlink" | "dangling" | "loop" | "notdir", ..] => {
                self.content(size)?;
                Err(if header.starts_with("symlink") { ReadError::OutsideRoot } else { ReadError::NotFound })
            }
            [size, "blob", _] => self.content(size).map(FileBytes::from),
            [size, "tree", _] => {
                self.content(size)?;
                Err(ReadError::IsDirectory)
            }
            _ => Err(ReadError::NotFound),
        }
    }

    /// The bytes that follow a header, and the line end behind them.
    fn content(&mut self, size: &str) -> Result<Vec<u8>, ReadError> {
        let failed = |error: std::io::Error| ReadError::Other(format!("git cat-file failed: {error}"));
        let size: u64 = size.parse().map_err(|_| ReadError::Other("git cat-file printed something else".to_owned()))?;
        let limit = Limits::default().file_bytes;
        let mut bytes = Vec::new();
        let is_too_large = size > limit;
        let mut rest = (&mut self.output).take(size + 1);
        if is_too_large {
            std::io::copy(&mut rest, &mut std::io::sink()).map_err(failed)?;
            return Err(ReadError::TooLarge { limit });
        }
        rest.read_to_end(&mut bytes).map_err(failed)?;
        bytes.truncate(size as usize);
        Ok(bytes)
    }
}

impl Host for GitHost {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        let name = self.path_in_repository(path).ok_or(ReadError::OutsideRoot)?;
        let mut batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        batch.read(&format!("{}:{name}", self.commit))
    }

    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        self.remote.read_remote(address)
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        format!(
            "{}:{}",
            self.commit.get(..12).unwrap_or(&self.commit),
            self.path_in_repository(path).unwrap_or_default()
        )
    }

    fn is_pinned(&self, address: &str) -> bool {
        self.remote.is_pinned(address)
    }
}
