//! The templates of a workspace, found in the background.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use formwork::disk::read_inside;
use formwork::{FileBytes, Limits, has_template_section};

use crate::roots::Roots;

/// Templates and modules of a workspace besides open documents: found when they are first asked for.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    roots: Arc<Roots>,
    templates: OnceLock<Vec<PathBuf>>,
}

/// Most files that are looked at.
const MOST: usize = 10_000;

impl Scanned {
    pub(crate) fn new(roots: Arc<Roots>) -> Scanned {
        Scanned { roots, templates: OnceLock::new() }
    }

    fn all(&self) -> &[PathBuf] {
        self.templates.get_or_init(|| scan(&self.roots))
    }

    /// Looks for them now, for those who ask later.
    pub(crate) fn look(&self) {
        self.all();
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        self.all().binary_search_by(|known| known.as_path().cmp(path)).is_ok()
    }

    /// Whether a file is known without a look.
    pub(crate) fn knows(&self, path: &Path) -> bool {
        self.templates.get().is_some_and(|all| all.iter().any(|known| known == path))
    }

    /// The templates below a directory.
    pub(crate) fn below<'s>(&'s self, folder: &'s Path) -> impl Iterator<Item = &'s Path> {
        self.all().iter().map(PathBuf::as_path).filter(move |path| path.starts_with(folder))
    }

    pub(crate) fn templates(&self) -> impl Iterator<Item = &Path> {
        self.all().iter().map(PathBuf::as_path)
    }
}

/// Finds the templates of the workspace. Directories that tools fill are left out, and what `.gitignore` names.
fn scan(roots: &Roots) -> Vec<PathBuf> {
    let mut templates = Vec::new();
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
            if is_candidate(path) && is_template(folder, path) {
                templates.push(path.to_owned());
            }
        }
    }
    templates.sort();
    templates.dedup();
    templates
}

/// Whether a file may be a template, by its name.
pub(crate) fn is_candidate(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| ["yaml", "yml", "json", "template"].contains(&extension.to_ascii_lowercase().as_str()))
}

fn is_template(folder: &Path, path: &Path) -> bool {
    let bytes = read_inside(folder, path, Limits::default().file_bytes);
    bytes.is_ok_and(|bytes| has_template_section(&FileBytes::from(bytes)))
}
