//! Resources that a transform names after a hash of their content: a change of it publishes the next one
//! (reference/plan.md#serverless).

use formwork_template::Section;
use formwork_template::side::Member;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::action;
use crate::change::{Action, Change, ChangeKind};

/// The reason of the action, as it is written in JSON.
pub(crate) const REASON: &str = "publishes";

/// Resources of the old side of which the new side publishes the next ones, by the IDs there.
#[derive(Debug, Default)]
pub(crate) struct Publications<'p, 't> {
    pairs: FxHashMap<&'t str, &'p Member<'t>>,
    old: FxHashSet<&'t str>,
}

/// Pairs the resources that are gone with those that came. Both have the same type, and the same ID but for the hash.
pub(crate) fn find<'p, 't>(gone: &[&'p Member<'t>], came: &[&'p Member<'t>]) -> Publications<'p, 't> {
    let stem = |member: &Member<'t>| Some((member.published?, member.kind()));
    let mut open: FxHashMap<(&str, &str), &'p Member<'t>> = FxHashMap::default();
    for &member in gone.iter().rev() {
        open.extend(stem(member).map(|stem| (stem, member)));
    }
    let mut found = Publications::default();
    for member in came {
        if let Some(old) = stem(member).and_then(|stem| open.remove(&stem)) {
            found.pairs.insert(member.id, old);
            found.old.insert(old.id);
        }
    }
    found
}

/// Returns `true` for a change that publishes the next version of a resource.
pub(crate) fn is_one(change: &Change<'_, '_>) -> bool {
    change.resource.as_ref().is_some_and(|resource| resource.reason == REASON)
}

impl<'p, 't> Publications<'p, 't> {
    /// Returns the resources without a next version.
    pub(crate) fn others(&self, mut members: Vec<&'p Member<'t>>) -> Vec<&'p Member<'t>> {
        members.retain(|member| !self.pairs.contains_key(member.id) && !self.old.contains(member.id));
        members
    }

    /// Returns the old and new IDs.
    pub(crate) fn renames(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        self.pairs.iter().map(|(new, old)| (old.id, *new))
    }

    /// Returns the change of a resource with a next version.
    pub(crate) fn change(&self, member: &'p Member<'t>) -> Option<Change<'p, 't>> {
        let old = self.pairs.get(member.id)?;
        Some(Change {
            old_id: Some(old.id),
            type_name: Some(member.kind()),
            resource: Some(action::whole(Action::Update, REASON)),
            ..Change::new(ChangeKind::Changed, Section::Resources, member.id)
        })
    }
}
