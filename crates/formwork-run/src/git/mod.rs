//! Templates of another Git revision (reference/plan.md#git): Git reads single objects, each is compared with its name,
//! and the working tree is not changed. A file counts as missing only if a tree that was read does not have it.

mod error;
mod host;
mod objects;
mod program;
mod tree;

use std::path::Path;
use std::sync::Arc;

use formwork::Limits;
use formwork::disk::{InProject, git_directory, in_project, project_root, read_named};

pub use self::error::GitError;
use self::host::slashed;
pub use self::host::{GitHost, Named};
use self::objects::{Kind, Objects};
use self::program::Git;
use self::tree::Tree;
use crate::host::ProjectHost;

/// The two sides of a comparison of revisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revisions {
    /// The commit of the old side.
    pub old: String,
    /// The commit of the new side; `None` for the working tree.
    pub new: Option<String>,
}

/// The repository that a directory belongs to.
pub struct Repository {
    git: Git,
    /// The directory as typed, relative to the top; its links are those of the revision.
    below: String,
}

impl Repository {
    /// Finds the repository of a directory: that of the nearest `.git` at or above it, as the project root is found. A
    /// directory that only looks like a repository is ignored.
    ///
    /// # Errors
    /// When the directory is not in a repository, or in one that cannot be used.
    pub fn around(folder: &Path) -> Result<Repository, GitError> {
        const TWO: &str = "pass two templates instead of a revision";
        let shown = folder.display();
        let missing = || GitError::new(format!("`{shown}` is not in a Git repository"), TWO);
        let InProject { root: top, below } = in_project(folder).map_err(|_| missing())?;
        if top.join(".git").symlink_metadata().is_err() {
            return Err(missing());
        }
        let real = folder.canonicalize().map_err(|_| missing())?;
        if project_root(&real).canonicalize().ok().as_ref() != Some(&top) {
            return Err(GitError::new(format!("`{shown}` is a link that leads out of its Git repository"), TWO));
        }
        let Some(directory) = git_directory(&top) else {
            let why = format!("{} is not a directory of Git, and names none that names it", top.join(".git").display());
            return Err(GitError::new(why, TWO));
        };
        let below = slashed(&below)?;
        let git = Git { directory, top };
        refuse_other_tree(&git)?;
        Ok(Repository { git, below })
    }

    /// Resolves `REV`, `REV...`, `A..B` or `A...B` to commits.
    ///
    /// # Errors
    /// When the commit does not exist, or the commits have no common ancestor.
    pub fn revisions(&self, word: &str) -> Result<Revisions, GitError> {
        if word.is_empty() {
            let help = "name a branch, a tag or a commit, such as `main...`";
            return Err(GitError::new("the revision is empty", help));
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
        Ok(Revisions { old: self.merge_base(word, &commit, &other)?, new })
    }

    fn commit(&self, name: &str) -> Result<String, GitError> {
        let word = format!("{name}^{{commit}}");
        let answer = self.git.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &word])?;
        let found = answer.line().map(str::to_owned);
        found.ok_or_else(|| self.unknown(&format!("Git does not know the revision {name}")))
    }

    /// Returns the merge base of two commits. Every commit behind it is read, so that the base is that of the whole
    /// history, not of a shallow part of it.
    fn merge_base(&self, word: &str, one: &str, other: &str) -> Result<String, GitError> {
        let damaged = || GitError::incomplete(format!("{word}: the history of the revisions cannot be read"));
        let answer = self.git.run(&["merge-base", one, other])?;
        let base = match (answer.status, answer.line()) {
            (_, Some(base)) => base.to_owned(),
            (Some(1), _) => return Err(self.unknown(&format!("{word}: the revisions have no common commit here"))),
            _ if self.shallow()?.is_empty() => return Err(damaged()),
            _ => return Err(self.unknown(&format!("{word}: the history of the revisions cannot be read"))),
        };
        let not_base = format!("^{base}");
        let answer = self.git.run(&["rev-list", one, other, &not_base])?;
        let behind: Vec<&str> = answer.lines().ok_or_else(damaged)?.collect();
        let mut objects = Objects::open(&self.git)?;
        for commit in behind.iter().copied().chain([base.as_str()]) {
            let why = |unread| GitError::incomplete(format!("{word}: {unread}"));
            objects.read(commit, Kind::Commit).map_err(why)?;
        }
        // Where the history ends too early, a later base may be behind the end.
        let is_one_of_them = [one, other].contains(&base.as_str());
        if !is_one_of_them && self.shallow()?.iter().any(|end| behind.contains(&end.as_str())) {
            return Err(self.unknown(&format!("{word}: the history ends before the common commit is certain")));
        }
        Ok(base)
    }

    fn shallow(&self) -> Result<Vec<String>, GitError> {
        let answer = self.git.run(&["rev-parse", "--git-path", "shallow"])?;
        let Some(path) = answer.line() else { return Ok(Vec::new()) };
        let bytes = read_named(&self.git.top.join(path), Limits::default().file_bytes).unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
    }

    fn unknown(&self, why: &str) -> GitError {
        let is_shallow = self.shallow().is_ok_and(|ends| !ends.is_empty());
        let help = if is_shallow {
            "this clone is shallow: run `git fetch --unshallow`; in a workflow write `fetch-depth: 0` below actions/checkout"
        } else {
            "name a branch, a tag or a commit that `git log` shows"
        };
        GitError::new(why, help)
    }

    /// Returns a host that reads the files of a commit, by their paths relative to the directory. Remote modules come
    /// through `remote`.
    ///
    /// # Errors
    /// When Git cannot be run, or does not have the commit.
    pub fn host(&self, commit: &str, remote: Arc<ProjectHost>) -> Result<GitHost, GitError> {
        let tree = Tree::of(Objects::open(&self.git)?, commit);
        let tree = tree.map_err(|unread| GitError::incomplete(format!("{commit} cannot be read: {unread}")))?;
        Ok(GitHost::new(tree, commit, (&self.git.top, self.below.clone()), remote))
    }
}

/// Rejects a repository whose settings set another working tree: the paths of its commits are not those of this
/// directory.
fn refuse_other_tree(git: &Git) -> Result<(), GitError> {
    // Settings in the common directory are shared by several working trees, and not for this one.
    if git.directory.join("commondir").exists() {
        return Ok(());
    }
    let answer = git.run(&["config", "--type=path", "--get", "core.worktree"])?;
    let Some(named) = answer.line() else {
        // Without the setting, Git prints nothing.
        return if answer.status == Some(1) { Ok(()) } else { Err(unusable(git)) };
    };
    if git.directory.join(named).canonicalize().ok().as_ref() == Some(&git.top) {
        return Ok(());
    }
    let why = format!("the repository of {} has another working tree: core.worktree is {named}", git.top.display());
    Err(GitError::new(why, "remove the setting with `git config --unset core.worktree`, or pass two templates"))
}

fn unusable(git: &Git) -> GitError {
    let why = format!("Git cannot use {}", git.directory.display());
    GitError::new(why, "run `git status` there, or pass two templates instead of a revision")
}
