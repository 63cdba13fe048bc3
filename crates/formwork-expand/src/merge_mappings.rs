//! `Fn::Merge` in the Mappings section, with literal operands (reference/map-and-merge.md#map-places):
//! worked off before anything looks a mapping up.

use formwork_base::Diagnostics;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, Tree, View, flags, symbol};

use crate::merge;

/// The template with this root, its mappings merged.
pub fn merge_mappings(tree: &mut Tree, root: NodeId, diagnostics: &mut Diagnostics) -> NodeId {
    if tree.kind(root) != Kind::Map {
        return root;
    }
    let Some(section) = tree.member(root, symbol::MAPPINGS) else { return root };
    if !tree.has(section.value, flags::HAS_LOOP) {
        return root;
    }
    let mut merger = Merger { tree, diagnostics };
    let made = merger.value(section.value);
    tree.with_member(root, symbol::MAPPINGS, made)
}

struct Merger<'m> {
    tree: &'m mut Tree,
    diagnostics: &'m mut Diagnostics,
}

impl Merger<'_> {
    fn value(&mut self, node: NodeId) -> NodeId {
        if !self.tree.has(node, flags::HAS_LOOP) {
            return node;
        }
        match self.tree.view(node) {
            View::Map => self.object(node),
            View::Call(Function::Known(Known::Merge), argument) => {
                let name = self.tree.call_name(node);
                let operands = self.operands(name, argument);
                if !operands.is_empty() && operands.iter().all(|&operand| self.tree.kind(operand) == Kind::List) {
                    let items: Vec<NodeId> =
                        operands.iter().flat_map(|&operand| self.tree.items(operand).to_vec()).collect();
                    return self.tree.list(&items, Style::Plain, Origin::Generated(node, FrameId::NONE));
                }
                let mut entries = Vec::new();
                self.splice(name, &operands, &mut entries);
                self.check(name, &entries);
                self.tree.map(&entries, Style::Plain, Origin::Generated(node, FrameId::NONE))
            }
            // Other functions are reported where loops are looked at.
            _ => node,
        }
    }

    fn object(&mut self, node: NodeId) -> NodeId {
        let mut entries = Vec::with_capacity(self.tree.len(node));
        let mut merge = None;
        for entry in self.tree.entries(node).collect::<Vec<_>>() {
            if self.tree.symbol(entry.key) == symbol::FN_MERGE {
                let operands = self.operands(entry.key, entry.value);
                self.splice(entry.key, &operands, &mut entries);
                merge = Some(entry.key);
            } else {
                let value = self.value(entry.value);
                entries.push(Entry { key: entry.key, value });
            }
        }
        if let Some(name) = merge {
            self.check(name, &entries);
        }
        let style = self.tree.style(node);
        self.tree.map(&entries, style, Origin::Generated(node, FrameId::NONE))
    }

    /// The operands, their own merges worked off.
    fn operands(&mut self, name: NodeId, argument: NodeId) -> Vec<NodeId> {
        if self.tree.kind(argument) != Kind::List {
            self.report_operand(name, argument, "Fn::Merge has no list of operands");
            return Vec::new();
        }
        let operands = self.tree.items(argument).to_vec();
        operands.into_iter().map(|operand| self.value(operand)).collect()
    }

    fn splice(&mut self, name: NodeId, operands: &[NodeId], out: &mut Vec<Entry>) {
        for &operand in operands {
            match self.tree.kind(operand) {
                Kind::Map => out.extend(self.tree.entries(operand)),
                _ => self.report_operand(name, operand, "an operand of Fn::Merge is no literal object"),
            }
        }
    }

    fn check(&mut self, name: NodeId, entries: &[Entry]) {
        for (first, second) in merge::duplicates(self.tree, entries) {
            self.diagnostics.push(merge::duplicate(self.tree, entries[first].key, entries[second].key, name));
        }
    }

    fn report_operand(&mut self, name: NodeId, operand: NodeId, what: &str) {
        let diagnostic = merge::wrong_operand(self.tree, name, operand, what)
            .help("write `Fn::Merge: [{...}, {...}]`: in Mappings its operands are written out");
        self.diagnostics.push(diagnostic);
    }
}
