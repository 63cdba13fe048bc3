//! Resources of the template that an event changes: the bucket or the pool that invokes the function.

use formwork_syntax::NodeId;

use super::{bucket, pool};
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

/// A reference that does not lead to a resource of the template.
#[derive(Debug)]
pub(in crate::events) struct Wrong {
    pub(in crate::events) sentence: &'static str,
    pub(in crate::events) is_by_id: bool,
    pub(in crate::events) at: Option<NodeId>,
}

/// Compares the reference of an event with the resources of the template.
pub(in crate::events) fn check(cx: &Context, source: &str, properties: &Map) -> Result<(), Wrong> {
    let Some(link) = [&bucket::LINK, &pool::LINK].into_iter().find(|link| link.source == source) else {
        return Ok(());
    };
    let Some(value) = properties.get(link.property) else { return Ok(()) };
    let at = value.origin();
    match value.call() {
        Some(("Ref", name)) if name.text().is_none() => {
            Err(Wrong { sentence: link.not_text, is_by_id: link.is_by_id, at })
        }
        Some(("Ref", name)) if name.text().is_some_and(|name| cx.resources.has(name)) => Ok(()),
        _ => Err(Wrong { sentence: link.not_here, is_by_id: false, at }),
    }
}

/// A resource of the template that is changed.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) id: String,
    resource: Map,
    pub(super) properties: Map,
    /// Set if the resource has `Properties`, and they are not a mapping.
    pub(super) has_wrong_properties: bool,
    origin: Option<NodeId>,
}

impl Link {
    /// Returns the resource that an event changes.
    pub(super) fn resource(&self, cx: &Context, event: &Event<'_>) -> Result<Linked, Refusal> {
        let id = event.get(self.property).and_then(Value::reference).unwrap_or_default();
        let value = cx.resources.get(id).cloned().unwrap_or_default();
        let (id, origin) = (id.to_owned(), value.origin());
        let resource = value.into_map().unwrap_or_default();
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
        let mut properties = section.and_then(Value::map).cloned().unwrap_or_default();
        if let Some((name, _)) = properties.iter().find(|(name, _)| !self.known.contains(name)) {
            let sentence = format!("property {name} not defined for resource of type {}", self.kind);
            let title = format!("the transform knows no property {name} of {}", self.kind);
            let refusal = Refusal::new(sentence).at(properties.key(name)).about(name).titled(title);
            return Err(refusal.among(self.known.iter().copied()).of_resource(&id));
        }
        let null: Vec<String> =
            properties.iter().filter(|(_, value)| value.is_null()).map(|(name, _)| name.to_owned()).collect();
        for name in &null {
            properties.remove(name);
        }
        let has_wrong_properties = section.is_some_and(|section| section.map().is_none());
        Ok(Linked { id, properties, has_wrong_properties, origin, resource })
    }
}

impl Linked {
    /// Returns a refusal of the resource.
    pub(super) fn refuse(&self, sentence: impl Into<String>, at: Option<NodeId>) -> Refusal {
        Refusal::new(sentence).at(at).at(self.origin).of_resource(&self.id)
    }

    /// Returns the node of `Properties`.
    pub(super) fn section(&self) -> Option<&Value> {
        self.resource.get("Properties")
    }

    /// Returns `DependsOn`.
    pub(super) fn dependencies(&self) -> Option<&Value> {
        self.resource.get("DependsOn")
    }

    /// Sets `DependsOn`.
    pub(super) fn set_dependencies(&mut self, dependencies: Vec<Value>) {
        self.resource.set("DependsOn", dependencies);
    }

    /// Writes the resource to the template, with the attributes that the translator knows.
    pub(super) fn write(self, cx: &mut Context) {
        let mut resource = Map::new();
        resource.set_some("Type", self.resource.get("Type").cloned());
        for (name, value) in attributes::of_main(&self.resource).iter() {
            resource.set(name, value.clone());
        }
        let origin = self.resource.get("Properties").and_then(Value::origin);
        resource.set("Properties", Value::from(self.properties).at(origin));
        let key = cx.resources.key(&self.id);
        cx.resources.set_with_key(&self.id, key, Value::from(resource).at(self.origin));
    }
}
