//! Objects whose only key is `Condition` (reference/conditions.md#condition-objects): CloudFormation's transform takes
//! them for a reference wherever they are.

use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Kind, NodeId, symbol};
use formwork_template::Section;

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    // A quick test that most templates fail.
    if !cx.language_extensions || !cx.tree.has_key(symbol::CONDITION) {
        return;
    }
    for section in [Section::Resources, Section::Outputs] {
        let Some(section) = cx.template.section(cx.tree, section) else { continue };
        // The entry itself may have a condition and nothing else.
        let mut pending: Vec<NodeId> = Vec::new();
        for member in cx.tree.entries(section) {
            pending.extend(cx.tree.child_nodes(member.value));
        }
        while let Some(node) = pending.pop() {
            if cx.is_cancelled() {
                return;
            }
            if cx.tree.kind(node) == Kind::Map && cx.tree.len(node) == 1 {
                report(cx, node);
            }
            pending.extend(cx.tree.child_nodes(node));
        }
    }
}

fn report(cx: &mut Context<'_>, node: NodeId) {
    let Some(member) = cx.tree.member(node, symbol::CONDITION) else { return };
    let diagnostic = Diagnostic::new(
        codes::CONDITION_OBJECT,
        "CloudFormation reads an object whose only key is Condition as a function: `Condition layout is incorrect`",
    )
    .at(cx.tree.span(member.key))
    .note("inside Fn::ToJsonString it reports `Fn::ToJsonString does not support Condition intrinsic function`")
    .help("add a second key to the object, or deploy the expanded template");
    cx.push(diagnostic, Severity::Warning);
}
