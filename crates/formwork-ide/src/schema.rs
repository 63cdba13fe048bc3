//! Properties of resource types at every depth.

use std::sync::OnceLock;

use formwork::query::FileIndex;
use formwork::tree::Kind as NodeKind;
use formwork_schemas::{Effect, Kind, Kinds, Node, ResourceType, Schemas};

use crate::context::{Step, is_function};

pub(crate) fn schemas() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(Schemas::embedded)
}

/// A resource and the path below its `Properties`.
pub(crate) struct InResource<'p> {
    pub(crate) kind: String,
    pub(crate) steps: &'p [Step],
}

/// Finds the resource around a path, including resources in loops, and its type in a file.
pub(crate) fn in_resource<'p>(index: &FileIndex, path: &'p [Step]) -> Option<InResource<'p>> {
    let is_key = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
    if !path.first().is_some_and(|step| is_key(step, "Resources")) {
        return None;
    }
    let at = path.iter().position(|step| is_key(step, "Properties"))?;
    let tree = index.tree();
    let mut node = index.root()?;
    for step in path.get(..at)? {
        node = match step {
            Step::Key(key) if is_function(key) => (tree.kind(node) == NodeKind::Call).then(|| tree.call(node).1)?,
            Step::Key(key) => tree.get_text(node, key)?,
            Step::Index(number) => tree.items(node).get(*number).copied()?,
        };
    }
    let kind = tree.get_text(node, "Type").filter(|&kind| tree.kind(kind) == NodeKind::String)?;
    Some(InResource { kind: tree.text(kind).to_owned(), steps: path.get(at + 1..)? })
}

impl InResource<'_> {
    pub(crate) fn resource_type(&self) -> Option<ResourceType<'static>> {
        schemas().resource_type(&self.kind)
    }

    /// The schema at the end of the path. Functions that select a value are passed through.
    pub(crate) fn node(&self) -> Option<Node<'static>> {
        let mut node = self.resource_type()?.properties();
        let mut steps = self.steps.iter();
        while let Some(step) = steps.next() {
            node = match step {
                Step::Key(key) if key == "Fn::If" => {
                    // The value is its second or its third argument.
                    match steps.next() {
                        Some(Step::Index(1 | 2)) => node,
                        _ => return None,
                    }
                }
                Step::Key(key) if is_function(key) => return None,
                Step::Key(key) => node.property(key)?.node,
                Step::Index(_) => node.items()?,
            };
        }
        Some(node)
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        let keys = self.steps.iter().filter_map(|step| match step {
            Step::Key(key) if !is_function(key) => Some(key.as_str()),
            _ => None,
        });
        keys.collect()
    }
}

/// Returns `true` if only CloudFormation sets a property.
pub(crate) fn is_read_only(resource: &ResourceType<'_>, names: &[&str]) -> bool {
    resource.read_only().any(|path| path.names().filter(|name| *name != "*").eq(names.iter().copied()))
}

pub(crate) fn kinds(kinds: Kinds) -> String {
    kinds.iter().map(Kind::name).collect::<Vec<_>>().join(", ")
}

/// The effect of a change of a property, in words.
pub(crate) fn effect(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::Update => Some("a change updates the resource in place"),
        Effect::Replace(_) => Some("a change replaces the resource"),
        Effect::MayReplace(_) => Some("a change may replace the resource"),
        Effect::None | Effect::Unknown => None,
    }
}
