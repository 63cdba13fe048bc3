//! Reads objects of a repository with `git cat-file --batch`, and compares each with its name.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use formwork::Limits;
use formwork_base::hexadecimal;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::error::GitError;
use super::program::Git;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Commit => "commit",
            Kind::Tree => "tree",
            Kind::Blob => "blob",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    Missing(String),
    /// The hash of the content is not the name of the object.
    Corrupt(String),
    /// The object has more than this number of bytes.
    TooLarge(u64),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |id: &str| id.get(..12).unwrap_or(id).to_owned();
        match self {
            Unread::Missing(id) => write!(f, "the object {} is not in this clone", short(id)),
            Unread::Corrupt(id) => write!(f, "the object {} is corrupt", short(id)),
            Unread::TooLarge(limit) => write!(f, "it is larger than the limit of {limit} bytes"),
        }
    }
}

pub(super) struct Objects {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Drop for Objects {
    fn drop(&mut self) {
        // The process ends when its input is closed.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

impl Objects {
    pub(super) fn open(git: &Git) -> Result<Objects, GitError> {
        let mut command = git.command();
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|_| GitError::no_git())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitError::no_git());
        };
        Ok(Objects { child, input: Some(input), output: BufReader::new(output) })
    }

    pub(super) fn read(&mut self, id: &str, kind: Kind) -> Result<Vec<u8>, Unread> {
        // Git ends at an object that it cannot read.
        let corrupt = || Unread::Corrupt(id.to_owned());
        let header = self.ask(id).map_err(|_| corrupt())?;
        let words: Vec<&str> = header.trim_end().split(' ').collect();
        let [name, found, size] = words[..] else {
            return Err(if words.last() == Some(&"missing") { Unread::Missing(id.to_owned()) } else { corrupt() });
        };
        let size: u64 = size.parse().map_err(|_| corrupt())?;
        let content = self.content(size).map_err(|_| corrupt())?;
        let content = content.ok_or(Unread::TooLarge(Limits::default().file_bytes))?;
        let is_whole = content.len() as u64 == size && name == id && found == kind.word();
        if is_whole && hash(id.len(), kind, &content) == id { Ok(content) } else { Err(corrupt()) }
    }

    fn ask(&mut self, id: &str) -> std::io::Result<String> {
        let input = self.input.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{id}\n").as_bytes())?;
        input.flush()?;
        let mut header = String::new();
        self.output.read_line(&mut header)?;
        Ok(header)
    }

    /// Reads the bytes that follow a header, and the line end behind them; `None` if there are too many.
    fn content(&mut self, size: u64) -> std::io::Result<Option<Vec<u8>>> {
        let mut rest = (&mut self.output).take(size + 1);
        if size > Limits::default().file_bytes {
            std::io::copy(&mut rest, &mut std::io::sink())?;
            return Ok(None);
        }
        let mut bytes = Vec::new();
        rest.read_to_end(&mut bytes)?;
        bytes.truncate(size as usize);
        Ok(Some(bytes))
    }

    pub(super) fn tree_of(&mut self, commit: &str) -> Result<String, Unread> {
        let content = self.read(commit, Kind::Commit)?;
        let text = String::from_utf8_lossy(&content);
        let tree = text.lines().next().and_then(|line| line.strip_prefix("tree "));
        tree.map(str::to_owned).ok_or_else(|| Unread::Corrupt(commit.to_owned()))
    }
}

/// Computes the name of an object; `digits` selects the hash function of the repository.
fn hash(digits: usize, kind: Kind, content: &[u8]) -> String {
    let header = format!("{} {}\0", kind.word(), content.len());
    match digits {
        40 => hexadecimal(&Sha1::new().chain_update(header).chain_update(content).finalize()),
        _ => hexadecimal(&Sha256::new().chain_update(header).chain_update(content).finalize()),
    }
}
