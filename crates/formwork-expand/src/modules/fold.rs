//! `Fn::Select` and `Fn::Join` of known parts (spec modules.md, section 15.3).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Kind, NodeId};

use super::Linker;
use super::evaluate::Value;
use super::instance::Scope;

impl Linker<'_> {
    pub(super) fn evaluate_select(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let Value::Node(made) = self.evaluate(argument, scope) else { return Value::Poison };
        let kept = self.call_in_place(node, made, self.frame(scope));
        let &[index, list] = self.tree.items(made) else { return Value::Node(kept) };
        if self.tree.kind(list) != Kind::List || !self.tree.is_scalar(index) {
            return Value::Node(kept);
        }
        let Ok(at) = self.tree.text_form(index).parse::<usize>() else { return Value::Node(kept) };
        if let Some(&item) = self.tree.items(list).get(at) {
            return Value::Node(item);
        }
        let count = self.tree.len(list);
        let diagnostic = Diagnostic::new(
            codes::SELECT_RANGE,
            format!(
                "the list has no item {at}: `Template error: Fn::Select  cannot select nonexistent value at index {at}`"
            ),
        )
        .at(self.tree.span(node))
        .note(format!("the list has {count} items, counted from 0"))
        .help("correct the index");
        self.report(scope, diagnostic);
        Value::Poison
    }

    pub(super) fn evaluate_join(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let Value::Node(made) = self.evaluate(argument, scope) else { return Value::Poison };
        let kept = self.call_in_place(node, made, self.frame(scope));
        let &[delimiter, list] = self.tree.items(made) else { return Value::Node(kept) };
        for item in self.tree.items(list).to_vec() {
            let name = self.inserted.get(&item).map(|inserted| self.tree.name(inserted.name).to_owned());
            if let Some((import, output)) = name.as_deref().and_then(|name| name.rsplit_once('.'))
                && self.is_undecided(item, import, output, node, scope)
            {
                return Value::Poison;
            }
        }
        let items = self.tree.items(list);
        let is_known = self.tree.kind(list) == Kind::List
            && self.tree.is_scalar(delimiter)
            && items.iter().all(|&item| self.tree.is_scalar(item));
        if !is_known {
            return Value::Node(kept);
        }
        let parts: Vec<&str> = items.iter().map(|&item| self.tree.text_form(item)).collect();
        let text = parts.join(self.tree.text_form(delimiter));
        if !self.charge(text.len(), node, scope) {
            return Value::Poison;
        }
        let frame = self.frame(scope);
        Value::Node(self.text_in_place(node, &text, frame))
    }
}
