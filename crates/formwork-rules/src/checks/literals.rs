//! Attributes that take literal text alone where the language transform does not work
//! (reference/structure.md#function-places).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, View, symbol};
use formwork_template::attribute;

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    if cx.template.has_other_transforms() {
        return;
    }
    let Some(section) = cx.tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    for resource in cx.tree.entries(section).collect::<Vec<_>>() {
        for name in attribute::LITERAL {
            // What functions policies take under the transform is looked at where they are evaluated.
            if cx.language_extensions && ![symbol::DEPENDS_ON, symbol::CONDITION].contains(&name) {
                continue;
            }
            let Some(entry) = cx.tree.member(resource.value, name) else { continue };
            let nodes: Vec<NodeId> = match cx.tree.kind(entry.value) {
                Kind::List => cx.tree.items(entry.value).to_vec(),
                _ => vec![entry.value],
            };
            for node in nodes {
                let (is_wrong, help) = if cx.language_extensions {
                    let help = "write the text out, or compute it of parameters and items of loops";
                    (is_known_at_deployment_alone(cx.tree, node), help)
                } else {
                    let help = "write the text out, or add `Transform: AWS::LanguageExtensions` to the template";
                    (cx.tree.kind(node) == Kind::Call, help)
                };
                if is_wrong {
                    let text = cx.tree.name(name).to_owned();
                    let diagnostic = Diagnostic::new(
                        codes::FUNCTION_NOT_ALLOWED,
                        format!(
                            "{text} takes literal text: `Template format error: Every {text} member must be a string.`"
                        ),
                    )
                    .at(cx.tree.span(node))
                    .help(help);
                    cx.push(diagnostic, cx.as_written());
                }
            }
        }
    }
}

/// Whether a call holds what no transform computes.
fn is_known_at_deployment_alone(tree: &Tree, node: NodeId) -> bool {
    match tree.view(node) {
        View::Call(Function::Known(known), argument) => {
            matches!(known, Known::ImportValue | Known::GetStackOutput | Known::GetAtt | Known::GetAZs | Known::Cidr)
                || is_known_at_deployment_alone(tree, argument)
        }
        View::List(items) => items.iter().any(|&item| is_known_at_deployment_alone(tree, item)),
        View::Map => tree.entries(node).any(|entry| is_known_at_deployment_alone(tree, entry.value)),
        _ => false,
    }
}
