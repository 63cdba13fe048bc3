//! A second compilation of the same template, for errors that the first one hides.

use std::collections::HashSet;

use formwork_base::{FileBytes, Selection, Span, VirtualPath};

use super::Run;
use crate::{Compilation, Options};

/// The difference to the first run.
#[derive(Clone, Debug)]
pub(super) enum Second {
    /// Loops without items, by their places, get one item.
    Samples(HashSet<Span>),
    /// The imports are removed.
    WithoutModules,
}

impl Run<'_> {
    /// Compiles the template again. All diagnostics are in the result, whatever is selected or suppressed.
    pub(super) fn compiled_again(&self, second: Second, path: &VirtualPath, bytes: &FileBytes) -> Compilation {
        let options = Options {
            heeds_suppressions: false,
            strict: false,
            selection: Selection::default(),
            ..self.options.clone()
        };
        let mut run =
            Run::new(self.host, self.cache, &options, &|_| {}, self.goal).cancelled_by(self.diagnostics.cancellation());
        run.second = Some(second);
        run.compile_bytes(path, bytes.clone())
    }
}
