//! A copy of a source with everything that its manifest refers to by relative paths, at the same relative paths: tools
//! run there, and nothing is written beside the source.

use std::fs;
use std::path::{Component, Path, PathBuf};

use formwork_disk::without_dots;
use formwork_upload::SourceTree;
use formwork_upload::source_tree::TreeRules;

use crate::build_error::BuildError;
use crate::command::Runner;

/// A directory that is deep enough for relative paths that leave it.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    directory: PathBuf,
    references: Vec<String>,
}

impl Workspace {
    /// Creates the directory. `references` are the paths that leave it.
    pub(crate) fn new(scratch: &Path, base: &Path, references: &[String]) -> Result<Workspace, BuildError> {
        let depth = references.iter().map(|path| steps_up(path)).max().unwrap_or(0);
        let root = scratch.join("workspace");
        // The directories have the names of those above the source: a path may go up and come back.
        let above: Vec<_> = base.ancestors().take(depth + 1).filter_map(Path::file_name).collect();
        let directory = above.iter().rev().fold(root.clone(), |directory, name| directory.join(name));
        fs::create_dir_all(&directory).map_err(BuildError::file(&directory))?;
        Ok(Workspace { root, directory, references: references.to_vec() })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Copies the paths that the source refers to, since tools write beside what they build.
    pub(crate) fn copy_references(&self, base: &Path, runner: &Runner<'_>) -> Result<(), BuildError> {
        for (from, to) in self.places(base) {
            let rules = reference_rules(&from);
            match SourceTree::read(&from, &rules) {
                Ok(tree) if from.is_dir() => tree.copy_to(&to).map_err(BuildError::file(&to))?,
                Ok(_) => drop(fs::copy(&from, &to).map_err(BuildError::file(&to))?),
                Err(errors) => errors.iter().for_each(|error| runner.note(&format!("# {}", error.message))),
            }
        }
        Ok(())
    }

    pub(crate) fn copy_beside(&self, base: &Path) -> Result<(), BuildError> {
        for entry in fs::read_dir(base).map_err(BuildError::file(base))?.flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), self.directory.join(entry.file_name()))
                    .map_err(BuildError::file(entry.path()))?;
            }
        }
        Ok(())
    }

    /// Returns the paths that the source refers to, with their copies; missing files are left for the tool to report.
    fn places(&self, base: &Path) -> Vec<(PathBuf, PathBuf)> {
        let mut places: Vec<(PathBuf, PathBuf)> = Vec::new();
        for path in &self.references {
            let (Ok(from), to) = (base.join(path).canonicalize(), without_dots(&self.directory.join(path))) else {
                continue;
            };
            // Of two nested directories, the outer one comes first and contains both.
            let is_there = to.exists() || places.iter().any(|(_, known)| to.starts_with(known));
            if to.starts_with(&self.root) && to != self.root && !is_there {
                if let Some(parent) = to.parent() {
                    let _ = fs::create_dir_all(parent);
                }
                places.push((from, to));
            }
        }
        places
    }
}

/// Files that are excluded from the paths that a source refers to.
pub(crate) const REFERENCE_EXCLUDED: [&str; 7] =
    [".git/", ".formwork/", ".aws-sam/", "node_modules/", "__pycache__/", "*.pyc", "*.egg-info/"];

/// Returns the rules for reading a path that a source refers to.
pub(crate) fn reference_rules(path: &Path) -> TreeRules {
    TreeRules {
        project_root: path.to_owned(),
        left_out: Vec::new(),
        excluded: REFERENCE_EXCLUDED.iter().map(|&pattern| pattern.to_owned()).collect(),
    }
}

fn steps_up(path: &str) -> usize {
    let (mut depth, mut highest) = (0_isize, 0);
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
        highest = highest.min(depth);
    }
    highest.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::watcher::Watcher;

    #[test]
    fn a_workspace_is_as_deep_as_its_references_go_up() {
        let directory = tempfile::tempdir().expect("a directory");
        let base = directory.path().join("a/b/source");
        std::fs::create_dir_all(&base).expect("made");
        std::fs::create_dir_all(directory.path().join("shared/x")).expect("made");
        std::fs::write(directory.path().join("shared/x/file"), "1").expect("written");
        let scratch = directory.path().join("scratch");
        std::fs::create_dir_all(directory.path().join("shared/x/in")).expect("made");
        let references = ["../../../shared/x", "../../../shared/x/in", "../missing"].map(str::to_owned);
        let workspace = Workspace::new(&scratch, &base, &references).expect("made");
        let (interrupt, watcher) = (AtomicBool::new(false), Watcher::default());
        let runner = Runner { log: directory.path().join("log"), interrupt: &interrupt, watcher: &watcher };
        workspace.copy_references(&base, &runner).expect("copied");
        let there = workspace.directory().join("../../../shared/x/file");
        assert_eq!(std::fs::read_to_string(there).expect("copied"), "1");
        assert!(without_dots(&workspace.directory().join("../../..")).starts_with(&scratch));
    }
}
