//! Functions that conditions cannot use (reference/structure.md#function-places).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View, flags};
use formwork_template::Section;

use crate::Context;

/// Reports `Fn::Base64`; functions that need a deployment are reported by `function_positions`.
pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    // The transform computes functions before CloudFormation reads conditions.
    if !cx.goal.is_thorough() || cx.language_extensions || cx.template.has_own_macros() {
        return;
    }
    let mut found: Vec<(Entry, NodeId)> = Vec::new();
    for condition in cx.judged(Section::Conditions) {
        let mut pending = vec![condition.value];
        while let Some(node) = pending.pop().filter(|_| !cx.is_cancelled()) {
            match tree.view(node) {
                _ if !tree.has(node, flags::HAS_CALL) => {}
                View::Call(Function::Known(Known::Base64), _) => found.push((condition, node)),
                _ => pending.extend(tree.child_nodes(node)),
            }
        }
    }
    for (condition, node) in found {
        let name = shown(tree.text(condition.key));
        let diagnostic = Diagnostic::new(
            codes::FUNCTION_NOT_ALLOWED,
            format!("condition {name} uses Fn::Base64, which is not allowed"),
        )
        .at(tree.span(node))
        .frames(tree.frame_chain(tree.frame_of(condition.key)))
        .help("compare the string itself, without the encoding");
        let severity = cx.severity_of(condition.key);
        cx.push(diagnostic, severity);
    }
}
