//! The files of an archive before they are packed.

use std::collections::BTreeMap;

/// Files by their path, each with its content and whether it can be run.
#[derive(Debug, Default)]
pub(super) struct Staging {
    files: BTreeMap<String, (Vec<u8>, bool)>,
}

impl Staging {
    /// Adds a file.
    pub(super) fn add(&mut self, path: impl Into<String>, content: Vec<u8>) {
        self.files.insert(path.into(), (content, false));
    }

    /// Adds a file that can be run.
    pub(super) fn add_program(&mut self, path: impl Into<String>, content: Vec<u8>) {
        self.files.insert(path.into(), (content, true));
    }

    /// All files by path: content, and whether it can be run.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8], bool)> {
        self.files.iter().map(|(path, (content, runs))| (path.as_str(), content.as_slice(), *runs))
    }

    /// The files with licences.
    pub(super) fn licences(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files().filter(|(path, ..)| path.contains("LICENSE")).map(|(path, content, _)| (path, content))
    }
}
