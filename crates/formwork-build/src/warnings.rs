//! Selects the files of an artifact to which the warnings of packaging apply (reference/build.md#warnings).

use std::fs;
use std::io;
use std::path::Path;

use formwork_upload::SourceTree;

use crate::builder::Builder;
use crate::job::Job;

/// Returns the files of a source that are likely secrets and that are in its artifact.
pub(crate) fn secrets(job: &Job, tree: &SourceTree) -> Vec<String> {
    let builder = job.recipe.builder;
    let has_source = matches!(
        builder,
        Builder::Copy
            | Builder::CopyPython
            | Builder::Pip
            | Builder::Uv
            | Builder::Poetry
            | Builder::Node
            | Builder::Bundler
    );
    if !has_source || !job.source.is_dir() {
        return Vec::new();
    }
    // These builders remove the file from the artifact.
    let is_removed = |path: &str| path == ".npmrc" && builder == Builder::Node;
    tree.likely_secrets().into_iter().filter(|path| !is_removed(path)).collect()
}

/// Returns the total size of the files in a directory, in bytes.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn bytes(path: &Path) -> io::Result<u64> {
    let (mut left, mut sum) = (vec![path.to_owned()], 0);
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let found = entry.metadata()?;
            if found.is_dir() {
                left.push(entry.path());
            } else if found.is_file() {
                sum += found.len();
            }
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_directories_are_counted() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(directory.path().join("a/b")).expect("a directory");
        for (name, size) in [("a/one", 300_000_000), ("a/b/two", 1)] {
            let file = fs::File::create(directory.path().join(name)).expect("a file");
            file.set_len(size).expect("a size");
        }
        assert_eq!(bytes(directory.path()).expect("read"), 300_000_001);
    }
}
