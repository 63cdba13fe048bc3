//! `AWS::Serverless::StateMachine`.

mod alias;
mod definition;

use crate::context::{Context, Input, Translated};
use crate::events::{self, Owner, Target};
use crate::iam::{self, Role};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::Value;
use crate::{attributes, make, tags};

/// The tag of everything that a state machine becomes.
const CREATOR: &str = "stateMachine:createdBy";

/// Properties that are handed on, with their names in the result.
const PASSED: [(&str, &str); 4] = [
    ("Logging", "LoggingConfiguration"),
    ("Name", "StateMachineName"),
    ("Type", "StateMachineType"),
    ("Tracing", "TracingConfiguration"),
];

/// Translates a state machine.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    events::check_machine(input)?;
    let mut machine = Resource::new(&input.id, "AWS::StepFunctions::StateMachine").from(input.origin);
    machine.attributes = attributes::of_main(&input.resource);
    definition::set(input, &mut machine)?;
    for (name, new) in PASSED {
        machine.set_some(new, input.properties.get(name).filter(|value| !value.is_null()).cloned());
    }
    let mut role = role(cx, input)?;
    match (&role, input.get("Role")) {
        (None, Some(role)) => machine.set("RoleArn", role.clone()),
        _ => machine.set("RoleArn", make::get_att(&format!("{}Role", input.id), "Arn")),
    }
    machine.set("Tags", tags::behind_creator(input, CREATOR));
    let events = events::of_state_machine(cx, input, &target(input), role.as_mut())?;
    alias::check(input, "UseAliasAsEventTarget")?;
    alias::check(input, "DeploymentPreference")?;
    let mut made = vec![machine];
    if let Some(role) = role {
        made.push(role.into_resource(input, tags::behind_creator(input, CREATOR)));
    }
    alias::translate(input, &mut made)?;
    made.extend(events);
    tags::propagate(input, &mut made);
    Ok(made)
}

/// Returns the target of events: the state machine, or its alias with `UseAliasAsEventTarget`.
fn target(input: &Input) -> Target {
    let alias = input.get("AutoPublishAlias").filter(|_| input.get("UseAliasAsEventTarget").is_some());
    let id = alias.map_or_else(|| input.id.clone(), |alias| alias::id(input, alias));
    Target { owner: Owner::StateMachine, name: make::reference(&id), arn: make::reference(&id) }
}

/// Returns the role of a state machine that has none.
fn role(cx: &Context, input: &Input) -> Result<Option<Role>, Refusal> {
    match (input.get("Role"), input.get("Policies")) {
        (Some(role), Some(_)) => {
            let sentence = "Specify either 'Role' or 'Policies' (but not both at the same time) or neither of them";
            Err(Refusal::new(sentence).at(role.origin()))
        }
        (Some(_), None) => Ok(None),
        (None, _) => {
            let mut role = Role::new("states.amazonaws.com");
            role.add(cx, input)?;
            let is_traced = input.get("Tracing").and_then(|tracing| tracing.get("Enabled")).and_then(Value::truth);
            let tracing = iam::tracing(&cx.parameters.partition);
            if is_traced == Some(true) && !role.managed.contains(&tracing) {
                role.managed.push(tracing.at(input.get("Tracing").and_then(Value::origin)));
            }
            Ok(Some(role))
        }
    }
}
