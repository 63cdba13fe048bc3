//! Lists from the strings of list parameters (reference/parameters.md#empty-list).

use formwork_syntax::{Kind, NodeId, Origin, Style};
use formwork_template::ParameterType;

use super::Linker;

impl Linker<'_> {
    /// Returns `true` for the list from the empty string of a list parameter, which has no items for a loop
    /// (reference/parameters.md#empty-list).
    pub(super) fn is_empty_text(&self, list: NodeId) -> bool {
        self.values.split.empty.contains(&list) || self.parameters.is_empty_text(self.tree, list)
    }

    pub(super) fn split_at_commas(&mut self, value: NodeId) -> NodeId {
        let text = self.tree.text_form(value).to_owned();
        let origin = Origin::Authored(self.tree.span(value));
        let items: Vec<NodeId> = ParameterType::split(&text)
            .map(|item| self.tree.scalar(Kind::String, Style::Plain, item, origin))
            .collect();
        let list = self.tree.list(&items, Style::Plain, origin);
        if text.trim().is_empty() {
            self.values.split.empty.insert(list);
        }
        list
    }
}
