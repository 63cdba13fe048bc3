//! Objects and lists in place of authored ones.

use formwork_syntax::{NodeId, Origin, Style};

use super::Expander;
use super::produced::GeneratedEntries;

impl Expander<'_, '_> {
    pub(super) fn object(&mut self, node: NodeId, members: &GeneratedEntries) -> NodeId {
        let style = self.style_of(node);
        self.ev.tree.map(&members.entries, style, Origin::Generated(node, self.frame))
    }

    pub(super) fn list_of(&mut self, node: NodeId, items: &[NodeId]) -> NodeId {
        let style = self.style_of(node);
        self.ev.tree.list(items, style, Origin::Generated(node, self.frame))
    }

    pub(super) fn style_of(&self, node: NodeId) -> Style {
        if self.ev.tree.style(node) == Style::Flow { Style::Flow } else { Style::Plain }
    }

    pub(super) fn list(&mut self, node: NodeId, items: &[NodeId]) -> NodeId {
        if self.ev.tree.items(node) == items {
            return node;
        }
        let style = self.ev.tree.style(node);
        self.ev.tree.list(items, style, Origin::Generated(node, self.frame))
    }
}
