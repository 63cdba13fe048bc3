//! Expansion of `Fn::Merge` with literal operands in the `Mappings` section (reference/map-and-merge.md#map-places),
//! before any look-up in a mapping.

use formwork_base::Diagnostics;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, Tree, View, flags, symbol};

use crate::merge;

/// Returns the template with this root, its mappings merged.
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
        let (entries, style): (Vec<Entry>, Style) = match self.tree.view(node) {
            View::Map => (self.tree.entries(node).collect(), self.tree.style(node)),
            View::Call(Function::Known(Known::Merge), value) => {
                (vec![Entry { key: self.tree.call_name(node), value }], Style::Plain)
            }
            // Other functions are reported where loops are checked.
            _ => return node,
        };
        let (mut made, mut merge) = (Vec::with_capacity(entries.len()), None);
        for Entry { key, value } in entries {
            if self.tree.symbol(key) != symbol::FN_MERGE {
                made.push(Entry { key, value: self.value(value) });
                continue;
            }
            let operands = self.operands(key, value);
            let is_list = |&operand: &NodeId| self.tree.kind(operand) == Kind::List;
            if self.tree.kind(node) == Kind::Call && !operands.is_empty() && operands.iter().all(is_list) {
                let items: Vec<NodeId> =
                    operands.iter().flat_map(|&operand| self.tree.items(operand)).copied().collect();
                return self.tree.list(&items, Style::Plain, Origin::Generated(node, FrameId::NONE));
            }
            self.splice(key, &operands, &mut made);
            merge = Some(key);
        }
        if let Some(name) = merge {
            for (first, second) in merge::duplicates(self.tree, &made) {
                self.diagnostics.push(merge::duplicate(self.tree, made[first].key, made[second].key, name));
            }
        }
        self.tree.map(&made, style, Origin::Generated(node, FrameId::NONE))
    }

    fn operands(&mut self, name: NodeId, argument: NodeId) -> Vec<NodeId> {
        if self.tree.kind(argument) != Kind::List {
            self.report_operand(name, argument, "Fn::Merge is not a list of operands");
            return Vec::new();
        }
        let operands = self.tree.items(argument).to_vec();
        operands.into_iter().map(|operand| self.value(operand)).collect()
    }

    fn splice(&mut self, name: NodeId, operands: &[NodeId], out: &mut Vec<Entry>) {
        for &operand in operands {
            match self.tree.kind(operand) {
                Kind::Map => out.extend(self.tree.entries(operand)),
                _ => self.report_operand(name, operand, "an operand of Fn::Merge is not a literal object"),
            }
        }
    }

    fn report_operand(&mut self, name: NodeId, operand: NodeId, what: &str) {
        let diagnostic = merge::wrong_operand(self.tree, name, operand, what)
            .help("write `Fn::Merge: [{...}, {...}]`: in Mappings its operands must be literal");
        self.diagnostics.push(diagnostic);
    }
}
