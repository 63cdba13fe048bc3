//! Both sides of a plan.

use std::collections::BTreeMap;

use formwork_plan::{Side, Ways};

use super::compiled::{Compiled, Numbers};
use super::side;
use super::worlds::Worlds;

/// Both sides of a plan as plain data.
#[derive(Debug)]
pub struct Sides<'c> {
    pub(super) old: &'c Compiled,
    pub(super) new: &'c Compiled,
    pub(super) before: Vec<Side<'c>>,
    pub(super) after: Vec<Side<'c>>,
    pub(super) none: Side<'c>,
    /// The entries under values that nobody passed.
    pub(super) ways: BTreeMap<Numbers, Ways<'c>>,
}

impl<'c> Sides<'c> {
    /// Reads both sides, whose runs had no errors; `worlds` belongs to the same two.
    pub fn new(old: &'c Compiled, new: &'c Compiled, worlds: &'c Worlds) -> Sides<'c> {
        let read = |compiled: &'c Compiled| {
            // A side without a template is empty, and the nested templates follow it.
            let root = compiled.root.as_deref().map(side::read).unwrap_or_default();
            let nested = compiled.nested.templates.iter().map(|template| side::read(template));
            std::iter::once(root).chain(nested).collect()
        };
        Sides { old, new, before: read(old), after: read(new), none: Side::default(), ways: worlds.ways(old, new) }
    }

    pub(super) fn side<'s>(sides: &'s [Side<'c>], number: Option<usize>) -> Option<&'s Side<'c>> {
        sides.get(number.map_or(0, |number| number + 1))
    }
}
