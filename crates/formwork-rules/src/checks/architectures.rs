//! `Architectures` of a function, which has a single one (reference/structure.md#architectures).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, symbol};

use crate::Context;

const TYPES: [&str; 2] = ["AWS::Lambda::Function", "AWS::Serverless::Function"];

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    if !cx.goal.is_thorough() {
        return;
    }
    let mut found = Vec::new();
    for resource in cx.unrolled_resources() {
        let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind));
        if !kind.is_some_and(|kind| TYPES.contains(&kind)) {
            continue;
        }
        let properties = tree.get(resource.value, symbol::PROPERTIES);
        let Some(list) = properties.and_then(|properties| tree.get_text(properties, "Architectures")) else { continue };
        // A call may be nothing.
        let count = tree.items(list).iter().filter(|&&item| tree.is_scalar(item)).count();
        if tree.kind(list) != Kind::List || count < 2 {
            continue;
        }
        let id = shown(tree.text(resource.key));
        let diagnostic =
            Diagnostic::new(codes::WRONG_KIND, format!("function {id} has {count} architectures, not one"))
                .at(tree.span(list))
                .frames(tree.frame_chain(tree.frame_of(resource.key)))
                .note("a function runs on one architecture; only a layer version is compatible with several")
                .help(format!("write `[{}]`", shown(tree.text_form(tree.items(list)[0]))));
        found.push((diagnostic, cx.severity_of(resource.key)));
    }
    for (diagnostic, severity) in found {
        cx.push(diagnostic, severity);
    }
}
