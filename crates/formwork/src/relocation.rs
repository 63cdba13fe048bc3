//! The output of a compilation for another directory (reference/command-line.md#relocated).

use std::sync::Arc;

use formwork_base::{Diagnostic, Span};
use formwork_package::{ArtifactRef, Output};
use formwork_syntax::{NodeId, Tree};

use crate::compilation::Compilation;
use crate::output::Output as Written;
use crate::packaging::{File, PackageOptions, Packaging};

/// A template whose relative paths start at another directory than its own.
#[derive(Debug)]
pub struct Relocation {
    /// The tree of the compilation, with the rewritten paths.
    pub(crate) tree: Tree,
    pub(crate) root: NodeId,
    /// Errors of paths that could not be rewritten.
    pub diagnostics: Vec<Diagnostic>,
}

impl Relocation {
    /// Rewrites the relative paths of artifact properties for an output in `directory`. `path` returns the new path,
    /// from the file in which the old one is written; `None` to keep it. `is_there` returns `true` if a file is in that
    /// directory.
    pub fn new(
        compilation: &Arc<Compilation>,
        directory: &str,
        path: &dyn Fn(&ArtifactRef, Option<File<'_>>) -> Option<String>,
        is_there: &dyn Fn(Option<File<'_>>) -> bool,
    ) -> Relocation {
        let options = PackageOptions { output: Some(Output::Expanded), ..PackageOptions::default() };
        let Packaging { plan, mut tree, root, .. } = Packaging::new(compilation, options);
        let moved = |need: &ArtifactRef| path(need, compilation.file_of(need.written));
        let is_there = |span: Span| is_there(compilation.file_of(span));
        let rewritten = formwork_package::relocate(&mut tree, &plan, directory, &moved, &is_there);
        Relocation { tree, root: rewritten.root.unwrap_or(root), diagnostics: rewritten.diagnostics }
    }
}

impl<'c> Written<'c> {
    /// Returns the same template with paths that start at another directory.
    #[must_use]
    pub fn relocated(self, relocation: &'c Relocation) -> Written<'c> {
        Written { tree: &relocation.tree, root: relocation.root, ..self }
    }
}
