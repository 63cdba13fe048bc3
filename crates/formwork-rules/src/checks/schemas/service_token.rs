//! A misspelt `ServiceToken`, the one property that every custom resource needs (reference/schemas.md#types).

use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, Severities, Severity, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{NodeId, symbol};

use crate::Context;

const NAME: &str = "ServiceToken";

/// What is found in a resource. Its other properties are its own: only a key that nearly is `ServiceToken` is reported,
/// and only where that is missing.
pub(super) fn check(cx: &Context<'_>, id: NodeId, resource: NodeId) -> Option<(Diagnostic, Severity)> {
    let tree = cx.tree;
    let kind = tree.string(tree.get(resource, symbol::TYPE)?)?;
    let properties = tree.get(resource, symbol::PROPERTIES)?;
    let is_custom = kind.starts_with("Custom::") || kind == "AWS::CloudFormation::CustomResource";
    if !is_custom || tree.entries(properties).any(|entry| [NAME, "Fn::Transform"].contains(&tree.text(entry.key))) {
        return None;
    }
    let misspelt = tree.entries(properties).find(|entry| slip(tree.text(entry.key), [NAME]).is_some())?;
    let severity = Severities::Thorough.at(cx.goal)?;
    let (span, name) = (tree.span(misspelt.key), shown(tree.text(misspelt.key)));
    let diagnostic =
        Diagnostic::titled(codes::UNKNOWN_PROPERTY, format!("{name} is not {NAME}, which {kind} requires"))
            .at(span)
            .frames(tree.frame_chain(tree.frame_of(id)))
            .label(format!("did you mean {NAME}?"))
            .help(format!("write {NAME}"));
    let is_written = !tree.is_generated(misspelt.key) && !tree.is_alias(misspelt.key);
    let fixed = if is_written { diagnostic.unsafe_fix(format!("write {NAME}"), span, NAME) } else { diagnostic };
    Some((fixed, severity))
}
