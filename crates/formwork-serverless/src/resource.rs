//! A resource of the result.

use formwork_syntax::NodeId;

use crate::make;
use crate::value::{Map, Value};

/// A resource that the transform makes.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) id: String,
    /// The resource type.
    pub(crate) kind: &'static str,
    /// `DependsOn`, `Condition` and the others beside `Type` and `Properties`.
    pub(crate) attributes: Map,
    pub(crate) properties: Map,
    /// The authored node that led to it; that of the serverless resource without it.
    pub(crate) origin: Option<NodeId>,
}

impl Resource {
    pub(crate) fn new(id: impl Into<String>, kind: &'static str) -> Resource {
        Resource { id: id.into(), kind, attributes: Map::new(), properties: Map::new(), origin: None }
    }

    /// Sets the attributes.
    #[must_use]
    pub(crate) fn with(mut self, attributes: Map) -> Resource {
        self.attributes = attributes;
        self
    }

    /// Sets the authored node that led to the resource.
    #[must_use]
    pub(crate) fn from(mut self, origin: Option<NodeId>) -> Resource {
        self.origin = origin;
        self
    }

    /// Sets a property.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.properties.set(name, value);
    }

    /// Sets a property if there is a value.
    pub(crate) fn set_some(&mut self, name: &str, value: Option<impl Into<Value>>) {
        self.properties.set_some(name, value);
    }

    /// Returns `{Ref: id}`.
    pub(crate) fn reference(&self) -> Value {
        make::reference(&self.id)
    }

    /// Returns `{Fn::GetAtt: [id, attribute]}`.
    pub(crate) fn get_att(&self, attribute: &str) -> Value {
        make::get_att(&self.id, attribute)
    }

    /// Returns the data of the resource.
    pub(crate) fn into_value(self) -> Value {
        let mut map = Map::new();
        map.set("Type", self.kind);
        for (name, value) in self.attributes.iter() {
            map.set(name, value.clone());
        }
        map.set("Properties", self.properties);
        Value::from(map).at(self.origin)
    }
}
