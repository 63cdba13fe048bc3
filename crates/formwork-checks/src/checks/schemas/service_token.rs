//! `ServiceToken`, the one property that every custom resource needs (reference/schemas.md#types).

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, Severities, Severity, Span, codes};
use formwork_syntax::{Entry, NodeId, View, symbol};

use crate::Context;

const NAME: &str = "ServiceToken";

/// Checks a custom resource. Its other properties are its own: only a missing `ServiceToken` and a key that nearly is
/// one are reported.
pub(super) fn check(cx: &Context<'_>, id: NodeId, resource: NodeId) -> Option<(Diagnostic, Severity)> {
    let tree = cx.tree;
    let kind = tree.string(tree.get(resource, symbol::TYPE)?)?;
    let is_custom = kind.starts_with("Custom::") && kind != "Custom::" || kind == "AWS::CloudFormation::CustomResource";
    let properties = tree.entries(resource).find(|entry| tree.symbol(entry.key) == symbol::PROPERTIES);
    let is_read = properties.is_none_or(|entry| matches!(tree.view(entry.value), View::Map));
    if !is_custom || !is_read {
        return None;
    }
    let severity = Severities::Thorough.at(cx.goal)?;
    let Some(properties) = properties else {
        let help = format!("add `Properties` with {NAME}, the ARN of a function or a topic");
        return Some((missing(cx, id, kind, tree.span(id)).help(help), severity));
    };
    if tree.entries(properties.value).any(|entry| [NAME, "Fn::Transform"].contains(&tree.text(entry.key))) {
        return None;
    }
    let misspelt = tree.entries(properties.value).find(|entry| slip(tree.text(entry.key), [NAME]).is_some());
    let diagnostic = match misspelt {
        Some(entry) => renamed(cx, id, kind, entry),
        None => missing(cx, id, kind, tree.span(properties.key))
            .help(format!("add {NAME}, the ARN of a function or a topic")),
    };
    Some((diagnostic, severity))
}

fn missing(cx: &Context<'_>, id: NodeId, kind: &str, span: Span) -> Diagnostic {
    let title = format!("{} has no {NAME}, which {} requires", shown(cx.tree.text(id)), shown(kind));
    Diagnostic::titled(codes::MISSING_PROPERTY, title).at(span).frames(cx.tree.frame_chain(cx.tree.frame_of(id)))
}

fn renamed(cx: &Context<'_>, id: NodeId, kind: &str, misspelt: Entry) -> Diagnostic {
    let tree = cx.tree;
    let (span, name) = (tree.span(misspelt.key), shown(tree.text(misspelt.key)));
    let title = format!("{name} is not {NAME}, which {} requires", shown(kind));
    let diagnostic = Diagnostic::titled(codes::UNKNOWN_PROPERTY, title)
        .at(span)
        .frames(tree.frame_chain(tree.frame_of(id)))
        .label(format!("did you mean {NAME}?"))
        .help(format!("write {NAME}"));
    let is_written = !tree.is_generated(misspelt.key) && !tree.is_alias(misspelt.key);
    if is_written { diagnostic.unsafe_fix(format!("write {NAME}"), span, NAME) } else { diagnostic }
}
