//! A stack before and after.

use serde_json::{Map, Value};

use crate::ResourceId;

/// A stack: the deployed template, and the current one of its author.
#[derive(Clone, PartialEq, Debug)]
pub struct Sides {
    /// The name of the stack.
    pub stack: String,
    /// The template as CloudFormation processed it, in JSON; null for a stack that does not exist yet.
    pub deployed: Value,
    /// The author's template with its loops and modules expanded, in JSON.
    pub authored: Value,
}

impl Sides {
    /// Returns `true` if the stack does not exist yet.
    pub fn is_new(&self) -> bool {
        self.deployed.is_null()
    }
}

pub(crate) fn section<'v>(template: &'v Value, name: &str) -> Option<&'v Map<String, Value>> {
    template.get(name).and_then(Value::as_object)
}

/// Returns the logical IDs and bodies of the resources, in the order of the template.
pub(crate) fn resources(template: &Value) -> impl Iterator<Item = (&String, &Value)> {
    section(template, "Resources").into_iter().flatten()
}

pub(crate) fn resource<'v>(template: &'v Value, id: &str) -> Option<&'v Value> {
    section(template, "Resources")?.get(id)
}

/// Returns the type of a resource; empty when it has none.
pub(crate) fn kind(body: &Value) -> &str {
    body.get("Type").and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn of<'s>(stacks: &'s [Sides], name: &str) -> Option<&'s Sides> {
    stacks.iter().find(|sides| sides.stack == name)
}

pub(crate) fn deployed<'s>(stacks: &'s [Sides], id: &ResourceId) -> Option<&'s Value> {
    resource(&of(stacks, &id.stack)?.deployed, &id.logical_id)
}

pub(crate) fn authored<'s>(stacks: &'s [Sides], id: &ResourceId) -> Option<&'s Value> {
    resource(&of(stacks, &id.stack)?.authored, &id.logical_id)
}
