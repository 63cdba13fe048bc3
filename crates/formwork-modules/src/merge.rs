//! Evaluation of `Fn::Merge` as a value in a module document (reference/modules/functions.md#merge).

use formwork_base::codes;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Origin, Style};

use formwork_loops::merge;

use super::Linker;
use super::instance::InstanceId;
use super::stop::Value;

impl Linker<'_> {
    pub(super) fn evaluate_merge(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let made = self.evaluate_root_value(argument, "Fn::Merge", scope)?;
        let operands = self.tree.items(made).to_vec();
        // An Fn::Map among them generates operands when the loops are expanded.
        let waits = operands.iter().any(|&operand| self.tree.argument_of(operand, Known::Map).is_some());
        if waits || self.tree.kind(made) != Kind::List {
            return Ok(Some(self.call_in_place(node, made, self.values.frame(scope))));
        }
        let frame = self.frame_at(node, scope);
        if let Some(odd) = merge::odd(self.tree, &operands) {
            return self.wrong_operand(odd, node, scope);
        }
        let depth = self.limits.depth;
        let merged = operands.into_iter().reduce(|one, other| merge::deep(self.tree, one, other, (node, frame), depth));
        Ok(Some(match merged {
            Some(merged) => self.tree.stand_in(merged, node, frame),
            None => self.tree.map(&[], Style::Flow, Origin::Generated(node, frame)),
        }))
    }

    fn wrong_operand(&mut self, operand: NodeId, merge: NodeId, scope: InstanceId) -> Value {
        let what = super::report::describe_kind(self.tree, operand);
        let (code, sentence, help) = if self.tree.kind(operand) == Kind::Call {
            let sentence = "Fn::Merge could not be resolved locally: it is not known before deployment";
            let help = "merge literal maps or lists, parameters of a module, or outputs";
            (codes::LOCAL_FUNCTION, sentence, help)
        } else {
            let sentence = "Fn::Merge requires a list of objects";
            (codes::MERGE_OPERANDS, sentence, "merge maps with maps, or lists with lists")
        };
        let message = format!("an operand of Fn::Merge is {what}: `{sentence}`");
        let diagnostic = self.error(code, operand, message, help).related(self.tree.span(merge), "merged here");
        self.wrong(scope, diagnostic)
    }
}
