//! Conditions and mappings of modules that something in the result still names
//! (reference/modules/conditions.md#used-names, reference/modules/conditions.md#mappings), and functions
//! that must not be left.

use formwork_base::{IdMap, IdSet, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, Symbol, Tree, View, flags, symbol};
use formwork_template::without::without;

use super::conditions;
use super::goals::Goal;
use super::instance::InstanceId;
use super::walk::walk;
use super::{Linked, Linker};

/// Names of conditions and mappings that are used.
#[derive(Default)]
struct Names {
    /// Their sections and names, each once, in order.
    found: Vec<(Symbol, Symbol)>,
    seen: IdSet<(Symbol, Symbol)>,
    visited: IdSet<NodeId>,
    /// Operands of condition functions.
    operands: IdSet<NodeId>,
    /// Whether the name of a mapping is known only at deployment: it may be that of any.
    has_unknown_mapping: bool,
}

impl Names {
    fn add(&mut self, tree: &Tree, section: Symbol, name: &str) {
        // A name that is nowhere else is that of nothing.
        let named = tree.symbols().get(name).map(|name| (section, name));
        self.found.extend(named.filter(|&named| self.seen.insert(named)));
    }

    /// Adds those that a node and the nodes below it use.
    fn add_below(&mut self, tree: &Tree, node: NodeId) {
        walk(tree, node, |node| {
            if let Some(name) = conditions::condition_named(tree, node) {
                self.add(tree, symbol::CONDITIONS, tree.text(name));
                return false;
            }
            if let View::Call(Function::Known(known), argument) = tree.view(node) {
                let first = tree.items(argument).first().and_then(|&first| tree.string(first));
                match (known, first) {
                    (Known::If, Some(name)) => self.add(tree, symbol::CONDITIONS, name),
                    (Known::FindInMap, Some(name)) => self.add(tree, symbol::MAPPINGS, name),
                    (Known::FindInMap, None) => self.has_unknown_mapping = true,
                    // `{Condition: Name}` among operands is not a call.
                    (Known::And | Known::Or | Known::Not, _) => {
                        self.operands.insert(argument);
                    }
                    _ => {}
                }
            }
            let has_names = tree.has(node, flags::HAS_CALL) || self.operands.contains(&node);
            has_names && self.visited.insert(node)
        });
    }

    /// Those of a section that modules bring along.
    fn of(&self, section: Symbol, bodies: &IdMap<Symbol, NodeId>) -> Vec<(Symbol, NodeId)> {
        let names = self.found.iter().filter(|(known, _)| *known == section);
        names.filter_map(|&(_, name)| Some((name, *bodies.get(&name)?))).collect()
    }

    /// Adds those of all mappings that modules bring along where any of them may be meant.
    fn add_if_unknown(&mut self, mappings: &[Symbol]) {
        if self.has_unknown_mapping {
            let named = mappings.iter().map(|&name| (symbol::MAPPINGS, name));
            self.found.extend(named.filter(|&named| self.seen.insert(named)));
        }
    }
}

impl Linker<'_> {
    /// The root with the conditions and mappings that modules bring along.
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
        // A condition that came along may name others.
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

    /// A section with the conditions that a value of the result uses: the template's own, and those that modules
    /// bring along. Nothing when it uses none.
    pub(super) fn conditions_below(&mut self, value: NodeId) -> Option<NodeId> {
        let unrolled = self.values.agenda.unrolled.get(&Goal::Loops(InstanceId::ROOT));
        let root = unrolled.copied().and_then(Result::ok).unwrap_or(self.loaded.files[0].root);
        let own = self.tree.get(root, symbol::CONDITIONS);
        let mut names = Names::default();
        names.add_below(self.tree, value);
        let (mut entries, mut at) = (Vec::new(), 0);
        while let Some(&(section, name)) = names.found.get(at) {
            at += 1;
            let entry = own.and_then(|own| self.tree.member(own, name));
            let body = entry.map(|entry| entry.value).or_else(|| self.emitted.conditions.get(&name).copied());
            if let Some(body) = body.filter(|_| section == symbol::CONDITIONS) {
                names.add_below(self.tree, body);
                entries.push((name, entry, body));
            }
        }
        if entries.is_empty() {
            return None;
        }
        let origin = Origin::Generated(value, self.tree.frame_of(value));
        let entry = |(name, entry, value): (Symbol, Option<Entry>, NodeId)| {
            let name = self.tree.name(name).to_owned();
            entry.unwrap_or_else(|| Entry { key: self.tree.key(&name, Style::Plain, origin), value })
        };
        let entries: Vec<Entry> = entries.into_iter().map(entry).collect();
        Some(self.tree.map(&entries, Style::Plain, origin))
    }

    /// The root with entries added to a section.
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

    /// Reports the name of a condition or mapping that has two meanings in the result: what is declared at `at`, and
    /// what a module adds. Once for each name.
    pub(super) fn report_conflict(&mut self, what: &str, name: Symbol, at: (NodeId, InstanceId), other: NodeId) {
        if !self.emitted.conflicts.insert(name) {
            return;
        }
        let full = shown(self.tree.name(name));
        let message = format!("the name {full} has two meanings: `{what} name conflict: {full}`");
        let help = "rename it here, or rename the import that its name begins with";
        let (key, scope) = at;
        let diagnostic = self
            .fault(codes::MODULE_NAME, key, message, help)
            .label("declared here with another meaning")
            .related(self.tree.span(other), "a module adds this one");
        self.report(scope, diagnostic);
    }

    /// Adds a section that the template does not have, before the first of those that follow it.
    pub(super) fn insert_section(&self, sections: &mut Vec<Entry>, section: Entry, behind: &[Symbol]) {
        let at = sections.iter().position(|entry| behind.contains(&self.tree.symbol(entry.key)));
        sections.insert(at.unwrap_or(sections.len()), section);
    }
}

/// Returns the keys of the conditions of modules that nothing in the evaluated sections uses, and of those that are there
/// to be checked: they are in no output.
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

/// Returns a template without the conditions that are in no output, and without the mappings of modules
/// that nothing in `used` looks up: the evaluated template.
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
