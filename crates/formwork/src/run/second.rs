//! A second compilation of the same template, for errors that the first one hides.

use std::collections::HashSet;

use formwork_base::{FileBytes, Selection, Span, VirtualPath};

use super::Run;
use crate::{Compilation, Options};

/// What is different in it.
#[derive(Clone, Debug)]
pub(super) enum Second {
    /// Loops without items, by where they are written, are run for one.
    Samples(HashSet<Span>),
    /// The imports are left out.
    WithoutModules,
}

impl Run<'_> {
    /// Compiles the template again. All that is found is in the result, whatever is selected or suppressed.
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
