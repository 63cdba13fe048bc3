//! `ScheduleV2`: a schedule of the scheduler, with a role.

use super::dead_letters::{self, Queue};
use crate::context::{Context, Translated};
use crate::events::event::{Event, Owner};
use crate::iam::{self, Role};
use crate::make;
use crate::properties::{Kind, Property, of};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

pub(super) const PROPERTIES: [Property; 16] = [
    of("PermissionsBoundary", Kind::Text),
    of("ScheduleExpression", Kind::Text).required(),
    of("FlexibleTimeWindow", Kind::Map),
    of("Name", Kind::Text),
    of("State", Kind::Text),
    of("Description", Kind::Text),
    of("StartDate", Kind::Text),
    of("EndDate", Kind::Text),
    of("ScheduleExpressionTimezone", Kind::Text),
    of("GroupName", Kind::Text),
    of("KmsKeyArn", Kind::Text),
    of("Input", Kind::Text),
    of("RoleArn", Kind::Text),
    of("DeadLetterConfig", Kind::Map),
    of("RetryPolicy", Kind::Map),
    of("OmitName", Kind::Bool).without_calls(),
];

/// Properties that the schedule has as they are.
const SAME: [&str; 7] = [
    "ScheduleExpression",
    "Description",
    "StartDate",
    "EndDate",
    "ScheduleExpressionTimezone",
    "GroupName",
    "KmsKeyArn",
];

/// Translates an event.
pub(super) fn translate(_: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let name = name(event)?;
    let queue = dead_letters::queue(event)?;
    let mut schedule = event.makes("", "AWS::Scheduler::Schedule");
    for name in SAME {
        schedule.set_some(name, event.written(name));
    }
    let window = event.get("FlexibleTimeWindow").cloned();
    schedule.set("FlexibleTimeWindow", window.unwrap_or_else(|| make::map([("Mode", "OFF".into())])));
    schedule.set_some("Name", name);
    schedule.set_some("State", event.get("State").cloned());
    let own = event.get("RoleArn").cloned();
    let role = if own.is_none() { Some(role(event, queue.as_ref())) } else { None };
    let mut target = Map::new();
    target.set("Arn", event.target.arn.clone());
    target.set_some("RoleArn", own.or_else(|| role.as_ref().map(|role| role.get_att("Arn"))));
    target.set_some("Input", event.written("Input"));
    target.set_some("DeadLetterConfig", queue.as_ref().map(|queue| make::map([("Arn", queue.arn.clone())])));
    target.set_some("RetryPolicy", event.written("RetryPolicy"));
    schedule.set("Target", target);
    let mut made = vec![schedule];
    made.extend(queue.and_then(|queue| queue.made));
    made.extend(role);
    Ok(made)
}

/// Returns the name of the schedule: that of the event, else its ID.
fn name(event: &Event<'_>) -> Result<Option<Value>, Refusal> {
    match (event.get("OmitName"), event.get("Name")) {
        (Some(_), Some(name)) => {
            Err(event.refuse(&event.id(), "Name cannot be set when OmitName is True", name.origin()))
        }
        (Some(_), None) => Ok(None),
        (None, name) => Ok(Some(name.cloned().unwrap_or_else(|| event.id().into()))),
    }
}

/// Returns the role of the scheduler.
fn role(event: &Event<'_>, queue: Option<&Queue>) -> Resource {
    let mut role = event.makes("Role", "AWS::IAM::Role");
    role.set("AssumeRolePolicyDocument", iam::trust("scheduler.amazonaws.com"));
    let suffix = if event.target.owner == Owner::Function { "LambdaPolicy" } else { "StartExecutionPolicy" };
    let mut policies = vec![event.invocation(&format!("{}{suffix}", event.id()))];
    if let Some(queue) = queue.filter(|queue| queue.arn.is_true()) {
        let statement = make::map([
            ("Action", "sqs:SendMessage".into()),
            ("Effect", "Allow".into()),
            ("Resource", queue.arn.clone()),
        ]);
        let name = format!("{}SQSPolicy", event.id());
        policies.push(make::policy(&name, make::map([("Statement", make::list([statement]))])));
    }
    role.set("Policies", policies);
    role.set_some("PermissionsBoundary", event.get("PermissionsBoundary").cloned());
    role
}
