//! Loops whose logical IDs depend on the position: an item that is inserted or removed renames those after it.

use rustc_hash::FxHashMap;

use crate::change::Place;
use formwork_template::side::{Iteration, Member, Site};

/// A loop whose IDs hold other items than before (FW1210).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shift {
    /// Name of the loop.
    pub loop_name: String,
    /// Names of the nested stacks around it, outermost first.
    pub stack: Vec<String>,
    /// New items, with their positions from 0.
    pub inserted: Vec<(String, u32)>,
    /// Removed items, with their old positions.
    pub removed: Vec<(String, u32)>,
    /// IDs that hold another item, in the order of the new side.
    pub ids: Vec<String>,
    /// Items with another ID than before.
    pub pairs: Vec<ShiftedId>,
    /// The key as it is written in the template.
    pub key: String,
    /// The key to write instead; empty for the uses of a module, which are named by their position.
    pub instead: String,
    /// The authored body of the first of `ids`, and its place.
    pub key_place: Option<Place>,
    /// Place of the collection.
    pub collection_place: Option<Place>,
}

/// An item that has another ID than before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShiftedId {
    /// The old ID.
    pub old: String,
    /// The new ID.
    pub new: String,
    /// Resource type.
    pub type_name: String,
    /// Items of all loops around it.
    pub item: String,
}

/// Returns `true` for the site of a body of a loop, which what a transform adds does not have.
fn is_in_loop(site: &Site) -> bool {
    !site.iterations.is_empty() && !site.body.is_empty()
}

/// The content of an ID: the authored body, and the items of all loops around it.
type Holding<'m> = (&'m str, Vec<&'m str>);

fn holding(site: &Site) -> Holding<'_> {
    (&site.body, site.iterations.iter().map(|iteration| iteration.item.as_str()).collect())
}

/// Returns the entry for each content that only one ID holds.
fn ids<'m, 't>(members: &'m [Member<'t>]) -> FxHashMap<Holding<'m>, &'m Member<'t>> {
    let mut found: FxHashMap<Holding<'m>, Option<&'m Member<'t>>> = FxHashMap::default();
    for member in members {
        if let Some(site) = member.site.as_deref().filter(|site| is_in_loop(site)) {
            found.entry(holding(site)).and_modify(|known| *known = None).or_insert(Some(member));
        }
    }
    found.into_iter().filter_map(|(holding, member)| Some((holding, member?))).collect()
}

/// Finds the loops of which an ID holds another item than before, while that item has another ID now.
pub(crate) fn find<'t>(old: &[Member<'t>], new: &[Member<'t>]) -> Vec<Shift> {
    let (before, after) = (ids(old), ids(new));
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let old_by_id: FxHashMap<&str, &Site> =
        old.iter().filter_map(|member| Some((member.id, member.site.as_deref()?))).collect();
    let mut found: Vec<(String, Shift)> = Vec::new();
    for member in new {
        let Some(site) = member.site.as_deref().filter(|site| is_in_loop(site)) else { continue };
        let Some(was) = old_by_id.get(member.id).filter(|was| was.body == site.body) else { continue };
        if holding(was) == holding(site) {
            continue;
        }
        // The old item of this ID has another ID now, or the new item of this ID had another ID.
        let moved_on = after.get(&holding(was)).is_some_and(|now| now.id != member.id);
        let came_from = before.get(&holding(site)).is_some_and(|then| then.id != member.id);
        if !moved_on && !came_from {
            continue;
        }
        let at = loop_of(was, site);
        let group = group_of(site, at);
        if !found.iter().any(|(known, _)| *known == group) {
            found.push((group.clone(), begin(old, new, site, at)));
        }
        if let Some((_, shift)) = found.iter_mut().find(|(known, _)| *known == group) {
            shift.ids.push(member.id.to_owned());
        }
    }
    for (group, shift) in &mut found {
        shift.pairs = pairs(new, &before, group);
    }
    found.into_iter().map(|(_, shift)| shift).filter(|shift| !shift.pairs.is_empty()).collect()
}

fn loop_of(was: &Site, site: &Site) -> usize {
    let differs = |(a, b): (&Iteration, &Iteration)| a.item != b.item;
    was.iterations.iter().zip(&site.iterations).position(differs).unwrap_or_default()
}

/// Returns one key for all bodies of a loop: its name with those around it.
fn group_of(site: &Site, at: usize) -> String {
    let names = site.iterations.iter().take(at + 1).map(|iteration| iteration.loop_name.as_str());
    names.collect::<Vec<_>>().join("/")
}

fn begin(old: &[Member<'_>], new: &[Member<'_>], site: &Site, at: usize) -> Shift {
    let items = |members: &[Member<'_>]| {
        let mut items: Vec<(String, u32)> = Vec::new();
        let sites = members.iter().filter_map(|member| member.site.as_deref());
        for iteration in
            sites.filter(|other| group_of(other, at) == group_of(site, at)).filter_map(|other| other.iterations.get(at))
        {
            let item = (iteration.item.clone(), iteration.index);
            if !items.contains(&item) {
                items.push(item);
            }
        }
        items
    };
    let (before, after) = (items(old), items(new));
    let without = |items: &[(String, u32)], others: &[(String, u32)]| {
        let is_there = |item: &(String, u32)| others.iter().any(|(other, _)| *other == item.0);
        items.iter().filter(|item| !is_there(item)).cloned().collect::<Vec<_>>()
    };
    let iteration = site.iterations.get(at);
    Shift {
        loop_name: iteration.map(|iteration| iteration.loop_name.clone()).unwrap_or_default(),
        inserted: without(&after, &before),
        removed: without(&before, &after),
        key: site.key.clone(),
        instead: iteration
            .filter(|iteration| !iteration.is_module)
            .map(|iteration| instead(&site.key, &iteration.variable))
            .unwrap_or_default(),
        ..Shift::default()
    }
}

/// Replaces the number in a key by the item: `Queue${Index}` becomes `Queue${Value}`.
fn instead(key: &str, variable: &str) -> String {
    let item = format!("${{{variable}}}");
    let placeholder = |mark: char| {
        let start = key.find(&format!("{mark}{{"))?;
        let end = key.get(start..)?.find('}')? + start + 1;
        Some((start, end))
    };
    if key.contains(&item) || key.contains(&format!("&{{{variable}}}")) {
        return key.to_owned();
    }
    match placeholder('$').or_else(|| placeholder('&')) {
        Some((start, end)) => {
            format!("{}{item}{}", key.get(..start).unwrap_or_default(), key.get(end..).unwrap_or_default())
        }
        None => format!("{key}{item}"),
    }
}

fn pairs<'m, 't>(
    new: &'m [Member<'t>],
    before: &FxHashMap<Holding<'m>, &'m Member<'t>>,
    group: &str,
) -> Vec<ShiftedId> {
    let mut found = Vec::new();
    for member in new {
        let Some(site) = member.site.as_deref() else { continue };
        let depth = group.split('/').count();
        if site.iterations.len() < depth || group_of(site, depth - 1) != group {
            continue;
        }
        let Some(was) = before.get(&holding(site)).filter(|was| was.id != member.id) else { continue };
        if was.kind() == member.kind() {
            found.push(ShiftedId {
                old: was.id.to_owned(),
                new: member.id.to_owned(),
                type_name: member.kind().to_owned(),
                item: holding(site).1.join(", "),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_values::{in_loop, side};
    use formwork_template::Section;

    fn shifts(old: &[&str], new: &[&str]) -> Vec<Shift> {
        let make = |items: &[&str]| {
            let body = |(at, item): (usize, &&str)| {
                format!(r#""Queue{at}": {{"Type": "AWS::SQS::Queue", "Properties": {{"QueueName": "{item}"}}}}"#)
            };
            let bodies: Vec<String> = items.iter().enumerate().map(body).collect();
            let mut made = side(&format!(r#"{{"Resources": {{{}}}}}"#, bodies.join(", ")));
            let ids: Vec<String> = (0..items.len()).map(|at| format!("Queue{at}")).collect();
            let rows: Vec<(&str, &str, u32)> =
                ids.iter().zip(items).enumerate().map(|(at, (id, item))| (id.as_str(), *item, at as u32)).collect();
            in_loop(&mut made, "Queues", "Queue${Index}", &rows);
            made
        };
        let (old, new) = (make(old), make(new));
        find(old.members(Section::Resources), new.members(Section::Resources))
    }

    #[test]
    fn an_item_in_front_shifts_the_others() {
        let found = shifts(&["a", "b", "c"], &["a", "c"]);
        assert_eq!(found.len(), 1);
        let shift = found.first().expect("one");
        assert_eq!((shift.loop_name.as_str(), shift.instead.as_str()), ("Queues", "Queue${Value}"));
        assert_eq!(shift.removed, [("b".to_owned(), 1)]);
        assert_eq!(shift.ids, ["Queue1"]);
        let pairs: Vec<_> = shift.pairs.iter().map(|pair| (pair.old.as_str(), pair.new.as_str())).collect();
        assert_eq!(pairs, [("Queue2", "Queue1")]);
        assert_eq!(shifts(&["a", "b"], &["x", "a", "b"]).first().expect("one").pairs.len(), 2);
    }

    #[test]
    fn items_at_the_end_shift_nothing() {
        assert!(shifts(&["a", "b"], &["a", "b", "c"]).is_empty());
        assert!(shifts(&["a", "b", "c"], &["a", "b"]).is_empty());
        assert!(shifts(&["a", "b"], &["a", "x"]).is_empty());
    }
}
