//! Planning: from two sides to a list of changes.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::action;
use crate::change::{Action, Change, ChangeKind, PropertyKind, ResourceChange};
use crate::compare::differences;
use crate::comparison::Comparison;
use crate::data;
use crate::definitions::Definitions;
use crate::exports;
use crate::facts::Facts;
use crate::follow;
use crate::grants;
use crate::moves;
use crate::outside::Outside;
use crate::possible::{self, Pair};
use crate::publications;
use crate::references::Renames;
use crate::shifts::{self, Shift};
use crate::ways::{EntryWays, Unknown, Way, Ways};
use formwork_template::Section;
use formwork_template::side::{Member, SECTIONS, Side};
use formwork_template::value::Value;

/// Settings of a comparison of two sides.
#[derive(Clone, Copy, Default)]
pub struct Settings<'s> {
    /// Set when `1` and `"1"` differ.
    pub strict_types: bool,
    /// Facts about resource types, without which no effect is known.
    pub facts: Option<&'s dyn Facts>,
    /// Secret parameters with another value on both sides.
    pub secrets: &'s [String],
}

impl std::fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("strict_types", &self.strict_types).finish_non_exhaustive()
    }
}

/// The effect of a changed template on a stack.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan<'p, 't> {
    /// Changes by section and in the order of the document; removed entries come last. Those of nested stacks come
    /// after their resource.
    pub changes: Vec<Change<'p, 't>>,
    /// Loops whose IDs hold other items than before.
    pub shifts: Vec<Shift>,
    /// Number of entries that do not differ.
    pub unchanged: usize,
    /// Date of the facts about resource types.
    pub table: Option<String>,
    /// Parts that are not compared, in words: macros.
    pub notes: Vec<String>,
}

impl Plan<'_, '_> {
    /// Returns `true` if nothing differs but the order of lists.
    pub fn is_same(&self) -> bool {
        self.changes.iter().all(|change| change.kind == ChangeKind::OrderOnly)
    }

    /// Returns the changes of resources.
    pub fn resources(&self) -> impl Iterator<Item = (&Change<'_, '_>, &ResourceChange<'_>)> {
        self.changes.iter().filter_map(|change| Some((change, change.resource.as_ref()?)))
    }
}

/// Compares two expanded templates.
pub fn plan<'p, 't>(old: &'p Side<'t>, new: &'p Side<'t>, settings: Settings<'_>) -> Plan<'p, 't> {
    plan_within(old, new, settings, &[], None)
}

/// Compares two expanded templates, of which some values change for reasons outside of them. `ways` has the forms of
/// entries under unknown values, as far as they were enumerated.
pub fn plan_within<'p, 't>(
    old: &'p Side<'t>,
    new: &'p Side<'t>,
    settings: Settings<'_>,
    outside: &[Outside],
    ways: Option<&'p Ways<'t>>,
) -> Plan<'p, 't> {
    let definitions = Definitions::between(old, new, outside, settings.strict_types);
    let mut plan = Plan { table: settings.facts.map(|facts| facts.date().to_owned()), ..Plan::default() };
    plan.notes.extend(ways.iter().flat_map(|ways| ways.notes.iter().cloned()));
    for section in SECTIONS {
        let renames: Renames<'t> = plan_renames(&plan);
        let comparison = Comparison {
            strict_types: settings.strict_types,
            renames: &renames,
            secrets: settings.secrets,
            definitions: Some(&definitions),
            resources: None,
        };
        let entries = Entries { section, comparison, definitions: &definitions, facts: settings.facts, ways, outside };
        let (before, after) = (old.members(section), new.members(section));
        if section == Section::Resources {
            resources((before, after), settings, entries, &mut plan);
        } else {
            others(before, after, entries, &mut plan);
        }
    }
    exports::mark(old, outside, (&mut plan.changes, &mut plan.unchanged));
    plan
}

#[derive(Clone, Copy)]
struct Entries<'x, 'p, 't> {
    section: Section,
    comparison: Comparison<'x, 't>,
    definitions: &'x Definitions<'t>,
    facts: Option<&'x dyn Facts>,
    ways: Option<&'p Ways<'t>>,
    outside: &'x [Outside],
}

impl<'p, 't> Entries<'_, 'p, 't> {
    /// Returns the ways of an entry. Where a name changes for reasons outside, each side has a value of its own, which
    /// the ways do not cover.
    fn ways(&self, id: &'t str) -> Option<&'p EntryWays<'t>> {
        let found = self.ways?.entries.get(&(self.section, id))?;
        let is_outside = |unknown: &Unknown| self.outside.iter().any(|one| one.name == unknown.name);
        (!found.unknowns.iter().any(is_outside)).then_some(found)
    }

    fn known(&self) -> (Option<&dyn Facts>, Comparison<'_, 't>) {
        (self.facts, self.comparison)
    }

    fn change(&self, pair: Pair<'p, 't>) -> Option<Change<'p, 't>> {
        let id = pair.1.or(pair.0)?.id;
        let ways = self.ways(id).filter(|_| matches!(self.section, Section::Resources | Section::Outputs));
        let cases = match self.section {
            Section::Resources | Section::Outputs => possible::cases(pair, ways, self.definitions),
            _ => return self.certain(pair),
        };
        let kind = match pair {
            (Some(_), Some(_)) => Some(ChangeKind::Changed),
            _ => None,
        };
        let outcomes: Vec<_> = cases.into_iter().map(|case| case.outcome(|pair| self.certain(pair))).collect();
        let kind = kind.filter(|_| outcomes.len() > 1);
        let is_order = |change: &Change<'_, '_>| change.kind == ChangeKind::OrderOnly;
        let kind = kind.filter(|_| outcomes.iter().filter_map(|(change, _)| change.as_ref()).any(|one| !is_order(one)));
        possible::joined(outcomes, kind, ways)
    }

    /// Returns the change of an entry whose form is certain.
    fn certain(&self, pair: Pair<'p, 't>) -> Option<Change<'p, 't>> {
        let is_resource = self.section == Section::Resources;
        match pair {
            (Some(old), Some(new)) => {
                let change = both(self.section, old, new, self.comparison)?;
                if !is_resource {
                    return Some(exports::changed(change, old, new));
                }
                let mut change = Change { type_name: Some(new.kind()), ..change };
                action::set_effects(new.kind(), &mut change.properties, self.facts);
                action::decide(&mut change, old, new, self.facts);
                if let Some(resource) = &mut change.resource {
                    resource.grants = grants::broadened(Some(&old.value), &new.value, new.kind(), self.known());
                }
                Some(change)
            }
            (None, Some(new)) if is_resource => {
                let mut change = possible::created(new);
                if let Some(resource) = &mut change.resource {
                    resource.grants = grants::broadened(None, &new.value, new.kind(), self.known());
                }
                Some(change)
            }
            (None, Some(new)) => Some(Change::new(ChangeKind::Added, self.section, new.id)),
            (Some(old), None) if is_resource => Some(possible::removed(old, self.facts)),
            (Some(old), None) => Some(exports::removed(Change::new(ChangeKind::Removed, self.section, old.id), old)),
            (None, None) => None,
        }
    }
}

/// Returns `true` if an entry of Resources or Outputs may differ under some values.
pub(crate) fn differs<'t>(
    section: Section,
    pair: (Option<&Member<'t>>, Option<&Member<'t>>),
    definitions: &Definitions<'t>,
    strict_types: bool,
) -> bool {
    let renames = Renames::default();
    let comparison =
        Comparison { strict_types, renames: &renames, secrets: &[], definitions: Some(definitions), resources: None };
    let cases = possible::cases(pair, None, definitions);
    cases.into_iter().any(|case| match case.pair {
        (Some(old), Some(new)) => both(section, old, new, comparison).is_some(),
        (None, None) => false,
        _ => true,
    })
}

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

fn others<'p, 't>(old: &'p [Member<'t>], new: &'p [Member<'t>], entries: Entries<'_, 'p, 't>, plan: &mut Plan<'p, 't>) {
    let before: FxHashMap<&str, &Member<'t>> = old.iter().map(|member| (member.id, member)).collect();
    let after: FxHashSet<&str> = new.iter().map(|member| member.id).collect();
    for member in new {
        match entries.change((before.get(member.id).copied(), Some(member))) {
            Some(change) => plan.changes.push(change),
            None => plan.unchanged += 1,
        }
    }
    let gone = old.iter().filter(|member| !after.contains(member.id));
    plan.changes.extend(gone.filter_map(|member| entries.change((Some(member), None))));
}

/// Returns the renaming by resources that moved for certain.
fn plan_renames<'t>(plan: &Plan<'_, 't>) -> Renames<'t> {
    let is_renamed = |change: &&Change<'_, '_>| change.kind == ChangeKind::Moved || publications::is_one(change);
    let moved = plan.changes.iter().filter(is_renamed);
    moved.filter_map(|change| Some((change.old_id?, change.id))).collect()
}

fn resources<'p, 't>(
    (old, new): (&'p [Member<'t>], &'p [Member<'t>]),
    settings: Settings<'_>,
    entries: Entries<'_, 'p, 't>,
    plan: &mut Plan<'p, 't>,
) {
    let facts = settings.facts;
    let before: FxHashMap<&str, &'p Member<'t>> = old.iter().map(|member| (member.id, member)).collect();
    let after: FxHashSet<&str> = new.iter().map(|member| member.id).collect();
    let gone: Vec<&'p Member<'t>> = old.iter().filter(|member| !after.contains(member.id)).collect();
    let came: Vec<&'p Member<'t>> = new.iter().filter(|member| !before.contains_key(member.id)).collect();
    let published = publications::find(&gone, &came);
    let (gone, came) = (published.others(gone), published.others(came));
    let moves = moves::find(&gone, &came, settings.strict_types);
    let renames: Renames<'t> = moves
        .iter()
        .filter(|pair| !pair.is_likely)
        .filter_map(|pair| Some((gone.get(pair.old)?.id, came.get(pair.new)?.id)))
        .chain(published.renames())
        .collect();
    let comparison = Comparison { renames: &renames, ..entries.comparison };
    let entries = Entries { comparison, ..entries };
    plan.shifts = shifts::find(old, new);
    let old_of: FxHashMap<&str, (&'p Member<'t>, bool)> = moves
        .iter()
        .filter_map(|pair| Some((came.get(pair.new)?.id, (*gone.get(pair.old)?, pair.is_likely))))
        .collect();
    let moved_away: FxHashSet<&str> = moves.iter().filter_map(|pair| Some(gone.get(pair.old)?.id)).collect();
    let mut found = Vec::new();
    for member in new {
        if let Some(change) = published.change(member) {
            found.push(change);
        } else if let Some((was, is_likely)) = old_of.get(member.id) {
            found.push(moved(was, member, *is_likely, settings, comparison));
        } else {
            found.extend(entries.change((before.get(member.id).copied(), Some(member))));
        }
    }
    let gone = gone.into_iter().filter(|member| !moved_away.contains(member.id));
    found.extend(gone.filter_map(|member| entries.change((Some(member), None))));
    may_have_moved((old, new), entries, &mut found);
    follow::follow(old, new, &mut found, facts, entries.outside);
    let order: FxHashMap<&str, usize> = new.iter().enumerate().map(|(at, member)| (member.id, at)).collect();
    found.sort_by_key(|change| order.get(change.id).copied().unwrap_or(usize::MAX));
    let kept = new.iter().filter(|member| before.contains_key(member.id)).count();
    let listed = found.iter().filter(|change| before.contains_key(change.id) && after.contains(change.id)).count();
    plan.unchanged += kept.saturating_sub(listed);
    mark_shifts(plan, &mut found);
    plan.changes.extend(found);
}

/// Marks an entry that is removed under some values and may be the one that is added under the same values: for
/// CloudFormation a replacement.
fn may_have_moved<'p, 't>(
    (old, new): (&'p [Member<'t>], &'p [Member<'t>]),
    entries: Entries<'_, 'p, 't>,
    found: &mut [Change<'p, 't>],
) {
    const MOST: usize = 20_000;
    let may = |found: &[Change<'p, 't>], wanted: fn(Action) -> bool| -> FxHashSet<&'t str> {
        let is_one = |change: &&Change<'p, 't>| {
            let possible = change.resource.iter().flat_map(super::change::ResourceChange::possible);
            change.old_id.is_none() && possible.into_iter().any(|one| wanted(one.action))
        };
        found.iter().filter(is_one).map(|change| change.id).collect()
    };
    let came = may(found, |action| matches!(action, Action::MayCreate | Action::Create));
    let gone = may(found, |action| matches!(action, Action::MayDelete | Action::Delete | Action::Orphan));
    if came.is_empty() || gone.is_empty() {
        return;
    }
    let variants = |members: &'p [Member<'t>], ids: &FxHashSet<&str>, is_old: bool| -> Vec<(Member<'t>, bool)> {
        let mut list = Vec::new();
        for member in members.iter().filter(|member| ids.contains(member.id)) {
            let ways = entries.ways(member.id).map_or(&[][..], |ways| &ways.ways);
            let of_way = |way: &'p Way<'t>| if is_old { way.old.as_ref() } else { way.new.as_ref() };
            let (first, is_open) = (list.len(), !ways.is_empty() || member.value.has_call());
            for one in ways.iter().filter_map(of_way).chain([member]) {
                let mut one = one.clone();
                if let Value::Map(members) = &mut one.value {
                    members.retain(|(key, _)| *key != "Condition");
                }
                let known = list.get(first..).unwrap_or_default();
                if !known.iter().any(|(known, _): &(Member<'t>, bool)| known.value == one.value) {
                    list.push((one, is_open));
                }
            }
        }
        list
    };
    let (gone, came) = (variants(old, &gone, true), variants(new, &came, false));
    let resources: FxHashSet<&'t str> = old.iter().chain(new).map(|member| member.id).collect();
    let comparison = Comparison { definitions: None, resources: Some(&resources), ..entries.comparison };
    let mut compared = 0;
    for (now, is_open) in &came {
        for (was, was_open) in gone.iter().filter(|(was, _)| was.kind() == now.kind() && was.id != now.id) {
            // Certain changes were paired before.
            if !is_open && !was_open {
                continue;
            }
            compared += 1;
            if compared <= MOST && !moves::may_match(was, now, comparison) {
                continue;
            }
            let change = found.iter_mut().find(|change| change.id == now.id);
            if let Some(resource) = change.and_then(|change| change.resource.as_mut()) {
                resource.add_possible(possible::moved(was, entries.facts));
            }
        }
    }
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
    resource.grants = grants::broadened(Some(&old.value), &new.value, new.kind(), (facts, comparison));
    Change {
        old_id: Some(old.id),
        type_name: Some(new.kind()),
        properties,
        resource: Some(resource),
        ..Change::new(if is_likely { ChangeKind::LikelyMoved } else { ChangeKind::Moved }, Section::Resources, new.id)
    }
}

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
