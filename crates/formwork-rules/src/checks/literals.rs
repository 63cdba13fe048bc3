//! Attributes that take literal text alone where the language transform does not work
//! (reference/structure.md#function-places).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Kind, NodeId, symbol};
use formwork_template::attribute;

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    if cx.language_extensions || cx.template.has_other_transforms() {
        return;
    }
    let Some(section) = cx.tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    for resource in cx.tree.entries(section).collect::<Vec<_>>() {
        for name in attribute::LITERAL {
            let Some(entry) = cx.tree.member(resource.value, name) else { continue };
            let nodes: Vec<NodeId> = match cx.tree.kind(entry.value) {
                Kind::List => cx.tree.items(entry.value).to_vec(),
                _ => vec![entry.value],
            };
            for node in nodes {
                if cx.tree.kind(node) == Kind::Call {
                    let text = cx.tree.name(name).to_owned();
                    let diagnostic = Diagnostic::new(
                        codes::FUNCTION_NOT_ALLOWED,
                        format!(
                            "{text} takes literal text: `Template format error: Every {text} member must be a string.`"
                        ),
                    )
                    .at(cx.tree.span(node))
                    .help("write the text out, or add `Transform: AWS::LanguageExtensions` to the template");
                    cx.push(diagnostic, cx.command.severity());
                }
            }
        }
    }
}
