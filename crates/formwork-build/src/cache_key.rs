//! The hash of the inputs of an artifact (reference/build.md#cache).

use std::fmt::Write;
use std::path::Path;

use formwork::{Limits, sha256};
use formwork_upload::SourceTree;

use crate::job::Job;
use crate::tools::{SearchPath, stamp};
use crate::workspace::reference_rules;

/// The version of the cache format. It changes when artifacts of the same source become different.
const FORMAT: &str = "formwork build 5";

/// Returns the key of an artifact: the hash of the source, the paths that it refers to, the recipe, the manifest and
/// the tools.
pub(crate) fn key(job: &Job, tree: &SourceTree, excluded: &[String], path: &SearchPath) -> String {
    let mut text = format!("{FORMAT} {}\n{}\n", env!("CARGO_PKG_VERSION"), tree.hash());
    let recipe = &job.recipe;
    let _ = writeln!(text, "{recipe:?}\n{excluded:?}");
    if names_product(job) {
        let _ = writeln!(text, "{}", job.resource);
    }
    for path in recipe.builder.references(job, tree).iter().chain(&recipe.manifest) {
        let hash = SourceTree::read(path, &reference_rules(path)).map_or_else(|_| String::new(), |tree| tree.hash());
        let _ = writeln!(text, "{} {hash}", path.display());
    }
    for tool in recipe.builder.tools(job, tree, path) {
        let _ = writeln!(text, "{}", stamp(&tool));
    }
    sha256(text.as_bytes())
}

/// Returns `true` when the artifact depends on the logical ID.
pub(crate) fn names_product(job: &Job) -> bool {
    use crate::builder::Builder::{Image, Makefile};
    [Makefile, Image].contains(&job.recipe.builder)
}

/// Returns the hash of a file that a run has read; `None` when it cannot be read again.
pub(crate) fn of_file(path: &Path) -> Option<String> {
    formwork_disk::read_named(path, Limits::default().file_bytes).ok().map(|bytes| sha256(&bytes))
}
