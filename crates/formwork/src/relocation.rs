//! The result of a compilation as it is written to another directory (reference/command-line.md#relocated).

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
    /// That of the compilation, and what was rewritten.
    pub(crate) tree: Tree,
    pub(crate) root: NodeId,
    /// Paths that could not be rewritten.
    pub diagnostics: Vec<Diagnostic>,
}

impl Relocation {
    /// Rewrites the relative paths of artifact properties for an output in `directory`. `path` returns the path of what
    /// is named, by the file that names it, from there; `None` where it is kept. `is_there` is whether a file is in that
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
    /// The same template with paths that start at another directory.
    #[must_use]
    pub fn relocated(self, relocation: &'c Relocation) -> Written<'c> {
        Written { tree: &relocation.tree, root: relocation.root, ..self }
    }
}
