//! A compiled template with its nested templates.

use std::sync::Arc;

use crate::compilation::Compilation;
use crate::nested::Nested;

/// Numbers of the templates of a stack on both sides: none where there is no template, and none in it for the root.
pub(super) type Numbers = (Option<Option<usize>>, Option<Option<usize>>);

/// A compiled template with its nested templates.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The template; none when there was none.
    pub root: Option<Arc<Compilation>>,
    /// Its local nested templates.
    pub nested: Nested,
}

impl Compiled {
    /// Each template: the root first, then the nested ones by their numbers.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Arc<Compilation>> {
        self.root.iter().chain(&self.nested.templates)
    }

    /// The template with a number; none is the root.
    pub(super) fn template(&self, number: Option<usize>) -> Option<&Arc<Compilation>> {
        match number {
            None => self.root.as_ref(),
            Some(number) => self.nested.templates.get(number),
        }
    }
}
