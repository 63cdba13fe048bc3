//! Consequences of replacements: references to a replaced resource change their value.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::action;
use crate::change::{Action, Change, ChangeKind, Effect, PropertyChange, PropertyKind, ReplaceReason};
use crate::facts::Facts;
use crate::outside::{self, Outside};
use crate::references;
use formwork_template::Section;
use formwork_template::side::Member;
use formwork_template::value::{Step, Value};

/// Users of each resource: index of the entry, path of the value, the value.
type Users<'p, 't> = FxHashMap<Cow<'t, str>, Vec<(usize, Vec<Step<'t>>, &'p Value<'t>)>>;

/// A name whose value changes at the deployment, how certain that is, and why.
type Target<'n> = (Cow<'n, str>, Action, Option<&'n str>);

/// Adds consequences until no more are found. `others` are values that change for reasons outside of the template.
pub(crate) fn follow<'p, 't>(
    old: &'p [Member<'t>],
    new: &'p [Member<'t>],
    changes: &mut Vec<Change<'p, 't>>,
    facts: Option<&dyn Facts>,
    others: &[Outside],
) {
    let replaced = |change: &Change<'p, 't>| {
        let is_own = matches!(change.kind, ChangeKind::Changed | ChangeKind::OrderOnly);
        let possible = change.resource.as_ref().into_iter().flat_map(super::change::ResourceChange::possible);
        let action = possible.map(|one| one.action).filter(|action| action.replaces()).max();
        action
            .filter(|_| is_own && change.section == Section::Resources)
            .map(|action| (Cow::Borrowed(change.id), action, None))
    };
    let mut pending: Vec<Target<'_>> = changes.iter().filter_map(replaced).collect();
    pending.extend(others.iter().map(|one| (Cow::Borrowed(one.name.as_str()), one.action, Some(one.because.as_str()))));
    if pending.is_empty() {
        return;
    }
    let users = users(new);
    let old_by_id: FxHashMap<&str, &Member<'t>> = old.iter().map(|member| (member.id, member)).collect();
    let mut by_id: FxHashMap<&str, usize> = FxHashMap::default();
    for (at, change) in changes.iter().enumerate() {
        if change.section == Section::Resources && matches!(change.kind, ChangeKind::Changed | ChangeKind::OrderOnly) {
            by_id.insert(change.id, at);
        }
    }
    let mut done: FxHashSet<(Cow<'_, str>, Action)> = FxHashSet::default();
    while let Some((target, action, because)) = pending.pop() {
        if !done.insert((target.clone(), action)) {
            continue;
        }
        let because = because.map_or_else(|| format!("replacement of {target}"), str::to_owned);
        for (user, path, value) in users.get(&*target).map(Vec::as_slice).unwrap_or_default() {
            let Some(member) = new.get(*user).filter(|member| *member.id != *target) else { continue };
            // A new resource refers to the values after the change.
            let Some(before) = old_by_id.get(member.id) else { continue };
            let at = *by_id.entry(member.id).or_insert_with(|| {
                changes.push(empty(member));
                changes.len() - 1
            });
            let Some(change) = changes.get_mut(at) else { continue };
            add(change, path, value, (&because, action), facts);
            let was = change.action();
            action::decide(change, before, member, facts);
            if let Some(now) = change.action().filter(|now| Some(*now) != was)
                && matches!(now, Action::Replace | Action::MayReplace)
            {
                pending.push((Cow::Borrowed(member.id), now, None));
            }
        }
    }
}

fn users<'p, 't>(new: &'p [Member<'t>]) -> Users<'p, 't> {
    let mut users: Users<'p, 't> = FxHashMap::default();
    for (at, member) in new.iter().enumerate() {
        if let Some(properties) = member.value.get("Properties") {
            collect(at, &mut vec![Step::Name("Properties")], properties, &mut users);
        }
    }
    users
}

fn collect<'p, 't>(at: usize, path: &mut Vec<Step<'t>>, value: &'p Value<'t>, users: &mut Users<'p, 't>) {
    match value {
        Value::Map(members) => {
            for (key, value) in members {
                path.push(Step::Name(key));
                collect(at, path, value, users);
                path.pop();
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                collect(at, path, item, users);
                path.pop();
            }
        }
        Value::Call(..) => {
            let mut names = Vec::new();
            references::each(value, &mut |name, attribute| {
                names.push(Cow::Borrowed(name));
                names.extend(outside::output(name, attribute).map(Cow::Owned));
            });
            names.sort_unstable();
            names.dedup();
            for name in names {
                users.entry(name).or_default().push((at, path.clone(), value));
            }
        }
        _ => {}
    }
}

fn empty<'p, 't>(member: &Member<'t>) -> Change<'p, 't> {
    let changed = Change::new(ChangeKind::Changed, Section::Resources, member.id);
    Change { type_name: Some(member.kind()), ..changed }
}

fn add<'p, 't>(
    change: &mut Change<'p, 't>,
    path: &[Step<'t>],
    value: &'p Value<'t>,
    (because, action): (&String, Action),
    facts: Option<&dyn Facts>,
) {
    if !change.because.contains(because) {
        change.because.push(because.clone());
    }
    let rest = path.get(1..).unwrap_or_default();
    let effect = facts.map_or(Effect::Unknown, |facts| facts.effect(change.type_name.unwrap_or_default(), rest, true));
    let effect = match (effect, action) {
        // A possible replacement of the target is a possible replacement here.
        (Effect::Replace(_), Action::MayReplace) => Effect::MayReplace(ReplaceReason::Conditional),
        (effect, _) => effect,
    };
    let known = change.properties.iter_mut().find(|known| path.starts_with(&known.path));
    match known {
        Some(known) => {
            if known.kind == PropertyKind::Reference {
                // The same reference may lead to a possible and to a certain replacement.
                known.effect = known.effect.max(effect);
            }
            if !known.because.contains(because) {
                known.because.push(because.clone());
            }
        }
        None => change.properties.push(PropertyChange {
            path: path.to_vec(),
            old_path: path.to_vec(),
            kind: PropertyKind::Reference,
            old: Some(value),
            new: Some(value),
            effect,
            may_be_same: false,
            because: vec![because.clone()],
            place: None,
            old_place: None,
        }),
    }
}
