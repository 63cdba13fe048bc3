//! What a change of a template does to a stack: both sides compiled, compared, and their places filled in
//! (reference/plan.md).
//!
//! [`formwork_plan`] compares plain data and knows no trees; here is what leads to that data and back to authors' files.

mod arguments;
mod collections;
mod facts;
mod findings;
mod locate;
mod side;
mod stacks;

use std::sync::Arc;

pub use formwork_plan::*;

use crate::compilation::Compilation;
use crate::nested::Nested;

pub use arguments::changed_arguments;
pub use facts::KnownTypes;
pub use findings::{Findings, findings};

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
    fn templates(&self) -> impl Iterator<Item = &Arc<Compilation>> {
        self.root.iter().chain(&self.nested.templates)
    }

    /// The template with a number; none is the root.
    fn template(&self, number: Option<usize>) -> Option<&Arc<Compilation>> {
        match number {
            None => self.root.as_ref(),
            Some(number) => self.nested.templates.get(number),
        }
    }
}

/// Both sides of a plan as plain data.
#[derive(Debug)]
pub struct Sides<'c> {
    old: &'c Compiled,
    new: &'c Compiled,
    before: Vec<Side<'c>>,
    after: Vec<Side<'c>>,
    /// What there is where there is no template.
    none: Side<'c>,
}

impl<'c> Sides<'c> {
    /// Reads both sides, whose runs had no errors.
    pub fn new(old: &'c Compiled, new: &'c Compiled) -> Sides<'c> {
        let read = |compiled: &'c Compiled| {
            // A side without a template is empty, and the nested templates follow it.
            let root = compiled.root.as_deref().map(side::read).unwrap_or_default();
            let nested = compiled.nested.templates.iter().map(|template| side::read(template));
            std::iter::once(root).chain(nested).collect()
        };
        Sides { old, new, before: read(old), after: read(new), none: Side::default() }
    }

    /// Compares them, nested stacks included, with places and reasons.
    pub fn plan<'s>(&'s self, settings: Settings<'_>) -> Plan<'s, 'c> {
        let mut plan = stacks::plan(self, (Some(None), Some(None)), settings);
        for compiled in [self.old, self.new] {
            for template in compiled.templates() {
                plan.notes.extend(side::macros(template));
            }
        }
        plan.notes.dedup();
        plan
    }

    /// The plain data of a template by its number; none is the root.
    fn side<'s>(sides: &'s [Side<'c>], number: Option<usize>) -> Option<&'s Side<'c>> {
        sides.get(number.map_or(0, |number| number + 1))
    }
}

/// The whole output of a compilation as plain data: what `CreateStackRefactor` is given, with its references renamed. A
/// `Default` of a `NoEcho` parameter is in it as in every output: the parameters of a stack must not change.
pub fn output(compilation: &Compilation) -> Value<'_> {
    side::unmasked(compilation, compilation.root)
}

/// The output of a compilation as plain data, section by section.
pub(crate) fn side_of(compilation: &Compilation) -> Side<'_> {
    side::read(compilation)
}
