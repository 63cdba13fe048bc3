//! Conditions and mappings that a node uses.

use formwork_base::{IdMap, IdSet};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, Symbol, Tree, View, flags, symbol};
use formwork_template::reference;

use super::Linker;
use super::goal::Goal;
use super::instance::InstanceId;
use super::walk::walk;

#[derive(Default)]
pub(super) struct Names {
    /// The sections and names, each once, in order.
    pub(super) found: Vec<(Symbol, Symbol)>,
    pub(super) seen: IdSet<(Symbol, Symbol)>,
    visited: IdSet<NodeId>,
    operands: IdSet<NodeId>,
    /// Set when the name of a mapping is known only at deployment: it may be any.
    pub(super) has_unknown_mapping: bool,
}

impl Names {
    pub(super) fn add(&mut self, tree: &Tree, section: Symbol, name: &str) {
        // A name without a symbol does not occur in the tree.
        let named = tree.symbols().get(name).map(|name| (section, name));
        self.found.extend(named.filter(|&named| self.seen.insert(named)));
    }

    pub(super) fn add_below(&mut self, tree: &Tree, node: NodeId) {
        walk(tree, node, |node| {
            if let Some(name) = condition_named(tree, node) {
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

    pub(super) fn of(&self, section: Symbol, bodies: &IdMap<Symbol, NodeId>) -> Vec<(Symbol, NodeId)> {
        let names = self.found.iter().filter(|(known, _)| *known == section);
        names.filter_map(|&(_, name)| Some((name, *bodies.get(&name)?))).collect()
    }

    /// Adds all `mappings` of modules when any of them may be used.
    pub(super) fn add_if_unknown(&mut self, mappings: &[Symbol]) {
        if self.has_unknown_mapping {
            let named = mappings.iter().map(|&name| (symbol::MAPPINGS, name));
            self.found.extend(named.filter(|&named| self.seen.insert(named)));
        }
    }
}

impl Linker<'_> {
    /// Returns a section with the conditions that a value of the result uses: the template's own, and those of modules.
    /// `None` when it uses none.
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
}

pub(super) fn condition_named(tree: &Tree, node: NodeId) -> Option<NodeId> {
    reference::condition_named(tree, node).filter(|&name| tree.kind(node) != Kind::Map || tree.is_scalar(name))
}
