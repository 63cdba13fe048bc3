//! Planning: from two sides to a list of changes.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::action;
use crate::change::{Action, Change, ChangeKind, PropertyKind, ResourceChange};
use crate::compare::differences;
use crate::data;
use crate::facts::Facts;
use crate::follow;
use crate::grants;
use crate::moves;
use crate::outside::Outside;
use crate::references::{Comparison, Renames};
use crate::shifts::{self, Shift};
use crate::side::{Member, Section, Side};

/// How two sides are compared.
#[derive(Clone, Copy, Default)]
pub struct Settings<'s> {
    /// Whether `1` and `"1"` differ.
    pub strict_types: bool,
    /// What is known of resource types; without it no effect is.
    pub facts: Option<&'s dyn Facts>,
    /// Names of secret parameters of which both sides have another value.
    pub secrets: &'s [String],
}

impl std::fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("strict_types", &self.strict_types).finish_non_exhaustive()
    }
}

/// What a change of a template does to a stack.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan<'p, 't> {
    /// By section and document; what is gone is behind what stays. Those of nested stacks are behind their resource.
    pub changes: Vec<Change<'p, 't>>,
    /// Loops whose IDs hold other items than before.
    pub shifts: Vec<Shift>,
    /// How many entries do not differ.
    pub unchanged: usize,
    /// The date of the facts about resource types.
    pub table: Option<String>,
    /// What is not compared, in words: macros.
    pub notes: Vec<String>,
}

impl Plan<'_, '_> {
    /// Whether nothing differs but the order of lists.
    pub fn is_same(&self) -> bool {
        self.changes.iter().all(|change| change.kind == ChangeKind::OrderOnly)
    }

    /// The changes of resources, with what happens to each.
    pub fn resources(&self) -> impl Iterator<Item = (&Change<'_, '_>, &ResourceChange<'_>)> {
        self.changes.iter().filter_map(|change| Some((change, change.resource.as_ref()?)))
    }
}

/// Compares two expanded templates.
pub fn plan<'p, 't>(old: &'p Side<'t>, new: &'p Side<'t>, settings: Settings<'_>) -> Plan<'p, 't> {
    plan_within(old, new, settings, &[])
}

/// Compares two expanded templates, of which some values change for reasons outside of them.
pub fn plan_within<'p, 't>(
    old: &'p Side<'t>,
    new: &'p Side<'t>,
    settings: Settings<'_>,
    outside: &[Outside],
) -> Plan<'p, 't> {
    let mut plan = Plan { table: settings.facts.map(|facts| facts.date().to_owned()), ..Plan::default() };
    for section in Section::ALL {
        let (before, after) = (old.members(section), new.members(section));
        if section == Section::Resources {
            resources((before, after), settings, outside, &mut plan);
        } else {
            others(section, before, after, settings, &mut plan);
        }
    }
    plan
}

/// An entry on both sides; `None` when it does not differ.
fn both<'p, 't>(
    section: Section,
    old: &'p Member<'t>,
    new: &'p Member<'t>,
    comparison: Comparison<'_, 't>,
) -> Option<Change<'p, 't>> {
    let properties = differences(&old.value, &new.value, comparison);
    if properties.is_empty() {
        return None;
    }
    let is_order = properties.iter().all(|property| property.kind == PropertyKind::OrderOnly);
    let kind = if is_order { ChangeKind::OrderOnly } else { ChangeKind::Changed };
    let because = properties.iter().flat_map(|property| property.because.clone()).collect();
    Some(Change { properties, because, ..Change::new(kind, section, new.id) })
}

fn others<'p, 't>(
    section: Section,
    old: &'p [Member<'t>],
    new: &'p [Member<'t>],
    settings: Settings<'_>,
    plan: &mut Plan<'p, 't>,
) {
    let renames: Renames<'t> = plan_renames(plan);
    let comparison = Comparison { strict_types: settings.strict_types, renames: &renames, secrets: settings.secrets };
    let before: FxHashMap<&str, &Member<'t>> = old.iter().map(|member| (member.id, member)).collect();
    let after: FxHashSet<&str> = new.iter().map(|member| member.id).collect();
    for member in new {
        match before.get(member.id) {
            Some(was) => match both(section, was, member, comparison) {
                Some(change) => plan.changes.push(change),
                None => plan.unchanged += 1,
            },
            None => plan.changes.push(Change::new(ChangeKind::Added, section, member.id)),
        }
    }
    let gone = old.iter().filter(|member| !after.contains(member.id));
    plan.changes.extend(gone.map(|member| Change::new(ChangeKind::Removed, section, member.id)));
}

/// The renaming by what moved for certain.
fn plan_renames<'t>(plan: &Plan<'_, 't>) -> Renames<'t> {
    let moved = plan.changes.iter().filter(|change| change.kind == ChangeKind::Moved);
    moved.filter_map(|change| Some((change.old_id?, change.id))).collect()
}

fn resources<'p, 't>(
    (old, new): (&'p [Member<'t>], &'p [Member<'t>]),
    settings: Settings<'_>,
    outside: &[Outside],
    plan: &mut Plan<'p, 't>,
) {
    let facts = settings.facts;
    let before: FxHashMap<&str, &'p Member<'t>> = old.iter().map(|member| (member.id, member)).collect();
    let after: FxHashSet<&str> = new.iter().map(|member| member.id).collect();
    let gone: Vec<&'p Member<'t>> = old.iter().filter(|member| !after.contains(member.id)).collect();
    let came: Vec<&'p Member<'t>> = new.iter().filter(|member| !before.contains_key(member.id)).collect();
    let moves = moves::find(&gone, &came, settings.strict_types);
    let renames: Renames<'t> = moves
        .iter()
        .filter(|pair| !pair.is_likely)
        .filter_map(|pair| Some((gone.get(pair.old)?.id, came.get(pair.new)?.id)))
        .collect();
    let comparison = Comparison { strict_types: settings.strict_types, renames: &renames, secrets: settings.secrets };
    plan.shifts = shifts::find(old, new);
    let old_of: FxHashMap<&str, (&'p Member<'t>, bool)> = moves
        .iter()
        .filter_map(|pair| Some((came.get(pair.new)?.id, (*gone.get(pair.old)?, pair.is_likely))))
        .collect();
    let moved_away: FxHashSet<&str> = moves.iter().filter_map(|pair| Some(gone.get(pair.old)?.id)).collect();
    let mut found = Vec::new();
    for member in new {
        if let Some(was) = before.get(member.id) {
            let Some(change) = both(Section::Resources, was, member, comparison) else { continue };
            let mut change = Change { type_name: Some(member.kind()), ..change };
            action::set_effects(member.kind(), &mut change.properties, facts);
            action::decide(&mut change, was, member, facts);
            if let Some(resource) = &mut change.resource {
                resource.grants = grants::broadened(Some(&was.value), &member.value, member.kind(), facts);
            }
            found.push(change);
        } else if let Some((was, is_likely)) = old_of.get(member.id) {
            found.push(moved(was, member, *is_likely, settings, comparison));
        } else {
            let mut resource = action::whole(Action::Create, "added");
            resource.grants = grants::broadened(None, &member.value, member.kind(), facts);
            found.push(Change {
                type_name: Some(member.kind()),
                resource: Some(resource),
                ..Change::new(ChangeKind::Added, Section::Resources, member.id)
            });
        }
    }
    for member in gone.iter().filter(|member| !moved_away.contains(member.id)) {
        let (action, policy, data) = data::of_removed(member, facts);
        let resource = ResourceChange { policy: Some(policy), data, ..action::whole(action, "removed") };
        found.push(Change {
            type_name: Some(member.kind()),
            resource: Some(resource),
            ..Change::new(ChangeKind::Removed, Section::Resources, member.id)
        });
    }
    follow::follow(old, new, &mut found, facts, outside);
    let order: FxHashMap<&str, usize> = new.iter().enumerate().map(|(at, member)| (member.id, at)).collect();
    found.sort_by_key(|change| order.get(change.id).copied().unwrap_or(usize::MAX));
    let kept = new.iter().filter(|member| before.contains_key(member.id)).count();
    let listed = found.iter().filter(|change| before.contains_key(change.id) && after.contains(change.id)).count();
    plan.unchanged += kept.saturating_sub(listed);
    mark_shifts(plan, &mut found);
    plan.changes.extend(found);
}

fn moved<'p, 't>(
    old: &'p Member<'t>,
    new: &'p Member<'t>,
    is_likely: bool,
    settings: Settings<'_>,
    comparison: Comparison<'_, 't>,
) -> Change<'p, 't> {
    let facts = settings.facts;
    let mut properties = if is_likely { differences(&old.value, &new.value, comparison) } else { Vec::new() };
    action::set_effects(new.kind(), &mut properties, facts);
    let (_, policy, data) = data::of_removed(old, facts);
    let mut resource = ResourceChange { policy: Some(policy), data, ..action::whole(Action::Replace, "moved") };
    resource.grants = grants::broadened(Some(&old.value), &new.value, new.kind(), facts);
    Change {
        old_id: Some(old.id),
        type_name: Some(new.kind()),
        properties,
        resource: Some(resource),
        ..Change::new(if is_likely { ChangeKind::LikelyMoved } else { ChangeKind::Moved }, Section::Resources, new.id)
    }
}

/// Marks the resources that only a shift renames.
fn mark_shifts(plan: &Plan<'_, '_>, found: &mut [Change<'_, '_>]) {
    let ids: FxHashSet<&str> = plan
        .shifts
        .iter()
        .flat_map(|shift| shift.pairs.iter().flat_map(|pair| [pair.old.as_str(), pair.new.as_str()]))
        .collect();
    for change in found {
        let is_shifted = ids.contains(change.id);
        if let Some(resource) = &mut change.resource {
            resource.is_shifted = is_shifted;
        }
    }
}
