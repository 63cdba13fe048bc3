//! Lists the files of a directory that becomes a zip (reference/packaging.md#zips).

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use formwork::ReadError;
use formwork_disk::{is_git, is_inside, read_inside};
use formwork_package::{Entry, EntryKind};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::asset_error::AssetError;

/// The treatment of symbolic links.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Symlinks {
    /// The target of a link is stored in its place.
    #[default]
    Follow,
    /// Links within the directory and dangling links are stored as links.
    Keep,
}

/// Maximum number of files, links and directories of one zip. Each path counts, since links may lead to one directory
/// in any number of ways.
const ENTRIES: usize = 100_000;

pub(crate) const IGNORE_FILE: &str = ".formworkignore";
/// Maximum number of bytes and lines of an ignore file: each line becomes an automaton.
const IGNORE_BYTES: u64 = 1 << 20;
const IGNORE_LINES: usize = 10_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Listed {
    pub(crate) entry: Entry,
    pub(crate) source: ListedContent,
    pub(crate) bytes: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ListedContent {
    File(PathBuf),
    /// The content itself: the target of a link, or nothing for an empty directory.
    Text(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Links that lead out of this directory are not followed.
    pub(crate) project_root: PathBuf,
    pub(crate) symlinks: Symlinks,
    /// Files and directories that are never part of a zip: the output of packaging.
    pub(crate) left_out: Vec<PathBuf>,
    /// Exclusion patterns with the rules of `.gitignore`; those of the directory's own file come after them.
    pub(crate) excluded: Vec<String>,
}

/// Lists every file in a directory and below, sorted by path.
///
/// # Errors
/// Returns all errors of the directory.
pub(crate) fn list(root: &Path, rules: &Rules) -> Result<Vec<Listed>, Vec<AssetError>> {
    let mut builder = GitignoreBuilder::new(root);
    let mut errors = Vec::new();
    for pattern in &rules.excluded {
        if builder.add_line(None, pattern).is_err() {
            errors.push(AssetError::Pattern(pattern.clone()));
        }
    }
    if let Err(why) = add_ignored(&mut builder, root, rules) {
        errors.push(why);
    }
    let ignored = builder.build().unwrap_or_else(|_| Gitignore::empty());
    let mut lister = Lister { root, rules, ignored, listed: Vec::new(), errors, left: ENTRIES };
    lister.run();
    let Lister { mut listed, mut errors, left, .. } = lister;
    if left == 0 {
        errors.clear();
        errors.push(AssetError::TooMany { directory: root.to_owned(), limit: ENTRIES });
    }
    listed.sort_by(|a, b| a.entry.path.as_bytes().cmp(b.entry.path.as_bytes()));
    if errors.is_empty() { Ok(listed) } else { Err(errors) }
}

/// Adds the exclusions of the directory's ignore file. No error quotes that file.
fn add_ignored(builder: &mut GitignoreBuilder, root: &Path, rules: &Rules) -> Result<(), AssetError> {
    let path = root.join(IGNORE_FILE);
    let bytes = match read_inside(&rules.project_root, &path, IGNORE_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(()),
        Err(source) => return Err(AssetError::UnreadableIgnoreFile { path, source }),
    };
    let unusable = |why: String| AssetError::UnusableIgnoreFile { path: path.clone(), why };
    let text = String::from_utf8(bytes).map_err(|_| unusable("it is not UTF-8 text".to_owned()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.lines().count() > IGNORE_LINES {
        return Err(unusable(format!("it has more than {IGNORE_LINES} lines")));
    }
    for (at, line) in text.lines().enumerate() {
        let added = builder.add_line(Some(path.clone()), line);
        added.map_err(|_| unusable(format!("line {} is not a pattern", at + 1)))?;
    }
    Ok(())
}

/// Lists a single file as the one entry of a zip, under its own name.
pub(crate) fn list_file(path: &Path, name: &str) -> Result<Vec<Listed>, Vec<AssetError>> {
    let metadata = fs::metadata(path).map_err(|error| vec![AssetError::unreadable(path, error)])?;
    let kind = EntryKind::File { is_executable: is_executable(&metadata) };
    let entry = Entry { path: name.to_owned(), kind };
    Ok(vec![Listed { entry, source: ListedContent::File(path.to_owned()), bytes: metadata.len() }])
}

struct Lister<'l> {
    root: &'l Path,
    rules: &'l Rules,
    ignored: Gitignore,
    listed: Vec<Listed>,
    errors: Vec<AssetError>,
    /// Entries left before the limit is reached.
    left: usize,
}

struct OpenDirectory {
    /// The path on disk; behind links, that of their target.
    directory: PathBuf,
    path: String,
    names: std::vec::IntoIter<OsString>,
    /// Set when an entry of it is stored; otherwise the directory is stored as empty.
    any: bool,
}

enum Step {
    Left,
    /// Stored, or its error is recorded.
    Done,
    /// A directory that is listed next: its path on disk and in the zip.
    Directory(PathBuf, String),
}

impl Lister<'_> {
    /// Lists everything. A stack of open directories replaces recursion: the depth is not limited.
    fn run(&mut self) {
        let mut open = vec![self.open(self.root.to_owned(), String::new())];
        while let Some(top) = open.last_mut() {
            let Some(name) = top.names.next() else {
                let Some(done) = open.pop() else { return };
                let Some(outer) = open.last_mut() else { return };
                outer.any = true;
                if !done.any {
                    self.push(done.path, EntryKind::EmptyDirectory, ListedContent::Text(String::new()), 0);
                }
                continue;
            };
            // The contents of `.git` are outside of every root.
            if is_git(&name) {
                continue;
            }
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let full = top.directory.join(&name);
            let step = match name.to_str() {
                None => self.error(AssetError::Name(full)),
                Some(name) => {
                    let path = if top.path.is_empty() { name.to_owned() } else { format!("{}/{name}", top.path) };
                    self.entry(&full, path, &open)
                }
            };
            match step {
                Step::Left => {}
                Step::Done => {
                    if let Some(top) = open.last_mut() {
                        top.any = true;
                    }
                }
                Step::Directory(directory, path) => open.push(self.open(directory, path)),
            }
        }
    }

    fn open(&mut self, directory: PathBuf, path: String) -> OpenDirectory {
        let (names, any) = match sorted_names(&directory) {
            Ok(names) => (names, false),
            Err(why) => {
                self.errors.push(why);
                (Vec::new(), true)
            }
        };
        OpenDirectory { directory, path, names: names.into_iter(), any }
    }

    /// Lists the entry at `full`, in the last of the open directories.
    fn entry(&mut self, full: &Path, path: String, open: &[OpenDirectory]) -> Step {
        let metadata = match fs::symlink_metadata(full) {
            Ok(metadata) => metadata,
            Err(error) => return self.error(AssetError::unreadable(full, error)),
        };
        if self.rules.left_out.iter().any(|out| full == out) {
            return Step::Left;
        }
        let kind = metadata.file_type();
        if kind.is_symlink() {
            return self.link(full, path, open);
        }
        if self.ignored.matched(self.root.join(&path), kind.is_dir()).is_ignore() {
            return Step::Left;
        }
        if kind.is_dir() {
            return Step::Directory(full.to_owned(), path);
        }
        if !kind.is_file() {
            return self.error(AssetError::Special(full.to_owned()));
        }
        self.push(
            path,
            EntryKind::File { is_executable: is_executable(&metadata) },
            ListedContent::File(full.to_owned()),
            metadata.len(),
        )
    }

    fn link(&mut self, full: &Path, path: String, open: &[OpenDirectory]) -> Step {
        let keeps = self.rules.symlinks == Symlinks::Keep;
        let real = match full.canonicalize() {
            Ok(real) => real,
            Err(error) => {
                if self.ignored.matched(self.root.join(&path), false).is_ignore() {
                    return Step::Left;
                }
                if keeps && error.kind() == ErrorKind::NotFound {
                    return self.push_link(full, path);
                }
                let link = full.to_owned();
                return self.error(match error.kind() {
                    ErrorKind::NotFound => AssetError::DanglingLink(link),
                    // Two links that refer to each other.
                    _ if is_loop(&error) => AssetError::LinkLoop(link),
                    _ => AssetError::Link { path: link, action: "cannot be followed", source: error },
                });
            }
        };
        if self.ignored.matched(self.root.join(&path), real.is_dir()).is_ignore() {
            return Step::Left;
        }
        let is_of_directory = self.root.canonicalize().is_ok_and(|root| is_inside(&root, &real));
        if keeps && is_of_directory {
            return self.push_link(full, path);
        }
        if !is_inside(&self.rules.project_root, &real) {
            return self.error(AssetError::OutsideRoot { link: full.to_owned(), target: real });
        }
        if self.rules.left_out.contains(&real) {
            return Step::Left;
        }
        if open.iter().any(|directory| directory.directory == real) {
            return self.error(AssetError::LinkLoop(full.to_owned()));
        }
        match fs::metadata(&real) {
            Ok(metadata) if metadata.is_dir() => Step::Directory(real, path),
            Ok(metadata) if metadata.is_file() => {
                let kind = EntryKind::File { is_executable: is_executable(&metadata) };
                self.push(path, kind, ListedContent::File(real), metadata.len())
            }
            Ok(_) => self.error(AssetError::Special(real)),
            Err(error) => self.error(AssetError::unreadable(real, error)),
        }
    }

    fn push_link(&mut self, full: &Path, path: String) -> Step {
        match fs::read_link(full).map(|target| target.to_str().map(str::to_owned)) {
            Ok(Some(target)) => {
                let bytes = target.len() as u64;
                self.push(path, EntryKind::Link, ListedContent::Text(target), bytes)
            }
            Ok(None) => self.error(AssetError::LinkTarget(full.to_owned())),
            Err(source) => self.error(AssetError::Link { path: full.to_owned(), action: "cannot be read", source }),
        }
    }

    fn push(&mut self, path: String, kind: EntryKind, source: ListedContent, bytes: u64) -> Step {
        self.listed.push(Listed { entry: Entry { path, kind }, source, bytes });
        Step::Done
    }

    fn error(&mut self, why: AssetError) -> Step {
        self.errors.push(why);
        Step::Done
    }
}

fn sorted_names(directory: &Path) -> Result<Vec<OsString>, AssetError> {
    let read = || -> std::io::Result<Vec<_>> {
        let mut names: Vec<_> =
            fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>()?;
        names.sort();
        Ok(names)
    };
    read().map_err(|error| AssetError::unreadable(directory, error))
}

/// Returns `true` for the error of links that refer to each other.
#[cfg(unix)]
fn is_loop(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

#[cfg(not(unix))]
fn is_loop(_: &std::io::Error) -> bool {
    false
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}
