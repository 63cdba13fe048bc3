//! Assignment of new entries and elements to the authored ones of a collection.

use std::rc::Rc;

use formwork_base::Span;

use super::Editor;
use crate::tree::{Entry, Kind, NodeId, Style, Symbol, Tree, flags, symbol};
use crate::write::out::Recorder;
use crate::yaml::adapter::Gap;

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Start of the text: the key, `?` or dash.
    pub(super) start: u32,
    pub(super) key: Option<NodeId>,
    pub(super) is_call: bool,
    pub(super) value: NodeId,
    pub(super) end: u32,
    /// In block style, the column of `start`, and the end of the line of `end`.
    pub(super) column: i32,
    pub(super) line_end: u32,
}

impl Segment {
    /// Returns the authored entry; for elements the key is the value.
    pub(super) fn entry(&self) -> Entry {
        Entry { key: self.key.unwrap_or(self.value), value: self.value }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Group<'g> {
    /// New entries; for elements the key is the value.
    pub(super) members: &'g [Entry],
    pub(super) foreign: &'g [Entry],
}

#[derive(Clone, Debug)]
pub(super) struct Groups {
    members: Vec<Entry>,
    /// Twice the number of its unit for each entry, plus one when it comes from elsewhere. In ascending order.
    tags: Vec<u32>,
}

impl Groups {
    fn sort(&mut self) {
        if !self.tags.is_sorted() {
            let tags = self.tags.iter().copied();
            let mut tagged: Vec<(u32, Entry)> = tags.zip(self.members.iter().copied()).collect();
            tagged.sort_by_key(|(tag, _)| *tag);
            (self.tags, self.members) = tagged.into_iter().unzip();
        }
    }

    pub(super) fn iter(&self) -> Runs<'_> {
        Runs { members: &self.members, tags: &self.tags, tag: 0 }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Runs<'g> {
    members: &'g [Entry],
    tags: &'g [u32],
    tag: u32,
}

impl<'g> Runs<'g> {
    fn run(&mut self) -> &'g [Entry] {
        let mut len = 0;
        while self.tags.get(len) == Some(&self.tag) {
            len += 1;
        }
        self.tag += 1;
        self.tags = &self.tags[len..];
        let (run, rest) = self.members.split_at(len);
        self.members = rest;
        run
    }
}

impl<'g> Iterator for Runs<'g> {
    type Item = Group<'g>;

    fn next(&mut self) -> Option<Group<'g>> {
        let members = self.run();
        Some(Group { members, foreign: self.run() })
    }
}

impl<R: Recorder> Editor<'_, '_, R> {
    pub(super) fn units_of(&mut self, node: NodeId) -> Rc<[Segment]> {
        if let Some(known) = self.segments.get(&node) {
            return Rc::clone(known);
        }
        let mut units = if self.tree.kind(node) == Kind::List { self.list_units(node) } else { self.map_units(node) };
        if !self.is_flow(node) {
            for unit in &mut units {
                unit.column = self.column(unit.start);
                unit.line_end = self.line_end(unit.end);
            }
        }
        let units: Rc<[Segment]> = units.into();
        if self.repeats {
            self.segments.insert(node, Rc::clone(&units));
        }
        units
    }

    /// Returns the entries of an authored mapping or long call, including merge keys and those that a later one
    /// replaced.
    fn map_units(&self, node: NodeId) -> Vec<Segment> {
        let tree = self.tree;
        let first = tree.span(node).start();
        let is_flow = self.is_flow(node);
        let mut units = Vec::with_capacity(tree.len(node) + tree.merges(node).len());
        let is_edited = tree.has(node, flags::EDITED);
        let mut add = |entry: Entry, is_call: bool| {
            let key = tree.span(entry.key);
            let start = if is_flow {
                key.start()
            } else {
                let own = if units.is_empty() { first.min(key.start()) } else { key.start() };
                self.explicit_key(key.start()).unwrap_or(own)
            };
            let end = tree.site(entry.value).end().max(key.end());
            let (key, value) = (Some(entry.key), entry.value);
            units.push(Segment { start, key, is_call, value, end, column: 0, line_end: end });
        };
        let entries = || tree.entries(node).filter(|entry| !tree.is_alias(entry.key));
        let call =
            (tree.kind(node) == Kind::Call).then(|| Entry { key: tree.call_name(node), value: tree.call(node).1 });
        let own = call.into_iter().chain(entries());
        let is_call = |entry: Entry| call.is_some_and(|call| call.key == entry.key);
        if is_edited {
            let mut all: Vec<Entry> = own.chain(tree.merges(node).iter().copied()).chain(tree.lost_of(node)).collect();
            all.sort_by_key(|entry| tree.span(entry.key).start());
            for entry in all {
                add(entry, is_call(entry));
            }
        } else {
            own.for_each(|entry| add(entry, is_call(entry)));
        }
        units
    }

    fn explicit_key(&self, key: u32) -> Option<u32> {
        let before = self.line_before(key).trim_end_matches([' ', '\t']);
        let mark = before.strip_suffix('?')?;
        let full = self.line_before(key);
        let alone = mark.is_empty() || mark.ends_with([' ', '\t']);
        alone.then(|| key - (full.len() - mark.len()) as u32)
    }

    fn list_units(&self, node: NodeId) -> Vec<Segment> {
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
                Segment { start, key: None, is_call: false, value: item, end, column: 0, line_end: end }
            })
            .collect()
    }

    /// Assigns each entry of the new collection to the unit it came from.
    pub(super) fn groups(&self, units: &[Segment], new: NodeId) -> Groups {
        self.assigned(units, |tree, members| match tree.kind(new) {
            // The name of a call from elsewhere is the authored one here.
            Kind::Call => {
                let (name, value) = (tree.call_name(new), tree.call(new).1);
                let own = units.iter().find(|unit| unit.is_call).and_then(|unit| unit.key);
                let own = own.filter(|&own| tree.symbol(own) == tree.symbol(name));
                members.push(Entry { key: own.unwrap_or(name), value });
            }
            Kind::List => members.extend(tree.items(new).iter().map(|&item| Entry { key: item, value: item })),
            _ => members.extend(tree.entries(new)),
        })
    }

    pub(super) fn assign(&self, units: &[Segment], members: &[Entry]) -> Groups {
        self.assigned(units, |_, all| all.extend_from_slice(members))
    }

    fn assigned(&self, units: &[Segment], fill: impl FnOnce(&Tree, &mut Vec<Entry>)) -> Groups {
        let mut groups = Groups { members: Vec::with_capacity(units.len()), tags: Vec::new() };
        fill(self.tree, &mut groups.members);
        groups.tags.reserve(groups.members.len());
        let mut current = 0;
        for member in &groups.members {
            groups.tags.push(match self.unit_of(units, current, member.key) {
                Some(unit) if unit >= current => {
                    current = unit;
                    2 * unit as u32
                }
                _ => 2 * current as u32 + 1,
            });
        }
        groups.sort();
        groups
    }

    /// Returns the unit whose text contains a key, most often `near` or the next one.
    fn unit_of(&self, units: &[Segment], near: usize, key: NodeId) -> Option<usize> {
        let tree = self.tree;
        let span = if tree.is_alias(key) { tree.site(key) } else { tree.span(key) };
        let holds = |at: usize| {
            let unit = units.get(at)?;
            let is_last = units.get(at + 1).is_none_or(|next| next.start > span.start());
            (unit.start <= span.start() && is_last).then_some(at)
        };
        let search = || units.partition_point(|unit| unit.start <= span.start()).checked_sub(1);
        let at = holds(near).or_else(|| holds(near + 1)).or_else(search)?;
        let unit = &units[at];
        Span::new(unit.start, unit.end).contains(span).then_some(at)
    }

    /// Returns the number of copies by the first iteration, of those that a loop generates in place of a unit.
    pub(super) fn first_iteration(&self, unit: &Segment, members: &[Entry]) -> usize {
        let site = unit.key.map(|key| self.tree.span(key)).unwrap_or_default();
        let iteration = |entry: &Entry| self.tree.frames().at_site(self.tree.frame_of(entry.key), site);
        let mut of_each = members.iter().map(iteration);
        let Some(first) = of_each.next() else { return 0 };
        of_each.position(|one| one != first).map_or(members.len(), |more| more + 1)
    }

    pub(super) fn is_in_place(&self, unit: &Segment, member: Entry) -> bool {
        match unit.key {
            Some(key) => !self.tree.is_alias(member.key) && self.tree.authored(member.key) == key,
            None => true,
        }
    }

    pub(super) fn is_flow(&self, node: NodeId) -> bool {
        self.is_json || self.tree.style(node) == Style::Flow
    }

    pub(super) fn is_spliced(&self, unit: &Segment) -> bool {
        let name: Option<Symbol> = unit.key.map(|key| self.tree.symbol(key));
        name.is_some_and(|name| [symbol::FN_MERGE, symbol::FN_MAP].contains(&name))
    }
}
