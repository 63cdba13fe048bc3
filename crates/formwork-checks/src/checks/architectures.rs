//! `Architectures` of a function, which has a single one (reference/structure.md#architectures).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Kind, NodeId, Tree, symbol};

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
        let subject = format!("function {}", shown(tree.text(resource.key)));
        let frames = tree.frame_chain(tree.frame_of(resource.key));
        let diagnostic = properties.and_then(|properties| of_properties(tree, properties, &subject));
        found.extend(diagnostic.map(|diagnostic| (diagnostic.frames(frames), cx.severity_of(resource.key))));
    }
    let globals = tree.get(cx.template.root, symbol::GLOBALS).filter(|_| cx.template.is_serverless());
    let functions = globals.and_then(|globals| tree.get_text(globals, "Function"));
    let diagnostic = functions.and_then(|functions| of_properties(tree, functions, "Globals for functions"));
    found.extend(diagnostic.map(|diagnostic| (diagnostic, Severity::Error)));
    for (diagnostic, severity) in found {
        cx.push(diagnostic, severity);
    }
}

fn of_properties(tree: &Tree, properties: NodeId, subject: &str) -> Option<Diagnostic> {
    let list = tree.get_text(properties, "Architectures").filter(|&list| tree.kind(list) == Kind::List)?;
    let items = tree.items(list);
    // A call may return `AWS::NoValue`.
    let count = items.iter().filter(|&&item| tree.is_scalar(item)).count();
    let first = items.first().filter(|_| count > 1)?;
    let diagnostic = Diagnostic::new(codes::WRONG_KIND, format!("{subject} has {count} architectures, not one"))
        .at(tree.span(list))
        .note("a function runs on one architecture; only a layer version is compatible with several")
        .help(format!("write `[{}]`", shown(tree.text_form(*first))));
    Some(diagnostic)
}
