//! Events of functions and state machines: each source is a file.
//!
//! A source is a row of [`OF_FUNCTIONS`]: the name in `Type`, its properties, and the function that translates it. The
//! function returns the resources in the order in which the translator makes them, and adds what the owner's role needs.

mod event;
mod http;
mod logs;
mod polling;
pub(crate) mod push;
mod rest;

pub(crate) use event::{Event, Owner, Source, Target};
pub(crate) use push::set_bucket_tags;

use crate::budget::Size;
use crate::context::{Context, Input, Translated};
use crate::iam::Role;
use crate::openapi;
use crate::properties;
use crate::refusal::Refusal;
use crate::shown;
use crate::tags;
use crate::value::{Map, Value};

/// Sources of functions.
const OF_FUNCTIONS: &[&[Source]] =
    &[&[http::SOURCE, logs::SOURCE, rest::SOURCE], &polling::SOURCES, &push::OF_FUNCTIONS];

/// Sources of state machines.
const OF_STATE_MACHINES: &[&[Source]] = &[&[rest::OF_STATE_MACHINE], &push::OF_STATE_MACHINES];

/// Returns the events in the order in which the translator visits them.
fn visited(owner: &Input) -> Vec<(&str, &Value)> {
    let Some(events) = owner.properties.get("Events").and_then(Value::map) else { return Vec::new() };
    let names = openapi::ordered_at(events, 0);
    names.into_iter().filter_map(|name| Some((name, events.get(name)?))).collect()
}

/// Compares the types and properties of a function's events with what is known, and their references to resources
/// with those of the template, before anything is made of them.
pub(crate) fn check(cx: &Context, owner: &Input) -> Result<(), Refusal> {
    visited(owner).into_iter().try_for_each(|(name, event)| {
        let (source, properties) = read(owner, name, event, OF_FUNCTIONS)?;
        push::check_link(cx, source.name, &properties).map_err(|wrong| {
            let id = if wrong.is_by_id { format!("{}{name}", owner.id) } else { name.to_owned() };
            Refusal::new(wrong.sentence).of_event(&id).at(wrong.at).at(event.origin())
        })
    })
}

/// Compares the types and properties of a state machine's events with what is known.
pub(crate) fn check_machine(owner: &Input) -> Result<(), Refusal> {
    visited(owner).into_iter().try_for_each(|(name, event)| {
        read(owner, name, event, OF_STATE_MACHINES)?;
        Ok(())
    })
}

/// Refuses events that a function of several tenants may not have.
pub(crate) fn check_tenants(owner: &Input) -> Result<(), Refusal> {
    for (_, event) in visited(owner) {
        let kind = event.get("Type");
        if let Some(name) = kind.and_then(Value::text).filter(|name| !["Api", "HttpApi"].contains(name)) {
            let sentence = format!(
                "Event source '{name}' is not supported for functions enabled with tenancy configuration. Only Api and HttpApi event sources are supported."
            );
            return Err(Refusal::new(sentence).at(kind.and_then(Value::origin)));
        }
    }
    Ok(())
}

/// Returns what the events of a function become.
pub(crate) fn of_function(cx: &mut Context, owner: &Input, target: &Target, role: Option<&mut Role>) -> Translated {
    of(cx, owner, target, role, OF_FUNCTIONS)
}

/// Returns what the events of a state machine become.
pub(crate) fn of_state_machine(
    cx: &mut Context,
    owner: &Input,
    target: &Target,
    role: Option<&mut Role>,
) -> Translated {
    of(cx, owner, target, role, OF_STATE_MACHINES)
}

fn of(
    cx: &mut Context,
    owner: &Input,
    target: &Target,
    mut role: Option<&mut Role>,
    sources: &[&'static [Source]],
) -> Translated {
    let mut made = Vec::new();
    let mut events = visited(owner);
    if target.owner == Owner::Function {
        events.sort_by_key(|(name, event)| path_of(event).unwrap_or(name));
    }
    // What an event becomes is counted together, with the tags that it gets later.
    let mut budget = cx.budget;
    let tags = tags::propagated(owner).map(|tags| Size::of(&tags.clone().into()));
    for (name, event) in events {
        let (source, properties) = read(owner, name, event, sources)?;
        let event = Event { owner, name, kind: source.name, properties, origin: event.origin(), target };
        let becomes = (source.translate)(cx, &event, role.as_deref_mut())?;
        for one in &becomes {
            budget.spend(Size::of_resource(one), 1).map_err(|refusal| refusal.at(event.origin))?;
            budget.spend(tags.unwrap_or_default(), usize::from(tags::is_tagged(one)))?;
        }
        made.extend(becomes);
    }
    Ok(made)
}

/// Returns the path of an event of an API.
fn path_of(event: &Value) -> Option<&str> {
    event.get("Properties")?.get("Path")?.text()
}

/// Returns the source of an event and its properties.
fn read(
    owner: &Input,
    name: &str,
    event: &Value,
    sources: &[&'static [Source]],
) -> Result<(&'static Source, Map), Refusal> {
    let Some(source) = event.get("Type").and_then(Value::text).and_then(|kind| find(sources, kind)) else {
        return Err(unknown(name, event, sources));
    };
    let id = format!("{}{name}", owner.id);
    let properties = event.get("Properties").map_or_else(|| Some(Map::new()), |own| own.map().cloned());
    let Some(properties) = properties else {
        let sentence = "Properties of a resource must be an object.";
        return Err(Refusal::new(sentence).at(event.origin()).of_resource(&id));
    };
    if !id.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(Refusal::new("Logical ids must be alphanumeric.").at(event.origin()).of_resource(&id));
    }
    properties::check(source.name, source.properties, &properties, event.origin())
        .map_err(|refusal| refusal.of_resource(&id))?;
    Ok((source, properties))
}

/// Returns the refusal of an event whose type is not known.
fn unknown(name: &str, event: &Value, sources: &[&'static [Source]]) -> Refusal {
    if event.map().is_none() {
        let sentence = format!("'{}' object has no attribute 'get'", shown::type_name(event));
        let title = format!("event {name} of @ is {}, not a mapping", shown::kind(event));
        return Refusal::new(sentence).of_event(name).at(event.origin()).titled(title);
    }
    let kind = event.get("Type");
    let shown = kind.map_or_else(|| "None".to_owned(), shown::plain);
    let sentence = format!("Resource dict has missing or invalid value for key Type. Event Type is: {shown}.");
    let refusal = Refusal::new(sentence).of_event(name).at(kind.and_then(Value::origin)).at(event.origin());
    match kind.and_then(Value::text) {
        Some(kind) => {
            let title = format!("event {name} of @ has an unknown Type");
            refusal.about(kind).titled(title).among(sources.iter().copied().flatten().map(|source| source.name))
        }
        None => refusal.titled(format!("event {name} of @ has no Type")),
    }
}

fn find(sources: &[&'static [Source]], kind: &str) -> Option<&'static Source> {
    sources.iter().copied().flatten().find(|source| source.name == kind)
}
