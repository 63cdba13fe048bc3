//! Outcomes for an entry under all unknown values: the gravest is its action (reference/plan.md#unknown).

use rustc_hash::FxHashSet;

use crate::action;
use crate::change::{Action, Change, ChangeKind, Data, Dependency, Possible, PropertyChange, ReplaceReason};
use crate::definitions::Definitions;
use crate::ways::EntryWays;
use formwork_template::side::Member;
use formwork_template::value::{Value, dotted};

pub(crate) type Pair<'p, 't> = (Option<&'p Member<'t>>, Option<&'p Member<'t>>);

pub(crate) struct Case<'p, 't> {
    pub(crate) pair: Pair<'p, 't>,
    assignments: Vec<&'p [usize]>,
}

/// Limit of properties of other cases that are listed behind those of the gravest one.
const MOST_PROPERTIES: usize = 50;

/// Returns all cases of an entry. Where its ways were not enumerated, an undecided condition holds or does not.
pub(crate) fn cases<'p, 't>(
    pair: Pair<'p, 't>,
    ways: Option<&'p EntryWays<'t>>,
    definitions: &Definitions<'t>,
) -> Vec<Case<'p, 't>> {
    let Some(ways) = ways else {
        let pairs = presences(pair, definitions).into_iter();
        return pairs.map(|pair| Case { pair, assignments: Vec::new() }).collect();
    };
    let of_way = ways.ways.iter().flat_map(|way| {
        let pairs = presences((way.old.as_ref(), way.new.as_ref()), definitions);
        let assignments: Vec<&[usize]> = way.assignments.iter().map(Vec::as_slice).collect();
        pairs.into_iter().map(move |pair| Case { pair, assignments: assignments.clone() })
    });
    of_way.collect()
}

/// Returns the possible presences of an entry, as far as its condition is decided, the fullest pair first.
fn presences<'p, 't>((old, new): Pair<'p, 't>, definitions: &Definitions<'t>) -> Vec<Pair<'p, 't>> {
    let open = |member: Option<&'p Member<'t>>| member.and_then(|member| member.value.get("Condition"));

    match (open(old), open(new)) {
        (None, None) => vec![(old, new)],
        (Some(a), Some(b)) if is_same_condition(a, b, definitions) => vec![(old, new), (None, None)],
        (Some(_), Some(_)) => vec![(old, new), (old, None), (None, new), (None, None)],
        (Some(_), None) => vec![(old, new), (None, new)],
        (None, Some(_)) => vec![(old, new), (old, None)],
    }
}

fn is_same_condition<'t>(old: &Value<'t>, new: &Value<'t>, definitions: &Definitions<'t>) -> bool {
    old == new && old.text().is_some_and(|name| !definitions.has_condition(name))
}

/// Joins all possible changes into one; `None` when nothing changes.
pub(crate) fn joined<'p, 't>(
    outcomes: Vec<(Option<Change<'p, 't>>, Vec<&'p [usize]>)>,
    kind: Option<ChangeKind>,
    ways: Option<&EntryWays<'t>>,
) -> Option<Change<'p, 't>> {
    if let [_] = outcomes.as_slice() {
        return outcomes.into_iter().next()?.0;
    }
    let strength = |change: Option<&Change<'_, '_>>| {
        change.map(|change| {
            let resource = change.resource.as_ref();
            let (action, data) = resource.map_or((Action::Update, Data::None), |it| (it.action, it.data));
            // An export counts as its deleted resource.
            (change.export.is_some(), action.gravity(), data)
        })
    };
    let gravest = outcomes.iter().map(|(change, _)| strength(change.as_ref())).max()??;
    let class = |change: Option<&Change<'_, '_>>| change.map(|change| (change.export.is_some(), change.action()));
    let first = outcomes.iter().position(|(change, _)| strength(change.as_ref()) == Some(gravest))?;
    let own = class(outcomes.get(first)?.0.as_ref());
    let (same, different): (Vec<_>, Vec<_>) = outcomes.iter().partition(|(change, _)| class(change.as_ref()) == own);
    let is_certain = different.is_empty();
    let assignments: Vec<&[usize]> = same.iter().flat_map(|(_, assignments)| assignments.iter().copied()).collect();
    let depends_on: Vec<Dependency> =
        ways.filter(|_| !is_certain).map(|ways| ways.dependencies(&assignments)).unwrap_or_default();
    let mut changes: Vec<Change<'p, 't>> = Vec::with_capacity(outcomes.len());
    let mut main = None;
    for (at, (change, _)) in outcomes.into_iter().enumerate() {
        match change {
            Some(change) if at == first => main = Some(change),
            change => changes.extend(change),
        }
    }
    let mut main = main?;
    if let Some(kind) = kind {
        main.kind = kind;
    }
    if !is_certain {
        weaken(&mut main, depends_on);
    }
    add(&mut main, changes);
    Some(main)
}

fn weaken(change: &mut Change<'_, '_>, depends_on: Vec<Dependency>) {
    let Some(resource) = &mut change.resource else { return };
    resource.depends_on = depends_on;
    if resource.action == Action::Replace {
        let paths = std::mem::take(&mut resource.replace_paths);
        resource.may_replace_paths.extend(paths);
        for property in &mut change.properties {
            property.effect = property.effect.uncertain(ReplaceReason::OpenValue);
        }
    }
    resource.action = resource.action.uncertain();
}

/// Adds the outcomes under other values: properties, grants, and the action on the resource.
fn add<'p, 't>(main: &mut Change<'p, 't>, others: Vec<Change<'p, 't>>) {
    let mut paths: FxHashSet<String> = main.properties.iter().map(|property| dotted(&property.path)).collect();
    for other in others {
        let uncertain = |property: PropertyChange<'p, 't>| PropertyChange {
            effect: property.effect.uncertain(ReplaceReason::OpenValue),
            ..property
        };
        for property in other.properties {
            if paths.len() < MOST_PROPERTIES && paths.insert(dotted(&property.path)) {
                main.properties.push(uncertain(property));
            }
        }
        if main.export.is_none() {
            main.export = other.export;
        }
        let (Some(resource), Some(other)) = (&mut main.resource, other.resource) else { continue };
        for grant in other.grants {
            if !resource.grants.contains(&grant) {
                resource.grants.push(grant);
            }
        }
        let action = other.action.uncertain();
        if action.gravity() > Action::Update.gravity() && (action, other.data) != (resource.action, resource.data) {
            resource.add_possible(Possible { action, data: other.data, policy: other.policy });
        }
    }
}

impl<'p, 't> Case<'p, 't> {
    pub(crate) fn outcome(
        self,
        change: impl FnOnce(Pair<'p, 't>) -> Option<Change<'p, 't>>,
    ) -> (Option<Change<'p, 't>>, Vec<&'p [usize]>) {
        (change(self.pair), self.assignments)
    }
}

pub(crate) fn moved<'t>(removed: &Member<'t>, facts: Option<&dyn crate::Facts>) -> Possible<'t> {
    let (_, policy, data) = crate::data::of_removed(removed, facts);
    Possible { action: Action::MayReplace, data, policy: Some(policy) }
}

pub(crate) fn created<'p, 't>(member: &'p Member<'t>) -> Change<'p, 't> {
    Change::of_resource(ChangeKind::Added, member.id, member.kind(), Action::Create, "added")
}

pub(crate) fn removed<'p, 't>(member: &'p Member<'t>, facts: Option<&dyn crate::Facts>) -> Change<'p, 't> {
    let (action, policy, data) = crate::data::of_removed(member, facts);
    let mut change = Change::of_resource(ChangeKind::Removed, member.id, member.kind(), action, "removed");
    if let Some(resource) = &mut change.resource {
        *resource = crate::change::ResourceChange { policy: Some(policy), data, ..action::whole(action, "removed") };
    }
    change
}
