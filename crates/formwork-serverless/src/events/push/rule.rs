//! `Schedule`, `CloudWatchEvent` and `EventBridgeRule`: a rule with one target.

use super::dead_letters::{self, Queue};
use crate::context::{Context, Translated};
use crate::events::event::{Event, Owner};
use crate::iam::{self, Role};
use crate::make;
use crate::properties::{Kind, Property, of};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

const STATE: Property = of("State", Kind::Text);
const ENABLED: Property = of("Enabled", Kind::Bool);
const INPUT: Property = of("Input", Kind::Text);
const INPUT_PATH: Property = of("InputPath", Kind::Text);
const TRANSFORMER: Property = of("InputTransformer", Kind::Map);
const TARGET: Property = of("Target", Kind::Map);
const DEAD_LETTERS: Property = of("DeadLetterConfig", Kind::Map);
const RETRIES: Property = of("RetryPolicy", Kind::Map);
const TIMES: Property = of("Schedule", Kind::Text).required();
const NAME: Property = of("Name", Kind::Text);
const DESCRIPTION: Property = of("Description", Kind::Text);
const BUS: Property = of("EventBusName", Kind::Text);
const RULE_NAME: Property = of("RuleName", Kind::Text);
const EVENTS: Property = of("Pattern", Kind::Map);
const ROLE: Property = of("RoleArn", Kind::Text).without_calls();

// The first wrong property is reported: the order is that of the translator.
pub(super) const SCHEDULE: [Property; 9] =
    [TIMES, RULE_NAME, INPUT, ENABLED, STATE, NAME, DESCRIPTION, DEAD_LETTERS, RETRIES];
pub(super) const SCHEDULE_OF_MACHINE: [Property; 10] =
    [TIMES, INPUT, ENABLED, STATE, NAME, DESCRIPTION, DEAD_LETTERS, RETRIES, TARGET, ROLE];
pub(super) const PATTERN: [Property; 11] =
    [BUS, RULE_NAME, EVENTS, DEAD_LETTERS, RETRIES, INPUT, INPUT_PATH, TARGET, ENABLED, STATE, TRANSFORMER];
pub(super) const PATTERN_OF_MACHINE: [Property; 10] =
    [BUS, RULE_NAME, EVENTS, INPUT, INPUT_PATH, DEAD_LETTERS, RETRIES, STATE, TARGET, TRANSFORMER];

/// Properties of a rule with those of the event that they come from.
type Names = &'static [(&'static str, &'static str)];

const OF_SCHEDULE: Names = &[("Description", "Description"), ("Name", "Name"), ("ScheduleExpression", "Schedule")];
const OF_PATTERN: Names = &[("EventBusName", "EventBusName"), ("EventPattern", "Pattern"), ("Name", "RuleName")];

/// Properties that the target has as they are.
const OF_TARGET: [&str; 4] = ["Input", "InputPath", "RetryPolicy", "InputTransformer"];

/// Translates an event at times.
pub(super) fn scheduled(_: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let state = state(event)?;
    let queue = dead_letters::queue(event)?;
    Ok(rule(event, OF_SCHEDULE, state, queue))
}

/// Translates an event with a pattern.
pub(super) fn matched(_: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let queue = dead_letters::queue(event)?;
    let state = state(event)?;
    Ok(rule(event, OF_PATTERN, state, queue))
}

/// Returns the state of a rule.
fn state(event: &Event<'_>) -> Result<Option<Value>, Refusal> {
    let (state, enabled) = (event.get("State"), event.written("Enabled"));
    match (state, enabled) {
        (Some(state), Some(_)) => {
            let sentence = "State and Enabled Properties cannot both be specified.";
            Err(event.refuse(event.name, sentence, state.origin()))
        }
        (None, Some(enabled)) => {
            let state = if enabled.is_true() { "ENABLED" } else { "DISABLED" };
            Ok(Some(Value::from(state).at(enabled.origin())))
        }
        (state, None) => Ok(state.cloned()),
    }
}

/// Returns the rule and what it needs.
fn rule(event: &Event<'_>, names: Names, state: Option<Value>, queue: Option<Queue>) -> Vec<Resource> {
    let mut rule = event.makes("", "AWS::Events::Rule");
    for (name, own) in names {
        rule.set_some(name, event.written(own));
    }
    rule.set_some("State", state);
    let access = access(event, &rule);
    let mut target = Map::new();
    target.set("Arn", event.target.arn.clone());
    target.set("Id", id(event));
    target.set_some("RoleArn", access.role_arn);
    for name in OF_TARGET {
        target.set_some(name, event.written(name));
    }
    let mut made = Vec::new();
    if let Some(queue) = queue {
        target.set("DeadLetterConfig", make::map([("Arn", queue.arn)]));
        if let Some(queue) = queue.made {
            let policy = dead_letters::policy(event, &queue, &rule);
            made.extend([queue, policy]);
        }
    }
    rule.set("Targets", make::list([target]));
    made.insert(0, rule);
    made.extend(access.made);
    made
}

/// Returns the ID of the target.
fn id(event: &Event<'_>) -> Value {
    if let Some(id) = event.get("Target").and_then(|target| target.get("Id")) {
        return id.clone();
    }
    let suffix = if event.target.owner == Owner::Function { "LambdaTarget" } else { "StepFunctionsTarget" };
    format!("{}{suffix}", event.id()).into()
}

/// What lets a rule invoke its target.
struct Access {
    role_arn: Option<Value>,
    made: Option<Resource>,
}

/// Returns the permission to invoke a function, or the role that starts a state machine.
fn access(event: &Event<'_>, rule: &Resource) -> Access {
    if event.target.owner == Owner::Function {
        let mut permission = event.permission("Permission", "events.amazonaws.com");
        permission.set("SourceArn", rule.get_att("Arn"));
        return Access { role_arn: None, made: Some(permission) };
    }
    if let Some(role) = event.written("RoleArn") {
        return Access { role_arn: Some(role), made: None };
    }
    let mut role = event.makes("Role", "AWS::IAM::Role");
    role.set("AssumeRolePolicyDocument", iam::trust("events.amazonaws.com"));
    let name = format!("{}StartExecutionPolicy", role.id);
    role.set("Policies", make::list([event.invocation(&name)]));
    let boundary = event.owner.properties.get("PermissionsBoundary").filter(|boundary| !boundary.is_null());
    role.set_some("PermissionsBoundary", boundary.cloned());
    Access { role_arn: Some(role.get_att("Arn")), made: Some(role) }
}
