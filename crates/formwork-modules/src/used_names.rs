//! Removal of unused conditions and mappings of modules (reference/modules/conditions.md#used-names,
//! reference/modules/conditions.md#mappings), and of functions that must not remain.

use formwork_base::{IdMap, IdSet};
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Symbol, Tree, symbol};
use formwork_template::without::without;

use super::instance::InstanceId;
use super::names::Names;
use super::{Linked, Linker};

impl Linker<'_> {
    pub(super) fn with_used_names(&mut self, root: NodeId) -> NodeId {
        let checked = self.checked_conditions();
        if self.emitted.conditions.is_empty() && self.emitted.mappings.is_empty() && checked.is_empty() {
            return root;
        }
        let mut names = Names::default();
        for section in [symbol::RESOURCES, symbol::OUTPUTS, symbol::CONDITIONS] {
            let Some(section) = self.tree.get(root, section) else { continue };
            if self.tree.kind(section) == Kind::Call {
                names.add_below(self.tree, section);
            }
            for entry in self.tree.entries(section) {
                if let Some(condition) = self.tree.get(entry.value, symbol::CONDITION) {
                    names.add(self.tree, symbol::CONDITIONS, self.tree.text(condition));
                }
                names.add_below(self.tree, entry.value);
            }
        }
        for entry in &checked {
            names.add_below(self.tree, entry.value);
        }
        // An added condition may refer to others.
        let mut at = 0;
        while let Some(&(section, name)) = names.found.get(at) {
            if let Some(&body) = self.emitted.conditions.get(&name).filter(|_| section == symbol::CONDITIONS) {
                names.add_below(self.tree, body);
            }
            at += 1;
        }
        names.add_if_unknown(&self.emitted.mappings_in_order);
        let root = self.with_section(root, symbol::MAPPINGS, &names.of(symbol::MAPPINGS, &self.emitted.mappings), &[]);
        self.with_section(root, symbol::CONDITIONS, &names.of(symbol::CONDITIONS, &self.emitted.conditions), &checked)
    }

    fn with_section(&mut self, root: NodeId, name: Symbol, added: &[(Symbol, NodeId)], checked: &[Entry]) -> NodeId {
        if added.is_empty() && checked.is_empty() {
            return root;
        }
        let title = self.tree.name(name).to_owned();
        let mut entries: Vec<Entry> = self.tree.entries(root).collect();
        let at = entries.iter().position(|entry| self.tree.symbol(entry.key) == name);
        let own = at.map(|at| entries[at].value).filter(|&node| matches!(self.tree.kind(node), Kind::Map | Kind::Call));
        let mut members = own.map_or_else(Vec::new, |own| self.members_of_body(own));
        let count = members.len();
        for &(full, body) in added {
            let full_name = self.tree.name(full).to_owned();
            let Some(known) = own.and_then(|own| self.tree.member(own, full)) else {
                let origin = Origin::Generated(body, self.tree.frame_of(body));
                members.push(Entry { key: self.tree.key(&full_name, Style::Plain, origin), value: body });
                continue;
            };
            if !self.tree.same_data(known.value, body) {
                self.report_conflict(title.trim_end_matches('s'), full, (known.key, InstanceId::ROOT), body);
            }
        }
        if name == symbol::MAPPINGS {
            self.emitted.result.mappings.extend(members[count..].iter().map(|entry| entry.key));
        } else {
            self.emitted.result.conditions.extend(members[count..].iter().map(|entry| entry.key));
        }
        members.extend_from_slice(checked);
        self.emitted.result.made.extend(checked.iter().map(|entry| entry.key));
        self.emitted.result.checked.extend(checked.iter().map(|entry| entry.key));
        let origin = Origin::Generated(root, FrameId::NONE);
        let value = match own {
            Some(own) => self.map_in_place(own, &members, FrameId::NONE),
            None => self.tree.map(&members, Style::Plain, origin),
        };
        if let Some(at) = at {
            entries[at].value = value;
        } else {
            let key = self.tree.key(&title, Style::Plain, origin);
            let behind = [symbol::CONDITIONS, symbol::RESOURCES, symbol::OUTPUTS];
            self.insert_section(&mut entries, Entry { key, value }, &behind);
        }
        self.map_in_place(root, &entries, FrameId::NONE)
    }

    /// Adds a section that the template does not have, before the first of `behind`.
    pub(super) fn insert_section(&self, sections: &mut Vec<Entry>, section: Entry, behind: &[Symbol]) {
        let at = sections.iter().position(|entry| behind.contains(&self.tree.symbol(entry.key)));
        sections.insert(at.unwrap_or(sections.len()), section);
    }
}

/// Returns the keys of the conditions of modules that nothing in the evaluated sections uses, and of those that are
/// only checked: they are in no output.
pub fn unused_conditions(tree: &Tree, sections: &[Entry], linked: &Linked) -> IdSet<NodeId> {
    if linked.conditions.is_empty() {
        return linked.checked.iter().copied().collect();
    }
    let mut names = Names::default();
    let mut bodies = IdMap::default();
    for section in sections {
        let is_conditions = tree.symbol(section.key) == symbol::CONDITIONS;
        if tree.kind(section.value) != Kind::Map
            || ![symbol::RESOURCES, symbol::OUTPUTS, symbol::CONDITIONS].contains(&tree.symbol(section.key))
        {
            names.add_below(tree, section.value);
            continue;
        }
        for entry in tree.entries(section.value).filter(|entry| !linked.checked.contains(&entry.key)) {
            if linked.conditions.contains(&entry.key) {
                bodies.insert(tree.symbol(entry.key), entry.value);
                continue;
            }
            if let Some(condition) = tree.get(entry.value, symbol::CONDITION).filter(|_| !is_conditions) {
                names.add(tree, symbol::CONDITIONS, tree.text(condition));
            }
            names.add_below(tree, entry.value);
        }
    }
    let mut at = 0;
    while let Some(&(section, name)) = names.found.get(at) {
        if let Some(&body) = bodies.get(&name).filter(|_| section == symbol::CONDITIONS) {
            names.add_below(tree, body);
        }
        at += 1;
    }
    let is_unused = |key: &NodeId| !names.seen.contains(&(symbol::CONDITIONS, tree.symbol(*key)));
    linked.conditions.iter().copied().filter(is_unused).chain(linked.checked.iter().copied()).collect()
}

/// Returns a template without the conditions that are in no output, and without the mappings of modules that nothing in
/// `used`, the evaluated template, looks up.
pub fn finish(tree: &mut Tree, root: NodeId, used: NodeId, linked: &Linked) -> NodeId {
    let sections: Vec<Entry> = tree.entries(used).collect();
    let unused = unused_conditions(tree, &sections, linked);
    let used = without(tree, used, symbol::CONDITIONS, |_, key| unused.contains(&key));
    let root = without(tree, root, symbol::CONDITIONS, |_, key| unused.contains(&key));
    if linked.mappings.is_empty() {
        return root;
    }
    let mut names = Names::default();
    names.add_below(tree, used);
    without(tree, root, symbol::MAPPINGS, |tree, key| {
        let is_used = names.has_unknown_mapping || names.seen.contains(&(symbol::MAPPINGS, tree.symbol(key)));
        linked.mappings.contains(&key) && !is_used
    })
}
