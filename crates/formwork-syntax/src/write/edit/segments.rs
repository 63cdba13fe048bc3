//! Members and items of an authored collection, and what became of each.

use formwork_base::Span;

use super::Editor;
use crate::tree::{Entry, Kind, NodeId};
use crate::write::out::Recorder;
use crate::yaml::adapter::Gap;

/// A member of an authored map or an item of an authored list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Where its text begins: the key, `?` or dash.
    pub(super) start: u32,
    /// Its key; none for items.
    pub(super) key: Option<NodeId>,
    pub(super) value: NodeId,
    /// End of its text.
    pub(super) end: u32,
}

/// What stands in the new collection in the place of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// New members; for items the key is the value.
    pub(super) members: Vec<Entry>,
    /// Members from elsewhere that stand behind it.
    pub(super) foreign: Vec<Entry>,
}

impl<R: Recorder> Editor<'_, '_, R> {
    /// Members of an authored map or long call, merge keys included, in source order.
    pub(super) fn map_units(&self, node: NodeId) -> Vec<Segment> {
        let tree = self.tree;
        let mut entries: Vec<Entry> = match tree.kind(node) {
            Kind::Call => vec![Entry { key: tree.call_name(node), value: tree.call(node).1 }],
            _ => tree.entries(node).filter(|entry| !tree.is_alias(entry.key)).collect(),
        };
        if !tree.merges(node).is_empty() {
            entries.extend(tree.merges(node));
            entries.sort_by_key(|entry| tree.span(entry.key).start());
        }
        let first = tree.span(node).start();
        let is_flow = self.is_flow(node);
        entries
            .into_iter()
            .enumerate()
            .map(|(at, entry)| {
                let key = tree.span(entry.key);
                let start = if is_flow {
                    key.start()
                } else {
                    self.explicit_key(key.start()).unwrap_or(if at == 0 { first.min(key.start()) } else { key.start() })
                };
                let end = tree.site(entry.value).end().max(key.end());
                Segment { start, key: Some(entry.key), value: entry.value, end }
            })
            .collect()
    }

    /// The `?` before an explicit key.
    fn explicit_key(&self, key: u32) -> Option<u32> {
        let before = self.line_before(key).trim_end_matches([' ', '\t']);
        let mark = before.strip_suffix('?')?;
        let full = self.line_before(key);
        let alone = mark.is_empty() || mark.ends_with([' ', '\t']);
        (alone && before.len() < full.len()).then(|| key - (full.len() - mark.len()) as u32)
    }

    /// Items of an authored list, in source order.
    pub(super) fn list_units(&self, node: NodeId) -> Vec<Segment> {
        let tree = self.tree;
        let mut at = tree.span(node).start();
        let is_flow = self.is_flow(node);
        tree.items(node)
            .iter()
            .map(|&item| {
                let site = tree.site(item);
                let start = if is_flow {
                    site.start()
                } else {
                    let rest = self.text_behind(at);
                    at + Gap { text: rest }.first_dash(0) as u32
                };
                let end = site.end().max(if is_flow { start } else { start + 1 });
                at = end;
                Segment { start, key: None, value: item, end }
            })
            .collect()
    }

    /// Puts each member of the new collection to the unit it came from.
    pub(super) fn groups(&self, units: &[Segment], new: NodeId) -> Vec<Group> {
        let tree = self.tree;
        let members: Vec<Entry> = match tree.kind(new) {
            Kind::Call => vec![Entry { key: tree.call_name(new), value: tree.call(new).1 }],
            Kind::List => tree.items(new).iter().map(|&item| Entry { key: item, value: item }).collect(),
            _ => tree.entries(new).collect(),
        };
        self.assign(units, &members)
    }

    /// The same for the members that one iteration of a loop made.
    pub(super) fn assign(&self, units: &[Segment], members: &[Entry]) -> Vec<Group> {
        let mut groups = vec![Group::default(); units.len()];
        let mut current = 0;
        for &member in members {
            match self.unit_of(units, member.key).filter(|&unit| unit >= current) {
                Some(unit) => {
                    current = unit;
                    groups[unit].members.push(member);
                }
                None => groups[current].foreign.push(member),
            }
        }
        groups
    }

    fn unit_of(&self, units: &[Segment], key: NodeId) -> Option<usize> {
        let tree = self.tree;
        let span = if tree.is_alias(key) { tree.site(key) } else { tree.span(key) };
        let at = units.partition_point(|unit| unit.start <= span.start()).checked_sub(1)?;
        let unit = &units[at];
        Span::new(unit.start, unit.end).contains(span).then_some(at)
    }

    /// Whether a new member stands where the unit's own key stands.
    pub(super) fn is_in_place(&self, unit: &Segment, member: Entry) -> bool {
        match unit.key {
            Some(key) => !self.tree.is_alias(member.key) && self.tree.authored(member.key) == key,
            None => true,
        }
    }
}
