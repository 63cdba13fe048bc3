//! Events of functions and state machines: each source is a file.
//!
//! A source is a row of [`OF_FUNCTIONS`]: the name in `Type`, its properties, and the function that translates it. The
//! function returns the resources in the order in which the translator makes them, and adds what the owner's role needs.

mod http;
mod logs;
mod rest;

use formwork_syntax::NodeId;

use crate::context::{Context, Input, Translated};
use crate::iam::Role;
use crate::properties::{self, Property};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shown;
use crate::value::{Map, Value};

pub(crate) use rest::any_values;

/// A source of events.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) properties: &'static [Property],
    /// Translates an event. The role is that of the owner, if the transform makes it.
    pub(crate) translate: fn(&mut Context, &Event<'_>, Option<&mut Role>) -> Translated,
}

/// Sources of functions.
const OF_FUNCTIONS: &[Source] = &[http::SOURCE, logs::SOURCE, rest::SOURCE];

/// Sources of state machines.
const OF_STATE_MACHINES: &[Source] = &[rest::OF_STATE_MACHINE];

/// The function or state machine that an event invokes.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// `Ref` of the function or its alias: `FunctionName` of a permission.
    pub(crate) name: Value,
    /// ARN of the function or its alias.
    pub(crate) arn: Value,
}

/// An event of a function or a state machine.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(crate) owner: &'a Input,
    /// The name below `Events`.
    pub(crate) name: &'a str,
    pub(crate) properties: Map,
    pub(crate) origin: Option<NodeId>,
    pub(crate) target: &'a Target,
}

impl Event<'_> {
    /// Returns the ID of the owner and the name of the event.
    pub(crate) fn id(&self) -> String {
        format!("{}{}", self.owner.id, self.name)
    }

    /// Returns the value of a property that is neither null, `false`, zero nor empty.
    #[allow(dead_code, reason = "for sources that are added one by one")]
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.properties.get_true(name)
    }

    /// Returns the value of a property that is not null.
    pub(crate) fn written(&self, name: &str) -> Option<Value> {
        self.properties.get(name).filter(|value| !value.is_null()).cloned()
    }

    /// Returns a resource that the event becomes, with the conditions and policies of the owner.
    pub(crate) fn makes(&self, suffix: &str, kind: &'static str) -> Resource {
        Resource::new(format!("{}{suffix}", self.id()), kind).with(self.owner.passed()).from(self.origin)
    }

    /// Returns the permission of a service to invoke the function.
    pub(crate) fn permission(&self, suffix: &str, principal: &str) -> Resource {
        let mut permission = self.makes(suffix, "AWS::Lambda::Permission");
        permission.set("Action", "lambda:InvokeFunction");
        permission.set("FunctionName", self.target.name.clone());
        permission.set("Principal", principal);
        permission
    }
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

fn of(cx: &mut Context, owner: &Input, target: &Target, mut role: Option<&mut Role>, sources: &[Source]) -> Translated {
    let mut made = Vec::new();
    let events = owner.properties.get("Events").and_then(Value::map);
    for (name, event) in events.into_iter().flat_map(Map::iter) {
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
        let event = Event { owner, name, properties, origin: event.origin(), target };
        made.extend((source.translate)(cx, &event, role.as_deref_mut())?);
    }
    Ok(made)
}

/// Returns the refusal of an event whose type is not known.
fn unknown(name: &str, event: &Value, sources: &[Source]) -> Refusal {
    let kind = event.get("Type");
    let shown = kind.map_or_else(|| "None".to_owned(), shown::plain);
    let sentence = format!("Resource dict has missing or invalid value for key Type. Event Type is: {shown}.");
    let refusal = Refusal::new(sentence).of_event(name).at(kind.and_then(Value::origin)).at(event.origin());
    match kind.and_then(Value::text) {
        Some(kind) => {
            let title = format!("event {name} of @ has an unknown Type");
            refusal.about(kind).titled(title).among(sources.iter().map(|source| source.name))
        }
        None => refusal.titled(format!("event {name} of @ has no Type")),
    }
}

fn find<'s>(sources: &'s [Source], kind: &str) -> Option<&'s Source> {
    sources.iter().find(|source| source.name == kind)
}
