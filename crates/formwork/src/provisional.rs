//! Logical IDs that the serverless transform made with a hash of the path of a local file, where the service has a hash
//! of its location (reference/serverless.md#paths).

use formwork_syntax::function::Known;
use formwork_syntax::{NodeId, Tree, symbol};

/// Types with such an ID: the property with the file, and the property that refers to the resource with it, if that is
/// another one.
const TYPES: [(&str, &str, Option<&str>); 3] = [
    ("AWS::Lambda::LayerVersion", "Content", None),
    ("AWS::Lambda::Version", "Code", Some("FunctionName")),
    ("AWS::ApiGateway::Deployment", "BodyS3Location", Some("RestApiId")),
];

/// Returns the provisional logical IDs of a template, in order.
pub(crate) fn ids(tree: &Tree, root: NodeId) -> Vec<String> {
    let Some(resources) = tree.get(root, symbol::RESOURCES) else { return Vec::new() };
    let property = |resource: NodeId, name: &str| tree.get_text(tree.get(resource, symbol::PROPERTIES)?, name);
    let is_provisional = |resource: NodeId| {
        let kind = tree.string(tree.get(resource, symbol::TYPE)?)?;
        let (_, file, owner) = TYPES.iter().find(|(known, ..)| *known == kind)?;
        let owner = match owner {
            Some(name) => {
                let reference = tree.argument_of(property(resource, name)?, Known::Ref)?;
                tree.get_text(resources, tree.string(reference)?)?
            }
            None => resource,
        };
        tree.string(property(owner, file)?)
    };
    let made = tree.entries(resources).filter(|entry| tree.is_generated(entry.key));
    made.filter(|entry| is_provisional(entry.value).is_some()).map(|entry| tree.text(entry.key).to_owned()).collect()
}
