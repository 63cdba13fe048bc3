//! The schemas of resource types: the built-in table, and those in the directories that `formwork.toml` names
//! (reference/schemas.md#own).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::is_git;
use formwork::schemas::Schemas;
use formwork_project::file::below;
use formwork_project::{ProjectFile, SettingValue};

use crate::configuration::Reader;

/// The cached schemas of private types: the directories of one workspace usually have the same ones.
#[derive(Clone, Default)]
pub(crate) struct Private {
    known: Vec<CachedSchemas>,
}

#[derive(Clone)]
struct CachedSchemas {
    directories: Vec<PathBuf>,
    root: PathBuf,
    schemas: Arc<Schemas>,
    files: Vec<PathBuf>,
}

impl Private {
    /// Returns the schemas for templates in `folder`, with the settings of `file`. A file that cannot be read, or is
    /// not a schema, is reported by the command line only.
    pub(crate) fn schemas(&mut self, reader: &Reader<'_>, folder: &Path, file: Option<&ProjectFile>) -> Arc<Schemas> {
        let directories = file.map(directories).unwrap_or_default();
        if directories.is_empty() {
            return Arc::new(Schemas::embedded());
        }
        let root = reader.roots.project_root(folder);
        let is_same = |known: &&CachedSchemas| known.directories == directories && known.root == root;
        if let Some(known) = self.known.iter().find(is_same) {
            reader.depends_on(&known.files);
            return Arc::clone(&known.schemas);
        }
        let mut files = directories.clone();
        let mut schemas = Schemas::embedded();
        let mut left = Schemas::MOST_OWN_BYTES;
        for path in directories.iter().flat_map(|directory| below_directory(directory)) {
            let bytes = reader.read_up_to(folder, &path, left);
            files.push(path);
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            if let Some(text) = text {
                left = left.saturating_sub(text.len() as u64);
                // An invalid schema would end `check`.
                let _ = schemas.add(&text);
            }
        }
        reader.depends_on(&files);
        let schemas = Arc::new(schemas);
        self.known.push(CachedSchemas { directories, root, schemas: Arc::clone(&schemas), files });
        schemas
    }

    /// Removes the schemas of files that changed, or that are in these directories now.
    pub(crate) fn forget(&mut self, changed: impl Fn(&Path) -> bool) {
        self.known.retain(|known| !known.files.iter().any(|file| changed(file)));
    }
}

fn directories(file: &ProjectFile) -> Vec<PathBuf> {
    match file.setting(&["check"], "schemas").map(|setting| &setting.value) {
        Some(SettingValue::Words(words)) => words.iter().filter_map(|word| below(&file.path, word).ok()).collect(),
        _ => Vec::new(),
    }
}

/// The schema files of a directory by their names; later ones take precedence.
fn below_directory(directory: &Path) -> Vec<PathBuf> {
    let walk = ignore::WalkBuilder::new(directory)
        .standard_filters(false)
        .filter_entry(|entry| !is_git(entry.file_name()))
        .build();
    let is_file = |entry: &ignore::DirEntry| entry.file_type().is_some_and(|kind| !kind.is_dir());
    let mut files: Vec<PathBuf> =
        walk.filter_map(Result::ok).filter(is_file).map(ignore::DirEntry::into_path).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")));
    files.sort();
    files
}
