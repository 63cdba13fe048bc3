//! The role of a function.

use super::lambda::QUEUES;
use crate::context::{Context, Input};
use crate::iam::{self, Role};
use crate::make;
use crate::refusal::Refusal;
use crate::value::Value;

/// Returns the role.
pub(super) fn translate(cx: &Context, input: &Input) -> Result<Role, Refusal> {
    let mut role = Role::new("lambda.amazonaws.com");
    let basic = if input.get("DurableConfig").is_some() {
        "AWSLambdaBasicDurableExecutionRolePolicy"
    } else {
        "AWSLambdaBasicExecutionRole"
    };
    role.managed.push(service_role(cx, basic));
    if let Some(mode) = input.get("Tracing").filter(|mode| mode.text() != Some("Disabled")) {
        role.managed.push(iam::managed_arn(&cx.parameters.partition, "AWSXrayWriteOnlyAccess").at(mode.origin()));
    }
    if let Some(config) = input.get("VpcConfig") {
        role.managed.push(service_role(cx, "AWSLambdaVPCAccessExecutionRole").at(config.origin()));
    }
    if let Some(queue) = input.get("DeadLetterQueue") {
        role.inline.push(dead_letter_policy(queue));
    }
    role.add(cx, input)?;
    Ok(role)
}

fn service_role(cx: &Context, name: &str) -> Value {
    iam::managed_arn(&cx.parameters.partition, &format!("service-role/{name}"))
}

fn dead_letter_policy(queue: &Value) -> Value {
    let kind = queue.get("Type").and_then(Value::text).unwrap_or_default();
    let action = QUEUES.iter().find(|(known, _)| *known == kind).map_or("", |(_, action)| action);
    let statement = make::map([
        ("Action", action.into()),
        ("Resource", queue.get("TargetArn").cloned().unwrap_or_default()),
        ("Effect", "Allow".into()),
    ]);
    let document = make::map([("Version", iam::VERSION.into()), ("Statement", make::list([statement]))]);
    iam::policy("DeadLetterQueuePolicy", document).at(queue.origin())
}
