//! Names in templates of `AWS::Serverless-2016-10-31` that may be those of generated resources
//! (reference/structure.md#serverless-ids), for a template of which the result of the transform is not known.

use formwork_syntax::{NodeId, Tree, symbol};

/// Generated logical IDs that depend on no name of the template.
pub const FIXED: [&str; 11] = [
    "CodeDeployServiceRole",
    "ServerlessApiKey",
    "ServerlessDeploymentApplication",
    "ServerlessHttpApi",
    "ServerlessHttpApiApiGatewayDefaultStage",
    "ServerlessHttpApiDeployment",
    "ServerlessRestApi",
    "ServerlessRestApiDeployment",
    "ServerlessRestApiProdStage",
    "ServerlessUsagePlan",
    "ServerlessUsagePlanKey",
];

/// Beginnings of generated logical IDs that end in a hash.
const HASHED: [&str; 5] = [
    "ApiGatewayDomainName",
    "RecordSetGroup",
    "ServerlessHttpApiDeployment",
    "ServerlessRestApiDeployment",
    "UsagePlan",
];

/// Returns `true` when the transform may generate a resource with this name: it begins with the ID of a resource that
/// the transform replaces, or is a fixed one.
pub fn may_be_made(tree: &Tree, resources: NodeId, name: &str) -> bool {
    // Logical IDs have at most 255 characters.
    let longest = name.len().min(256);
    let prefixes = (1..longest).filter(|&at| name.is_char_boundary(at)).map(|at| &name[..at]);
    let is_hash = |rest: &str| rest.trim_start_matches("V2").bytes().all(|byte| byte.is_ascii_hexdigit());
    FIXED.contains(&name)
        || HASHED.iter().any(|fixed| name.strip_prefix(fixed).is_some_and(is_hash))
        || prefixes.into_iter().any(|id| is_replaced(tree, resources, id))
}

/// Returns `true` for the name of a part of a serverless resource: `Function.Alias`, `Api.Stage`.
pub fn is_part(tree: &Tree, resources: NodeId, name: &str) -> bool {
    name.split_once('.').is_some_and(|(id, _)| is_replaced(tree, resources, id))
}

fn is_replaced(tree: &Tree, resources: NodeId, id: &str) -> bool {
    let Some(resource) = tree.get_text(resources, id) else { return false };
    let kind = tree.get(resource, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
    kind.starts_with("AWS::Serverless::") || tree.get_text(resource, "Connectors").is_some()
}
