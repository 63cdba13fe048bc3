//! Finding resources that moved to another logical ID.

use std::hash::Hasher as _;

use formwork_template::sub_string::{Part, parts};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::compare::differences;
use crate::comparison::Comparison;
use crate::references::Renames;
use formwork_template::side::Member;
use formwork_template::value::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    /// Index among the removed resources.
    pub(crate) old: usize,
    /// Index among the new resources.
    pub(crate) new: usize,
    /// Set when their bodies differ.
    pub(crate) is_likely: bool,
}

/// Limit of pairs that are compared leaf by leaf.
const COMPARED: usize = 20_000;

/// Share of equal leaves, in percent, from which a resource may have moved.
const LIKELY: usize = 85;

/// Pairs removed resources with new ones. Certain pairs are equal after renaming references by all certain pairs, the
/// largest bodies first; likely pairs have the same type, and the same authored body or nearly the same content.
pub(crate) fn find<'t>(gone: &[&Member<'t>], came: &[&Member<'t>], strict_types: bool) -> Vec<Move> {
    if gone.is_empty() || came.is_empty() {
        return Vec::new();
    }
    let mut found = certain(gone, came, strict_types);
    let renames: Renames<'t> =
        found.iter().filter_map(|pair| Some((gone.get(pair.old)?.id, came.get(pair.new)?.id))).collect();
    found.extend(likely(
        gone,
        came,
        &found,
        Comparison { strict_types, renames: &renames, secrets: &[], definitions: None, resources: None },
    ));
    found
}

/// Returns `true` if a resource may be another one under another logical ID, depending on unknown values.
pub(crate) fn may_match<'t>(old: &Member<'t>, new: &Member<'t>, comparison: Comparison<'_, 't>) -> bool {
    old.kind() == new.kind()
        && (differences(&old.value, &new.value, comparison).is_empty() || equal_leaves(old, new, comparison) >= LIKELY)
}

fn certain<'t>(gone: &[&Member<'t>], came: &[&Member<'t>], strict_types: bool) -> Vec<Move> {
    let (old_marks, new_marks) = (marks(gone), marks(came));
    let mut by_mark: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (at, mark) in new_marks.iter().enumerate().rev() {
        by_mark.entry(*mark).or_default().push(at);
    }
    let mut order: Vec<usize> = (0..gone.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(gone.get(at).map_or(0, |member| member.value.leaves())), at));
    let mut pairs = Vec::new();
    for old in order {
        let Some(candidates) = old_marks.get(old).and_then(|mark| by_mark.get_mut(mark)) else { continue };
        // Among equal bodies, prefer one of the same item, else the first.
        let items = |member: Option<&&Member<'t>>| -> Option<Vec<String>> {
            let site = member?.site.as_ref()?;
            Some(site.iterations.iter().map(|iteration| iteration.item.clone()).collect())
        };
        let wanted = items(gone.get(old));
        let best = candidates.iter().rposition(|&new| wanted.is_some() && wanted == items(came.get(new)));
        let at = best.or_else(|| candidates.len().checked_sub(1));
        pairs.extend(at.map(|at| Move { old, new: candidates.remove(at), is_likely: false }));
    }
    // A pair that does not hold is dropped, and the others are checked without its renaming.
    loop {
        let renames: Renames<'t> =
            pairs.iter().filter_map(|pair| Some((gone.get(pair.old)?.id, came.get(pair.new)?.id))).collect();
        let comparison =
            Comparison { strict_types, renames: &renames, secrets: &[], definitions: None, resources: None };
        let before = pairs.len();
        pairs.retain(|pair| {
            let members = gone.get(pair.old).zip(came.get(pair.new));
            members.is_some_and(|(old, new)| differences(&old.value, &new.value, comparison).is_empty())
        });
        if pairs.len() == before {
            return pairs;
        }
    }
}

/// Returns a hash of each body that does not depend on the logical IDs of the bodies themselves: references among them
/// count by the body that they lead to.
fn marks(members: &[&Member<'_>]) -> Vec<u64> {
    let mut marks = vec![0; members.len()];
    for _ in 0..3 {
        let known: FxHashMap<&str, u64> = members.iter().map(|member| member.id).zip(marks.iter().copied()).collect();
        for (mark, member) in marks.iter_mut().zip(members) {
            *mark = mark_of(&member.value, &known, true);
        }
    }
    marks
}

fn hashed(parts: &[u64], text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    for part in parts {
        hasher.write_u64(*part);
    }
    hasher.finish()
}

fn mark_of(value: &Value<'_>, known: &FxHashMap<&str, u64>, is_resource: bool) -> u64 {
    let name = |name: &str| known.get(name).map_or_else(|| hashed(&[1], name), |mark| hashed(&[2, *mark], ""));
    match value {
        Value::Null => 3,
        Value::List(items) => hashed(&items.iter().map(|item| mark_of(item, known, false)).collect::<Vec<_>>(), "list"),
        Value::Map(members) => members.iter().fold(4, |sum: u64, (key, value)| {
            let mark = if is_resource && *key == "DependsOn" {
                let names = value.elements().iter().filter_map(Value::text);
                names.fold(5, |sum: u64, dependency| sum.wrapping_add(name(dependency)))
            } else {
                mark_of(value, known, false)
            };
            sum.wrapping_add(hashed(&[mark], key))
        }),
        Value::Call("Ref", argument) if argument.text().is_some() => {
            hashed(&[name(argument.text().unwrap_or_default())], "Ref")
        }
        Value::Call("Fn::GetAtt", argument) => {
            let marks = argument.elements().iter().enumerate().map(|(at, part)| match part.text() {
                Some(id) if at == 0 => name(id),
                _ => mark_of(part, known, false),
            });
            hashed(&marks.collect::<Vec<_>>(), "Fn::GetAtt")
        }
        Value::Call("Fn::Sub", argument) => {
            let (text, rest) = match &**argument {
                Value::List(items) => (items.first().and_then(Value::text), items.get(1)),
                text => (text.text(), None),
            };
            let mut marks: Vec<u64> = rest.map(|rest| mark_of(rest, known, false)).into_iter().collect();
            for part in parts(text.unwrap_or_default()) {
                marks.push(match part {
                    Part::Text(text) => hashed(&[6], text),
                    Part::Literal(text) => hashed(&[8], text),
                    Part::Variable(placeholder) => {
                        let (id, attribute) = placeholder.split_once('.').unwrap_or((placeholder, ""));
                        hashed(&[name(id)], attribute)
                    }
                });
            }
            hashed(&marks, "Fn::Sub")
        }
        Value::Call(function, argument) => hashed(&[mark_of(argument, known, false)], function),
        scalar => hashed(&[7], scalar.text().unwrap_or_default()),
    }
}

fn likely<'t>(
    gone: &[&Member<'t>],
    came: &[&Member<'t>],
    certain: &[Move],
    comparison: Comparison<'_, 't>,
) -> Vec<Move> {
    let old_done: FxHashSet<usize> = certain.iter().map(|pair| pair.old).collect();
    let new_done: FxHashSet<usize> = certain.iter().map(|pair| pair.new).collect();
    let mut by_type: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, member) in came.iter().enumerate().filter(|(at, _)| !new_done.contains(at)) {
        by_type.entry(member.kind()).or_default().push(at);
    }
    // (equal leaves in percent, old, new)
    let mut candidates: Vec<(usize, usize, usize)> = Vec::new();
    let mut compared = 0;
    for (at, old) in gone.iter().enumerate().filter(|(at, _)| !old_done.contains(at)) {
        for &other in by_type.get(old.kind()).map(Vec::as_slice).unwrap_or_default() {
            compared += 1;
            if compared > COMPARED {
                break;
            }
            let Some(new) = came.get(other) else { continue };
            let percent = equal_leaves(old, new, comparison);
            let body = |member: &Member<'t>| {
                member.site.as_ref().map(|site| site.body.clone()).filter(|body| !body.is_empty())
            };
            let is_same_site = body(old).is_some() && body(old) == body(new);
            if percent >= LIKELY || is_same_site {
                candidates.push((percent, at, other));
            }
        }
    }
    candidates.sort_by_key(|&(percent, old, new)| (std::cmp::Reverse(percent), old, new));
    let (mut olds, mut news) = (FxHashSet::default(), FxHashSet::default());
    let mut found = Vec::new();
    for (_, old, new) in candidates {
        if !olds.contains(&old) && !news.contains(&new) {
            olds.insert(old);
            news.insert(new);
            found.push(Move { old, new, is_likely: true });
        }
    }
    found
}

/// Returns the percentage of leaves of the larger body that the other one has, too. The type alone does not count.
fn equal_leaves<'t>(old: &Member<'t>, new: &Member<'t>, comparison: Comparison<'_, 't>) -> usize {
    let (a, b) = (old.value.leaves(), new.value.leaves());
    let all = a.max(b).saturating_sub(1);
    if all == 0 {
        return 0;
    }
    let different: usize = differences(&old.value, &new.value, comparison)
        .iter()
        .map(|change| change.old.map_or(0, Value::leaves).max(change.new.map_or(0, Value::leaves)))
        .sum();
    all.saturating_sub(different) * 100 / all
}
