//! Finds the templates of a workspace in the background.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use formwork::disk::read_inside;
use formwork::{FileBytes, Limits, has_template_section};
use formwork_ide::kind::{DocumentKind, kind};

use crate::document::name_of;
use crate::roots::Roots;

/// Templates and modules of a workspace besides open documents, and the files that pass values to them; found on first
/// use.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    roots: Arc<Roots>,
    files: OnceLock<Files>,
}

#[derive(Debug, Default)]
struct Files {
    templates: Vec<PathBuf>,
    /// Parameters files, `samconfig.toml` and `formwork.toml`.
    data: Vec<PathBuf>,
    /// Other files to which the setting `parameterFiles` may refer.
    others: Vec<PathBuf>,
}

const MOST: usize = 10_000;

impl Scanned {
    pub(crate) fn new(roots: Arc<Roots>) -> Scanned {
        Scanned { roots, files: OnceLock::new() }
    }

    fn files(&self) -> &Files {
        self.files.get_or_init(|| scan(&self.roots))
    }

    fn all(&self) -> &[PathBuf] {
        &self.files().templates
    }

    pub(crate) fn data(&self) -> &[PathBuf] {
        &self.files().data
    }

    /// Scans now, in advance of the first use.
    pub(crate) fn look(&self) {
        self.all();
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        self.all().binary_search_by(|known| known.as_path().cmp(path)).is_ok()
    }

    /// Returns `true` if a file is already known, without a scan.
    pub(crate) fn knows(&self, path: &Path) -> bool {
        let is_there = |files: &Files| files.templates.iter().chain(&files.data).any(|known| known == path);
        self.files.get().is_some_and(is_there)
    }

    /// The already known files below a directory, without a scan.
    pub(crate) fn files_below<'s>(&'s self, directory: &'s Path) -> impl Iterator<Item = PathBuf> + 's {
        let all = self.files.get().into_iter().flat_map(|files| files.templates.iter().chain(&files.data));
        all.filter(move |path| path.starts_with(directory)).cloned()
    }

    pub(crate) fn below<'s>(&'s self, folder: &'s Path) -> impl Iterator<Item = &'s Path> {
        self.all().iter().map(PathBuf::as_path).filter(move |path| path.starts_with(folder))
    }

    /// The files below a directory that may pass values, by their names.
    pub(crate) fn candidates<'s>(&'s self, folder: &'s Path) -> impl Iterator<Item = &'s Path> {
        let all = self.files().data.iter().chain(&self.files().others);
        all.map(PathBuf::as_path).filter(move |path| path.starts_with(folder))
    }

    pub(crate) fn templates(&self) -> impl Iterator<Item = &Path> {
        self.all().iter().map(PathBuf::as_path)
    }
}

/// Finds the files of the workspace, except in directories that tools fill, and those in `.gitignore`.
fn scan(roots: &Roots) -> Files {
    let mut found = Files::default();
    for folder in &roots.folders {
        let walk = ignore::WalkBuilder::new(folder)
            .git_global(false)
            .git_exclude(false)
            .parents(false)
            .require_git(false)
            .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some("node_modules" | ".aws-sam" | "target")))
            .build();
        for entry in walk.filter_map(Result::ok).take(MOST) {
            let path = entry.path();
            if !is_candidate(path) || entry.file_type().is_none_or(|kind| kind.is_dir()) {
                continue;
            }
            match class(folder, path) {
                Some(DocumentKind::Template | DocumentKind::Module) => found.templates.push(path.to_owned()),
                Some(_) => found.data.push(path.to_owned()),
                None => found.others.push(path.to_owned()),
            }
        }
    }
    for list in [&mut found.templates, &mut found.data, &mut found.others] {
        list.sort();
        list.dedup();
    }
    found
}

/// Returns `true` if a file may be a template, or pass values to one, by its name.
pub(crate) fn is_candidate(path: &Path) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| {
        ["yaml", "yml", "json", "template", "toml"].contains(&extension.to_ascii_lowercase().as_str())
    })
}

fn class(folder: &Path, path: &Path) -> Option<DocumentKind> {
    let name = name_of(path);
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if is_toml && kind(&name, "").is_none() {
        return None;
    }
    let bytes = read_inside(folder, path, Limits::default().file_bytes).ok()?;
    let class = kind(&name, &String::from_utf8_lossy(&bytes));
    // A text in another encoding.
    class.or_else(|| has_template_section(&FileBytes::from(bytes)).then_some(DocumentKind::Template))
}
