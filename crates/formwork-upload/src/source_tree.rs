//! Reads a file or directory for a build: the files that a zip of it would have, with their hashes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use formwork_package::asset_key::{self, Hash};
use formwork_package::{AssetKey, Entry, EntryKind};

use crate::hashes;
use crate::listing::{self, Listed, ListedContent, Rules, Symlinks};

/// Rules for reading a source.
#[derive(Clone, Debug, Default)]
pub struct TreeRules {
    /// Links that lead out of this directory are not followed.
    pub project_root: PathBuf,
    /// Files and directories that are excluded.
    pub left_out: Vec<PathBuf>,
    /// Exclusion patterns with the rules of `.gitignore`.
    pub excluded: Vec<String>,
}

/// An error of reading a file or directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeError {
    /// The error message.
    pub message: String,
    /// Advice for the user.
    pub help: &'static str,
}

/// A file or directory with the hash of everything in it.
#[derive(Clone, Debug)]
pub struct SourceTree {
    files: Vec<Listed>,
    key: AssetKey,
}

impl SourceTree {
    /// Reads a file or a directory, at its real path.
    ///
    /// # Errors
    /// Returns all errors of reading it.
    pub fn read(path: &Path, rules: &TreeRules) -> Result<SourceTree, Vec<TreeError>> {
        let rules = Rules {
            project_root: rules.project_root.clone(),
            symlinks: Symlinks::Follow,
            left_out: rules.left_out.clone(),
            excluded: rules.excluded.clone(),
        };
        let name = || path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let listed = if path.is_dir() { listing::list(path, &rules) } else { listing::list_file(path, &name()) };
        let files = listed.map_err(|errors| {
            let all = errors.iter().map(|error| TreeError { message: error.to_string(), help: error.help() });
            all.collect::<Vec<_>>()
        })?;
        let paths = files.iter().filter_map(|listed| match &listed.source {
            ListedContent::File(path) => Some(path.clone()),
            ListedContent::Text(_) => None,
        });
        let known = hashes::of_files(paths.collect());
        let (mut hashes, mut errors): (Vec<Hash>, Vec<TreeError>) = (Vec::with_capacity(files.len()), Vec::new());
        for listed in &files {
            match &listed.source {
                ListedContent::Text(text) => hashes.push(asset_key::hash(text.as_bytes())),
                ListedContent::File(path) => match known.get(path) {
                    Some(Ok(hash)) => hashes.push(*hash),
                    Some(Err(error)) => errors.push(TreeError {
                        message: format!("{} cannot be read: {error}", path.display()),
                        help: "correct the permissions of the file",
                    }),
                    None => {}
                },
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let entries: Vec<Entry> = files.iter().map(|listed| listed.entry.clone()).collect();
        Ok(SourceTree { key: AssetKey::of_zip(&entries, &hashes), files })
    }

    /// Returns the hash of all paths, modes and bytes.
    pub fn hash(&self) -> String {
        self.key.object_key(None, None)
    }

    /// Returns `true` if the tree has a file at this path.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|listed| listed.entry.path == path)
    }

    /// Returns the paths of the files and empty directories, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|listed| listed.entry.path.as_str())
    }

    /// Returns the paths of the files that are likely secrets, in order.
    pub fn likely_secrets(&self) -> Vec<String> {
        crate::warnings::likely_secrets(&self.files)
    }

    /// Copies the files into a directory, which is created; existing files are replaced.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn copy_to(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory)?;
        for listed in &self.files {
            let target = directory.join(&listed.entry.path);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            match (&listed.source, listed.entry.kind) {
                (_, EntryKind::EmptyDirectory) => fs::create_dir_all(&target)?,
                (ListedContent::File(path), kind) => {
                    // A tool may have left a link there, which is not written through.
                    if target.is_symlink() {
                        fs::remove_file(&target)?;
                    }
                    fs::copy(path, &target)?;
                    set_mode(&target, kind)?;
                }
                (ListedContent::Text(text), _) => fs::write(&target, text)?,
            }
        }
        Ok(())
    }
}

/// Sets the mode that a zip would have, so that a copy is the same on every machine.
#[cfg(unix)]
fn set_mode(path: &Path, kind: EntryKind) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(kind.mode() & 0o777))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: EntryKind) -> io::Result<()> {
    Ok(())
}
