//! Permissions of connectors.

use serde_json::{Map, Value};

/// The permissions of a connector between two types.
#[derive(Clone, Copy, Debug)]
pub struct Permission<'a> {
    /// Which resource holds the permission, such as `AWS_IAM_ROLE_MANAGED_POLICY`.
    pub kind: &'a str,
    /// `Properties` of the profile, with `AccessCategories`.
    pub properties: &'a Map<String, Value>,
}

impl<'a> Permission<'a> {
    /// Returns the values of `Permissions` that the types allow.
    pub fn categories(&self) -> impl Iterator<Item = &'a str> {
        let categories = self.properties.get("AccessCategories").and_then(Value::as_object);
        categories.into_iter().flat_map(|categories| categories.keys().map(String::as_str))
    }
}

/// Permissions by types, and the properties of types that they need.
#[derive(Debug, Default)]
pub struct Connectors {
    permissions: Map<String, Value>,
    properties: Map<String, Value>,
}

impl Connectors {
    pub(super) fn new(mut profiles: Map<String, Value>) -> Connectors {
        let mut take = |key: &str| match profiles.remove(key) {
            Some(Value::Object(object)) => object,
            _ => Map::new(),
        };
        Connectors { permissions: take("Permissions"), properties: take("CfnResourceProperties") }
    }

    /// Returns the permission of a connector from a type to another, if the types can be connected.
    pub fn permission(&self, source: &str, destination: &str) -> Option<Permission<'_>> {
        let profile = self.permissions.get(source)?.get(destination)?;
        Some(Permission { kind: profile.get("Type")?.as_str()?, properties: profile.get("Properties")?.as_object()? })
    }

    /// Returns the types that a connector can begin at.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.permissions.keys().map(String::as_str)
    }

    /// Returns the types that a connector from a type can end at.
    pub fn destinations(&self, source: &str) -> impl Iterator<Item = &str> {
        let destinations = self.permissions.get(source).and_then(Value::as_object);
        destinations.into_iter().flat_map(|destinations| destinations.keys().map(String::as_str))
    }

    /// Returns the property of a type that a connector reads, such as the one that names its role.
    pub fn input(&self, resource_type: &str, name: &str) -> Option<&Value> {
        self.properties.get(resource_type)?.get("Inputs")?.get(name)
    }

    /// Returns the expression for an attribute of a type, with `%{logicalId}` for the ID.
    pub fn output(&self, resource_type: &str, name: &str) -> Option<&Value> {
        self.properties.get(resource_type)?.get("Outputs")?.get(name)
    }
}
