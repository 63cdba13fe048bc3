//! Misspelt policy templates of serverless resources, and misspelt parameters of them
//! (reference/schemas.md#serverless-policies).

use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, symbol};
use formwork_template::serverless_policies;

use crate::Context;

/// The types whose `Policies` take templates.
const TYPES: [&str; 3] = ["AWS::Serverless::Function", "AWS::Serverless::StateMachine", "AWS::Serverless::Connector"];

/// A misspelt key, what is wrong with it, and what was meant.
type Slip = (NodeId, String, &'static str);

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::UNKNOWN_PROPERTY) else { return };
    if !cx.template.is_serverless() || cx.template.has_own_macros() {
        return;
    }
    let tree = cx.tree;
    let mut found = Vec::new();
    for resource in cx.unrolled_resources() {
        let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind));
        let policies = tree
            .get(resource.value, symbol::PROPERTIES)
            .and_then(|properties| tree.get_text(properties, "Policies"))
            .filter(|_| kind.is_some_and(|kind| TYPES.contains(&kind)));
        let Some(policies) = policies else { continue };
        let one = [policies];
        let items = if tree.kind(policies) == Kind::List { tree.items(policies) } else { &one };
        found.extend(items.iter().filter_map(|&item| misspelt(cx, item)));
    }
    for (at, message, near) in found {
        let diagnostic = Diagnostic::titled(codes::UNKNOWN_PROPERTY, message)
            .at(tree.span(at))
            .frames(tree.frame_chain(tree.frame_of(at)))
            .help(format!("did you mean `{near}`?"));
        cx.push(diagnostic, severity);
    }
}

/// The slip in a policy that is an object with one key, as a template is.
fn misspelt(cx: &Context<'_>, policy: NodeId) -> Option<Slip> {
    let tree = cx.tree;
    let mut entries = tree.entries(policy).filter(|_| tree.kind(policy) == Kind::Map);
    let (Some(template), None) = (entries.next(), entries.next()) else { return None };
    let name = tree.text(template.key);
    let Some(parameters) = serverless_policies::parameters(name) else {
        let others = ["Statement", "Version", "Id"];
        let near = slip(name, serverless_policies::names().chain(others)).filter(|near| !others.contains(near))?;
        return Some((template.key, format!("{} is not a policy template", shown(name)), near));
    };
    let given: Vec<Entry> = tree.entries(template.value).collect();
    let missing = parameters.iter().copied().filter(|one| given.iter().all(|entry| tree.text(entry.key) != *one));
    let missing: Vec<&str> = missing.collect();
    let unknown = given.iter().filter(|entry| !parameters.contains(&tree.text(entry.key)));
    let mut slips = unknown.filter_map(|entry| {
        let key = tree.text(entry.key);
        let near = slip(key, missing.iter().copied())?;
        Some((entry.key, format!("policy template {name} does not have a parameter {}", shown(key)), near))
    });
    slips.next()
}
