//! Reads the files that Git tracks from its index: Git is not run, and nothing in `.git` is trusted
//! (reference/command-line.md#templates). Format: gitformat-index(5), versions 2 to 4.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::loader::read_inside;
use crate::open::open_regular;

/// Maximum size of an index, in bytes.
const BYTES: u64 = 64 << 20;
/// Maximum size of the small files that lead to an index, in bytes.
const POINTER_BYTES: u64 = 4096;
const PATH_BYTES: usize = 4096;
/// Maximum number of files, and maximum size of their names.
const FILES: usize = 100_000;
const NAME_BYTES: usize = 8 << 20;
/// Maximum size of all names, in bytes; the fourth version writes them as differences.
const ALL_NAME_BYTES: usize = 48 << 20;

/// The files that Git tracks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tracked {
    /// The directory is in no repository, or in one without tracked files.
    Nothing,
    /// The tracked files, by their paths from the top of the repository.
    Files {
        /// The top of the repository.
        top: PathBuf,
        /// The paths, with `/`.
        paths: BTreeSet<String>,
    },
    /// The index cannot be read: any file may be tracked.
    Unknown,
}

/// Returns the files that Git tracks in the repository around `directory`, a path without links, if their path from the
/// top is wanted.
pub fn tracked(directory: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Tracked {
    let found = directory.ancestors().find(|top| top.join(".git").symlink_metadata().is_ok());
    let Some(top) = found else { return Tracked::Nothing };
    let Some(git) = git_directory(top) else { return Tracked::Unknown };
    let index = git.join("index");
    if index.symlink_metadata().is_err() {
        return Tracked::Nothing;
    }
    let mut names = Names { paths: BTreeSet::new(), bytes: 0, left: ALL_NAME_BYTES, is_wanted };
    match read(&git, "index", &mut names) {
        Some(()) => Tracked::Files { top: top.to_owned(), paths: names.paths },
        None => Tracked::Unknown,
    }
}

/// Returns the Git directory of the work tree `top`, a path without links: `.git` itself, or the one that the file
/// `.git` refers to. Such a file could refer to any directory, so it is trusted only if that directory refers to the
/// tree in turn, or is among the submodules of a repository around the tree. A link is not trusted.
pub fn git_directory(top: &Path) -> Option<PathBuf> {
    let path = top.join(".git");
    if path.symlink_metadata().ok()?.is_dir() {
        return Some(path);
    }
    let text = small(&path)?;
    let named = top.join(text.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    let names_tree = || {
        let back = named.join(small(&named.join("gitdir"))?.trim());
        Some(back.file_name()? == ".git" && back.parent()?.canonicalize().ok()? == top)
    };
    let is_of_submodule = || {
        let around = top.ancestors().skip(1).find(|above| above.join(".git").symlink_metadata().is_ok());
        around.and_then(git_directory).is_some_and(|git| named.starts_with(git.join("modules")))
    };
    (is_of_submodule() || names_tree() == Some(true)).then_some(named)
}

fn small(path: &Path) -> Option<String> {
    use std::io::Read as _;
    let (file, _) = open_regular(path).ok()?;
    let mut text = String::new();
    file.take(POINTER_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The collected names, within limits.
struct Names<'w> {
    paths: BTreeSet<String>,
    bytes: usize,
    /// Number of bytes of names that may still be read.
    left: usize,
    is_wanted: &'w dyn Fn(&str) -> bool,
}

impl Names<'_> {
    /// Adds a wanted name; `None` if there are too many names.
    fn add(&mut self, name: &[u8]) -> Option<()> {
        self.left = self.left.checked_sub(name.len())?;
        // A name that is not UTF-8 cannot be opened on this machine.
        let Ok(name) = std::str::from_utf8(name) else { return Some(()) };
        // An entry that replaces another one in a split index has no name.
        let is_plain =
            !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if is_plain && (self.is_wanted)(name) && self.paths.insert(name.to_owned()) {
            self.bytes += name.len();
        }
        (self.bytes <= NAME_BYTES && self.paths.len() <= FILES).then_some(())
    }
}

/// Reads an index in a Git directory, and the shared index that it is split from.
fn read(git: &Path, name: &str, names: &mut Names<'_>) -> Option<()> {
    let bytes = read_in_git(git, name)?;
    // The length of a hash is in the configuration, which is not read: both lengths are tried.
    let shared = [20, 32].into_iter().find_map(|hash| Index { bytes: &bytes, hash, at: 0 }.read(names))?;
    match shared {
        Base::Shared(id) if name == "index" => read(git, &format!("sharedindex.{id}"), names),
        _ => Some(()),
    }
}

fn read_in_git(git: &Path, name: &str) -> Option<Vec<u8>> {
    let real = git.canonicalize().ok()?;
    read_inside(&real, &real.join(name), BYTES).ok()
}

enum Base {
    Nothing,
    /// The shared index with this hash.
    Shared(String),
}

struct Index<'b> {
    bytes: &'b [u8],
    /// Length of a hash, in bytes.
    hash: usize,
    at: usize,
}

impl Index<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let found = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(found)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2).and_then(|bytes| bytes.try_into().ok()).map(u16::from_be_bytes)
    }

    /// Returns the bytes before the next zero byte, which is skipped.
    fn text(&mut self) -> Option<&[u8]> {
        let rest = self.bytes.get(self.at..)?;
        let end = rest.iter().take(PATH_BYTES + 1).position(|&byte| byte == 0)?;
        self.at += end + 1;
        Some(&rest[..end])
    }

    /// Reads a number of the fourth version, in groups of seven bits.
    fn offset(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        for at in 0..4 {
            let byte = *self.take(1)?.first()?;
            value = if at == 0 { 0 } else { (value + 1) << 7 } | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Adds all names. Returns `None` if this is not an index.
    fn read(mut self, names: &mut Names<'_>) -> Option<Base> {
        if self.take(4)? != b"DIRC" {
            return None;
        }
        let version = self.number().filter(|version| (2..=4).contains(version))?;
        let count = self.number()?;
        let mut name: Vec<u8> = Vec::new();
        for _ in 0..count {
            let begin = self.at;
            self.take(24)?;
            let mode = self.number()?;
            if ![0o100_000, 0o120_000, 0o160_000, 0o040_000].contains(&(mode & 0o170_000)) {
                return None;
            }
            self.take(12 + self.hash)?;
            let flags = self.short()?;
            if flags & 0x4000 != 0 {
                self.short().filter(|_| version > 2)?;
            }
            if version == 4 {
                let kept = name.len().checked_sub(self.offset()?)?;
                name.truncate(kept);
                let rest = self.text()?;
                name.extend_from_slice(rest);
            } else {
                name.clear();
                let rest = self.text()?;
                name.extend_from_slice(rest);
                // Zero bytes up to a multiple of eight, one of which was read.
                let length = (self.at - begin).next_multiple_of(8);
                self.at = begin + length;
            }
            if name.len() > PATH_BYTES {
                return None;
            }
            names.add(&name)?;
        }
        let mut base = Base::Nothing;
        while self.bytes.len().checked_sub(self.at)? > self.hash {
            let kind: [u8; 4] = self.take(4)?.try_into().ok()?;
            let size = self.number()? as usize;
            let hash = self.hash;
            let content = self.take(size)?;
            if &kind == b"link" {
                let id = content.get(..hash)?;
                if id.iter().any(|&byte| byte != 0) {
                    base = Base::Shared(formwork_base::hexadecimal(id));
                }
            } else if !kind[0].is_ascii_uppercase() && &kind != b"sdir" {
                // An extension that has to be understood.
                return None;
            }
        }
        (self.bytes.len() - self.at == self.hash).then_some(base)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// An index of the second version.
    fn index(names: &[&str]) -> Vec<u8> {
        let mut bytes = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &(names.len() as u32).to_be_bytes()].concat();
        for name in names {
            let begin = bytes.len();
            bytes.extend([0; 24]);
            bytes.extend(0o100_644_u32.to_be_bytes());
            bytes.extend([0; 32]);
            bytes.extend((name.len().min(0xfff) as u16).to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.push(0);
            bytes.resize(begin + (bytes.len() - begin).next_multiple_of(8), 0);
        }
        bytes.extend([0; 20]);
        bytes
    }

    fn repository(index: &[u8]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir(directory.path().join(".git")).expect("a directory");
        fs::write(directory.path().join(".git/index"), index).expect("written");
        directory
    }

    fn found(index: &[u8]) -> Option<Vec<String>> {
        let directory = repository(index);
        match tracked(&directory.path().canonicalize().expect("it exists"), &|_| true) {
            Tracked::Files { paths, .. } => Some(paths.into_iter().collect()),
            Tracked::Nothing => Some(Vec::new()),
            Tracked::Unknown => None,
        }
    }

    #[test]
    fn names_are_read() {
        let long = "d/".repeat(2040) + "a.yaml";
        assert_eq!(found(&index(&["a.yaml", "deep/b.yaml"])), Some(vec!["a.yaml".into(), "deep/b.yaml".into()]));
        assert_eq!(found(&index(&[&long])), Some(vec![long]));
        assert_eq!(found(&index(&[])), Some(Vec::new()));
        // They are opened below the top of the repository, or not at all.
        assert_eq!(found(&index(&["../a", "/etc/passwd", "a/../../b", "./c"])), Some(vec![]));
        let plain = tempfile::tempdir().expect("a directory");
        assert_eq!(tracked(plain.path(), &|_| true), Tracked::Nothing);
    }

    #[test]
    fn every_index_that_git_writes_is_read() {
        let git = |directory: &Path, words: &[&str]| {
            let run = std::process::Command::new("git").arg("-C").arg(directory).args(words).output();
            run.is_ok_and(|run| run.status.success())
        };
        for settings in [
            &["update-index", "--index-version", "2"][..],
            &["update-index", "--index-version", "4"],
            &["update-index", "--split-index"],
            &["add", "-N", "late.yaml"],
        ] {
            let directory = tempfile::tempdir().expect("a directory");
            let top = directory.path().canonicalize().expect("it exists");
            if !git(&top, &["init", "-q"]) {
                return;
            }
            let mut names: Vec<String> = (0..40).map(|at| format!("deep/{}/{at}.yaml", at % 3)).collect();
            names.push("late.yaml".to_owned());
            for name in &names {
                fs::create_dir_all(top.join(name).parent().expect("a parent")).expect("a directory");
                fs::write(top.join(name), name).expect("written");
            }
            assert!(git(&top, &["add", "deep"]) && git(&top, settings), "{settings:?}");
            let Tracked::Files { paths, .. } = tracked(&top, &|_| true) else { panic!("{settings:?}") };
            assert_eq!(paths.len(), 40 + usize::from(paths.contains("late.yaml")), "{settings:?}");
        }
    }

    #[test]
    fn a_broken_index_hides_nothing() {
        let whole = index(&["a.yaml", "b.yaml"]);
        for end in 1..whole.len() {
            assert_eq!(found(&whole[..end]), None, "{end}");
        }
        for at in 0..12 {
            let mut broken = whole.clone();
            broken[at] ^= 0xff;
            assert_eq!(found(&broken), None, "{at}");
        }
        let mut begun = index(&["a.yaml"]);
        begun.truncate(begun.len() - 20);
        begun.extend(b"mustUNDERSTAND");
        assert_eq!(found(&begun), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_names_another_directory_is_believed_when_that_one_agrees() {
        let directory = tempfile::tempdir().expect("a directory");
        let base = directory.path().canonicalize().expect("it exists");
        let (tree, other) = (base.join("tree"), base.join("other"));
        fs::create_dir(&tree).expect("a directory");
        fs::create_dir(&other).expect("a directory");
        fs::write(other.join("index"), index(&["a.yaml"])).expect("written");
        fs::write(tree.join(".git"), "gitdir: ../other\n").expect("written");
        assert_eq!(tracked(&tree, &|_| true), Tracked::Unknown);
        fs::write(other.join("gitdir"), format!("{}\n", tree.join(".git").display())).expect("written");
        assert!(matches!(tracked(&tree, &|_| true), Tracked::Files { paths, .. } if paths.len() == 1));
        fs::remove_file(tree.join(".git")).expect("removed");
        std::os::unix::fs::symlink("../other", tree.join(".git")).expect("a link");
        assert_eq!(tracked(&tree, &|_| true), Tracked::Unknown);
    }
}
