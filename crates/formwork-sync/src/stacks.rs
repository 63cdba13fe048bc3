//! Finds the names of deployed resources (reference/sync.md#names).

use std::collections::BTreeMap;

use formwork_deploy::{DeployError, EventSink, Service, StackResource};

use crate::code::CodeKind;
use crate::snapshot::{ArtifactId, Snapshot};

/// Length of the hash that the SAM transform appends to the logical ID of a layer.
const LAYER_HASH: usize = 10;

/// The resources of a stack and of its nested stacks, each listed once.
#[derive(Debug)]
pub struct Stacks {
    resources: BTreeMap<String, Vec<StackResource>>,
}

/// Error of a resource that is not in the deployed stack.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{id} is not in the deployed stack")]
pub struct NotDeployed {
    id: String,
}

impl Stacks {
    /// Lists the resources of a stack, and of the nested stacks in which a snapshot has code.
    ///
    /// # Errors
    /// When a stack cannot be listed.
    pub fn list(
        service: &mut Service,
        stack: &str,
        snapshot: &Snapshot,
        sink: &mut dyn EventSink,
    ) -> Result<Stacks, DeployError> {
        let mut stacks = Stacks { resources: BTreeMap::new() };
        stacks.resources.insert(String::new(), service.list_resources(stack, sink)?);
        for id in snapshot.artifacts().keys() {
            let mut within = String::new();
            for step in id.within.split_terminator('/') {
                let inner = format!("{within}{step}/");
                let nested = stacks.resources.get(&within).into_iter().flatten();
                let mut nested =
                    nested.filter(|one| one.kind == "AWS::CloudFormation::Stack" && one.logical_id == step);
                let Some(name) = nested.next().map(|one| one.physical_id.clone()) else { break };
                if !stacks.resources.contains_key(&inner) {
                    let resources = service.list_resources(&name, sink)?;
                    stacks.resources.insert(inner.clone(), resources);
                }
                within = inner;
            }
        }
        Ok(stacks)
    }

    /// Creates the stacks from their resources, keyed by the path of nested stacks.
    pub fn of(resources: BTreeMap<String, Vec<StackResource>>) -> Stacks {
        Stacks { resources }
    }

    /// Returns the physical ID of a resource.
    ///
    /// # Errors
    /// When the stack does not have the resource.
    pub fn name(&self, id: &ArtifactId, kind: CodeKind) -> Result<&str, NotDeployed> {
        let all = || self.resources.get(&id.within).into_iter().flatten();
        let of_kind = || all().filter(|one| one.kind == kind.deployed_type());
        let exact = of_kind().find(|one| one.logical_id == id.resource);
        // The transform adds a hash of the content to the logical ID of a layer.
        let hashed = |one: &&StackResource| {
            let rest = one.logical_id.strip_prefix(&id.resource);
            kind == CodeKind::Layer
                && rest.is_some_and(|rest| rest.len() == LAYER_HASH && rest.bytes().all(|c| c.is_ascii_hexdigit()))
        };
        let found = exact.or_else(|| of_kind().find(hashed)).map(|one| one.physical_id.as_str());
        found.ok_or_else(|| NotDeployed { id: id.to_string() })
    }

    /// Returns the names of all functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let functions = self.resources.values().flatten().filter(|one| one.kind == "AWS::Lambda::Function");
        functions.map(|one| one.physical_id.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(logical_id: &str, kind: &str, physical_id: &str) -> StackResource {
        let (logical_id, kind) = (logical_id.to_owned(), kind.to_owned());
        let mut resource = StackResource::default();
        (resource.logical_id, resource.kind, resource.physical_id) = (logical_id, kind, physical_id.to_owned());
        resource
    }

    fn id(within: &str, resource: &str) -> ArtifactId {
        ArtifactId { within: within.to_owned(), resource: resource.to_owned(), property: "X".to_owned() }
    }

    #[test]
    fn names_by_logical_id_and_type() {
        let root = vec![
            resource("Api", "AWS::ApiGateway::RestApi", "a1b2"),
            resource("Orders", "AWS::Lambda::Function", "shop-Orders-1"),
            resource("OrdersRole", "AWS::IAM::Role", "role"),
            resource("Tools0123456789", "AWS::Lambda::LayerVersion", "arn:aws:lambda:r:1:layer:Tools:1"),
            resource("ToolsMore0123456789", "AWS::Lambda::LayerVersion", "arn:aws:lambda:r:1:layer:More:1"),
        ];
        let child = vec![resource("Orders", "AWS::Lambda::Function", "shop-Child-Orders-2")];
        let stacks = Stacks::of([(String::new(), root), ("Child/".to_owned(), child)].into());
        assert_eq!(stacks.name(&id("", "Orders"), CodeKind::Function), Ok("shop-Orders-1"));
        assert_eq!(stacks.name(&id("Child/", "Orders"), CodeKind::Function), Ok("shop-Child-Orders-2"));
        assert_eq!(stacks.name(&id("", "Tools"), CodeKind::Layer), Ok("arn:aws:lambda:r:1:layer:Tools:1"));
        assert_eq!(stacks.name(&id("", "Api"), CodeKind::RestApi), Ok("a1b2"));
        for (missing, kind) in [(id("", "Users"), CodeKind::Function), (id("", "Orders"), CodeKind::RestApi)] {
            let error = stacks.name(&missing, kind).expect_err("missing");
            assert_eq!(error.to_string(), format!("{missing} is not in the deployed stack"));
        }
        assert_eq!(stacks.functions().collect::<Vec<_>>(), ["shop-Orders-1", "shop-Child-Orders-2"]);
    }
}
