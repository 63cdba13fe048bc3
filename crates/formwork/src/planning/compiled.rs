//! A compiled template with its nested templates.

use std::sync::Arc;

use crate::compilation::Compilation;
use crate::nested::Nested;

/// The numbers of a stack's templates on both sides: the outer `None` means no template, the inner one the root.
pub(super) type Numbers = (Option<Option<usize>>, Option<Option<usize>>);

/// A compiled template with its nested templates.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The template; `None` if it does not exist on this side.
    pub root: Option<Arc<Compilation>>,
    /// The local nested templates.
    pub nested: Nested,
}

impl Compiled {
    /// The root, then the nested templates by their numbers.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Arc<Compilation>> {
        self.root.iter().chain(&self.nested.templates)
    }

    pub(super) fn template(&self, number: Option<usize>) -> Option<&Arc<Compilation>> {
        match number {
            None => self.root.as_ref(),
            Some(number) => self.nested.templates.get(number),
        }
    }
}
