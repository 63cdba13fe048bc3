//! The contexts of a module: the templates that import it, and the selected one of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use formwork::VirtualPath;
use formwork_ide::kind::DocumentKind;

use crate::at::At;
use crate::document::Document;
use crate::handlers::uses::other_templates;
use crate::response::Failure;
use crate::view::View;
use crate::world::{absolute, relative};

/// The largest depth of imports that are followed.
const DEPTH: usize = 16;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    pub(crate) root: PathBuf,
    pub(crate) instance: String,
    pub(crate) properties: Vec<String>,
}

impl Context {
    fn is(&self, (root, instance): &(PathBuf, String)) -> bool {
        self.root == *root && self.instance == *instance
    }
}

/// Open documents that other templates import although they do not look like templates: the author begins to write a
/// module, or broke the name of its only section. Only compiled importers are considered.
pub(crate) fn imported(view: &View) -> BTreeSet<PathBuf> {
    // A module without its resources looks like values of parameters.
    let may_be = |document: &Document| matches!(document.kind, None | Some(DocumentKind::Parameters));
    let unknown: Vec<&PathBuf> =
        view.documents.iter().filter(|(_, document)| may_be(document)).map(|(path, _)| path).collect();
    if unknown.is_empty() {
        return BTreeSet::new();
    }
    let mut found = BTreeSet::new();
    for (path, ide) in view.known() {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let dependencies = ide.dependencies();
        let is_read = |file: &VirtualPath| dependencies.iter().any(|one| one.found.contains(file));
        let own = unknown.iter().map(|file| (*file, relative(file, folder))).filter(|(_, file)| is_read(file));
        for (file, own) in own.collect::<Vec<_>>() {
            if own != *ide.root() && ide.file(&own).is_some() {
                found.insert(file.clone());
            }
        }
    }
    found
}

/// The uses of a module in the templates of its workspace directory: the selected one first, then by file and place.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn contexts(view: &View, path: &Path) -> Result<Vec<Context>, Failure> {
    let Some(at) = At::of_path(view, path)? else { return Ok(Vec::new()) };
    let mut others = other_templates(view, &at)?;
    others.sort_by(|a, b| a.path.cmp(&b.path));
    let mut found: Vec<Context> = others.iter().flat_map(|other| uses(other, path)).collect();
    if let Some(selected) = view.contexts.get(path) {
        found.sort_by_key(|context| !context.is(selected));
    }
    Ok(found)
}

fn uses(other: &At<'_>, module: &Path) -> Vec<Context> {
    let imports = other.ide.project().imports(&other.file).into_iter();
    let leads = |file: &VirtualPath| absolute(file, other.folder()) == module;
    let own = imports.filter(|import| import.file.as_ref().is_some_and(leads));
    own.map(|import| Context { root: other.path.clone(), instance: import.name, properties: import.parameters })
        .collect()
}

/// The template whose expansion is shown for a file: a module with a selected context, or one that has no use without a
/// parent, is shown in the template that imports it; any other file by itself.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn shown_in(view: &View, path: &Path) -> Result<PathBuf, Failure> {
    let (mut path, mut seen) = (path.to_owned(), BTreeSet::new());
    while seen.len() < DEPTH && seen.insert(path.clone()) {
        let selected = view.contexts.get(&path);
        let is_pure = selected.is_none() && view.kind(&path) == Some(DocumentKind::Module);
        if selected.is_none() && !is_pure {
            break;
        }
        let found = contexts(view, &path)?;
        // A template that no longer imports it is not its context.
        let Some(first) = found.into_iter().find(|context| is_pure || selected.is_some_and(|one| context.is(one)))
        else {
            break;
        };
        path = first.root;
    }
    Ok(path)
}
