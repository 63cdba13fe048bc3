//! Detects files that tools write into directories of sources, if they run there (reference/sync.md#watching).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files that tools wrote into directories of sources.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// New files and directories.
    pub new: Vec<PathBuf>,
    /// Files that changed during the run: by a tool, or by somebody who edits.
    pub changed: Vec<PathBuf>,
}

impl Written {
    pub(crate) fn add_written(&mut self, mut other: Written) {
        self.new.append(&mut other.new);
        self.changed.append(&mut other.changed);
    }
}

#[derive(Debug)]
pub(crate) struct Stamps {
    directories: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Option<Stamp>>,
}

/// Size and modification time of a file.
type Stamp = (u64, SystemTime);

/// Directories in which nobody edits: each is reported as a whole.
const WHOLE: [&str; 2] = ["node_modules", ".git"];

impl Stamps {
    pub(crate) fn of(directories: Vec<PathBuf>) -> Stamps {
        let (mut files, mut left) = (BTreeMap::new(), directories.clone());
        while let Some(directory) = left.pop() {
            let Ok(entries) = fs::read_dir(&directory) else { continue };
            for entry in entries.flatten() {
                // The target of a link is not part of the directory.
                let Ok(found) = entry.path().symlink_metadata() else { continue };
                if !found.is_dir() {
                    let time = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    files.insert(entry.path(), Some((found.len(), time)));
                    continue;
                }
                if !WHOLE.iter().any(|name| entry.file_name() == *name) {
                    left.push(entry.path());
                }
                files.insert(entry.path(), None);
            }
        }
        Stamps { directories, files }
    }

    /// Returns the files that were written since. The content of a new directory is not listed.
    pub(crate) fn written_since(&self) -> Written {
        let now = Stamps::of(self.directories.clone());
        let mut written = Written::default();
        for (path, stamp) in now.files {
            match self.files.get(&path) {
                Some(before) if *before == stamp => {}
                Some(_) => written.changed.push(path),
                // Paths are sorted: a directory comes before its content.
                None if is_below(&path, &written.new) => {}
                None => written.new.push(path),
            }
        }
        written
    }
}

fn is_below(path: &Path, new: &[PathBuf]) -> bool {
    path.ancestors().skip(1).any(|above| new.binary_search_by(|known| known.as_path().cmp(above)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_and_changed_files_are_distinguished() {
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        let write = |name: &str, text: &str| {
            fs::create_dir_all(at(name).parent().expect("a parent")).expect("a directory");
            fs::write(at(name), text).expect("written");
        };
        write("app.js", "1");
        write("same.js", "1");
        write("node_modules/a/index.js", "1");
        let before = Stamps::of(vec![directory.path().to_owned()]);
        write("app.js", "12");
        write("out/a/b.js", "1");
        write("out.txt", "1");
        write("node_modules/b/index.js", "1");
        let written = before.written_since();
        assert_eq!(written.new, [at("out"), at("out.txt")]);
        assert_eq!(written.changed, [at("app.js")]);
        assert_eq!(Stamps::of(vec![at("out")]).written_since(), Written::default());
    }
}
