//! Resources of the template that an event changes: the bucket or the pool that invokes the function.

use formwork_syntax::NodeId;

use crate::attributes;
use crate::context::Context;
use crate::events::event::Event;
use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Map, Value};

/// A source that changes a resource, and what the translator reports without one.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) source: &'static str,
    /// The property with the `Ref` of the resource.
    pub(super) property: &'static str,
    pub(super) kind: &'static str,
    /// The properties of the resource type that the translator knows.
    pub(super) known: &'static [&'static str],
    pub(super) not_here: &'static str,
    pub(super) not_text: &'static str,
    /// Set if the second sentence names the event by its ID.
    pub(super) is_by_id: bool,
}

/// A resource of the template that is changed.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) id: String,
    resource: Map,
    pub(super) properties: Map,
    /// Set if the resource has `Properties`, and they are not a mapping.
    pub(super) has_wrong_properties: bool,
    /// Set to keep `Properties` that are not a mapping.
    pub(super) is_refused: bool,
    origin: Option<NodeId>,
    section_origin: Option<NodeId>,
}

impl Link {
    /// Takes the resource that an event changes out of the template, so that the work for an event does not grow with
    /// the events before it. [`Linked::write`] puts it back.
    pub(super) fn resource(&self, cx: &mut Context, event: &Event<'_>) -> Result<Linked, Refusal> {
        let id = event.get(self.property).and_then(Value::reference).unwrap_or_default();
        let id = id.to_owned();
        let none = Map::new();
        let value = cx.resources.get_mut(&id);
        let origin = value.as_ref().and_then(|value| value.origin());
        let resource = value.as_ref().and_then(|value| value.map()).unwrap_or(&none);
        let Some(kind) = resource.get("Type") else {
            return Err(Refusal::new("Resource dict missing key 'Type'.").at(origin).of_resource(&id));
        };
        if kind.text() != Some(self.kind) {
            let shown = shown::plain(kind);
            let sentence = format!("Resource has incorrect Type; expected '{}', got '{shown}'", self.kind);
            let at = event.get(self.property).and_then(Value::origin);
            return Err(Refusal::new(sentence).at(at).of_resource(&id));
        }
        let section = resource.get("Properties");
        let properties = section.and_then(Value::map).unwrap_or(&none);
        if let Some((name, _)) = properties.iter().find(|(name, _)| !self.known.contains(name)) {
            let sentence = format!("property {name} not defined for resource of type {}", self.kind);
            let title = format!("the transform knows no property {name} of {}", self.kind);
            let refusal = Refusal::new(sentence).at(properties.key(name)).about(name).titled(title);
            return Err(refusal.among(self.known.iter().copied()).of_resource(&id));
        }
        let mut resource = value.map(std::mem::take).and_then(Value::into_map).unwrap_or_default();
        let section = resource.get_mut("Properties");
        let has_wrong_properties = section.as_ref().is_some_and(|section| section.map().is_none());
        let section_origin = section.as_ref().and_then(|section| section.origin());
        let mut properties = match section.filter(|_| !has_wrong_properties) {
            Some(section) => std::mem::take(section).into_map().unwrap_or_default(),
            None => Map::new(),
        };
        for name in self.known {
            if properties.get(name).is_some_and(Value::is_null) {
                properties.remove(name);
            }
        }
        Ok(Linked { id, properties, has_wrong_properties, is_refused: false, origin, section_origin, resource })
    }
}

impl Linked {
    /// Returns a refusal of the resource.
    pub(super) fn refuse(&self, sentence: impl Into<String>, at: Option<NodeId>) -> Refusal {
        Refusal::new(sentence).at(at).at(self.origin).of_resource(&self.id)
    }

    /// Returns the refusal of `Properties` that are not a mapping.
    pub(super) fn refuse_properties(&self) -> Refusal {
        self.refuse("Properties should be a map.", self.section_origin)
    }

    /// Returns `true` if the resource has `Properties` that are neither a mapping nor a null.
    pub(super) fn has_odd_properties(&self) -> bool {
        self.has_wrong_properties && !self.resource.get("Properties").is_some_and(Value::is_null)
    }

    /// Takes `DependsOn`.
    pub(super) fn take_dependencies(&mut self) -> Option<Value> {
        self.resource.get_mut("DependsOn").map(std::mem::take)
    }

    /// Sets `DependsOn`.
    pub(super) fn set_dependencies(&mut self, dependencies: Value) {
        self.resource.set("DependsOn", dependencies);
    }

    /// Writes the resource to the template, with the attributes that the translator knows.
    pub(super) fn write(mut self, cx: &mut Context) {
        let mut resource = Map::new();
        for name in std::iter::once("Type").chain(attributes::OF_MAIN) {
            let value = self.resource.get_mut(name).map(std::mem::take);
            resource.set_some(name, value.filter(|value| value.is_true() || name != "DependsOn"));
        }
        let section = match self.resource.get_mut("Properties").filter(|_| self.has_wrong_properties && self.is_refused)
        {
            Some(section) => std::mem::take(section),
            None => Value::from(self.properties).at(self.section_origin),
        };
        resource.set("Properties", section);
        if let Some(place) = cx.resources.get_mut(&self.id) {
            *place = Value::from(resource).at(self.origin);
        }
    }
}
