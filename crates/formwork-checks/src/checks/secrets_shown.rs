//! Values of `NoEcho` parameters that anybody can read (reference/parameters.md#shown-secrets).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Kind, NodeId, symbol};
use formwork_template::reference::{self, Reference};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::SECRET_SHOWN) else { return };
    if !cx.template.parameters.iter().any(|parameter| parameter.no_echo) {
        return;
    }
    let members = |section| {
        let node = cx.tree.get(cx.unrolled, section).filter(|&node| cx.tree.kind(node) == Kind::Map);
        node.map(|node| cx.tree.entries(node).collect::<Vec<_>>()).unwrap_or_default()
    };
    let (outputs, resources) = (members(symbol::OUTPUTS), members(symbol::RESOURCES));
    if let Some(metadata) = cx.tree.get(cx.unrolled, symbol::METADATA) {
        look(cx, metadata, "the template's Metadata", severity);
    }
    for resource in resources {
        if cx.is_cancelled() {
            return;
        }
        let id = shown(cx.tree.text(resource.key));
        if let Some(metadata) = cx.tree.get(resource.value, symbol::METADATA) {
            look(cx, metadata, &format!("the Metadata of {id}"), severity);
        }
        let properties = cx.tree.get(resource.value, symbol::PROPERTIES);
        if let Some(tags) = properties.and_then(|properties| cx.tree.get_text(properties, "Tags")) {
            look(cx, tags, &format!("a tag of {id}"), severity);
        }
    }
    for output in outputs {
        look(cx, output.value, &format!("output {}", shown(cx.tree.text(output.key))), severity);
    }
}

fn look(cx: &mut Context<'_>, node: NodeId, place: &str, severity: Severity) {
    let mut found: Vec<(String, NodeId)> = Vec::new();
    reference::visit(cx.tree, node, &mut |_| true, &mut |reference: Reference<'_>| {
        let name = cx.tree.symbols().get(reference.name);
        let parameter = name.and_then(|name| cx.template.parameter(name));
        if parameter.is_some_and(|parameter| parameter.no_echo) && reference.attribute.is_none() {
            found.push((reference.name.to_owned(), reference.node));
        }
    });
    for (name, node) in found {
        let name = shown(&name);
        let diagnostic =
            Diagnostic::new(codes::SECRET_SHOWN, format!("{place} shows the value of {name}, a NoEcho parameter"))
                .at(cx.tree.span(node))
                .frames(cx.tree.frame_chain(cx.tree.frame_of(node)))
                .note("outputs, tags and metadata can be read by everybody who may describe the stack or its resources")
                .help("store the value in AWS Secrets Manager, and pass on the name of the secret");
        cx.push(diagnostic, severity);
    }
}
