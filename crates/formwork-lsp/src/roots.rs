//! Directories of a workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formwork::disk::project_root_from;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Roots {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) is_trusted: bool,
    /// The setting `projectRoot` of the workspace directories, and of files outside of them.
    pub(crate) root_settings: BTreeMap<PathBuf, PathBuf>,
    pub(crate) root_setting: Option<PathBuf>,
}

impl Roots {
    pub(crate) fn folder_of(&self, path: &Path) -> Option<&Path> {
        let around = self.folders.iter().filter(|folder| path.starts_with(folder));
        around.max_by_key(|folder| folder.components().count()).map(PathBuf::as_path)
    }

    /// The directory outside of which nothing is read for templates in `directory`. Without trust it is never above the
    /// workspace directory, and outside of all of them never above `directory`.
    pub(crate) fn project_root(&self, directory: &Path) -> PathBuf {
        let folder = self.folder_of(directory);
        if !self.is_trusted {
            return folder.unwrap_or(directory).to_owned();
        }
        let own = match folder {
            Some(folder) => self.root_settings.get(folder).map(|root| folder.join(root)),
            None => self.root_setting.clone(),
        };
        // The workspace is where a person works, like the working directory in a terminal.
        own.unwrap_or_else(|| project_root_from(directory, folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_trust_the_folder_is_the_root() {
        let folders = vec![PathBuf::from("/w/a"), PathBuf::from("/w/a/inner")];
        let root_settings = BTreeMap::from([("/w/a".into(), "..".into())]);
        let roots = Roots { folders, root_settings, ..Roots::default() };
        assert_eq!(roots.project_root(Path::new("/w/a/x")), Path::new("/w/a"));
        assert_eq!(roots.project_root(Path::new("/w/a/inner/x")), Path::new("/w/a/inner"));
        assert_eq!(roots.project_root(Path::new("/elsewhere/x")), Path::new("/elsewhere/x"));
    }
}
