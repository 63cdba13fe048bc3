//! The role of a function.

use super::lambda::{QUEUES, tracing};
use crate::context::{Context, Input};
use crate::iam::{self, Role};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::Value;
use crate::{conditions, make};

/// Sets the role of a function if it has none, and returns it with its condition.
pub(super) fn translate(
    cx: &mut Context,
    input: &Input,
    function: &mut Resource,
    policies: Vec<Value>,
) -> Result<Option<(Role, Option<Value>)>, Refusal> {
    let made = make::get_att(&format!("{}Role", input.id), "Arn");
    let Some(own) = function.properties.get("Role") else {
        function.set("Role", made);
        return Ok(Some((role(cx, input, policies)?, None)));
    };
    let Some((condition, is_first)) = missing_branch(own) else { return Ok(None) };
    let Some(condition) = condition else {
        function.set("Role", made);
        return Ok(Some((role(cx, input, policies)?, None)));
    };
    let mut argument = own.call().map(|(_, argument)| argument.clone()).unwrap_or_default();
    let origin = own.origin();
    let at = if is_first { 1 } else { 2 };
    if let Some(branch) = argument.as_list().get_mut(at) {
        *branch = made.at(branch.origin());
    }
    let condition = if is_first {
        condition
    } else {
        let name = condition.text().unwrap_or_default();
        let negated = format!("NOT{name}");
        conditions::add_not(cx, &negated, name)?;
        negated.into()
    };
    function.set("Role", make::call("Fn::If", argument).at(origin));
    Ok(Some((role(cx, input, policies)?, Some(condition))))
}

/// Checks the policies of a function that has a role.
pub(super) fn check(cx: &Context, input: &Input) -> Result<(), Refusal> {
    role(cx, input, Vec::new()).map(|_| ())
}

/// Returns the condition of an `Fn::If` of which one branch has no value, and `true` for the first one; no condition
/// when both have none.
fn missing_branch(role: &Value) -> Option<(Option<Value>, bool)> {
    let (_, argument) = role.call().filter(|(name, _)| *name == "Fn::If")?;
    let [condition, yes, no] = argument.list()? else { return None };
    match (yes.is_no_value(), no.is_no_value()) {
        (true, true) => Some((None, true)),
        (true, false) => Some((Some(condition.clone()), true)),
        (false, true) => Some((Some(condition.clone()), false)),
        (false, false) => None,
    }
}

fn role(cx: &Context, input: &Input, policies: Vec<Value>) -> Result<Role, Refusal> {
    let mut role = Role::new("lambda.amazonaws.com");
    let basic = if input.get("DurableConfig").is_some() {
        "AWSLambdaBasicDurableExecutionRolePolicy"
    } else {
        "AWSLambdaBasicExecutionRole"
    };
    role.managed.push(service_role(cx, basic));
    if let Some(mode) = tracing(cx, input)? {
        role.managed.push(iam::tracing(&cx.parameters.partition).at(mode.origin()));
    }
    if let Some(config) = input.get("VpcConfig") {
        role.managed.push(service_role(cx, "AWSLambdaVPCAccessExecutionRole").at(config.origin()));
    }
    if let Some(queue) = input.get("DeadLetterQueue") {
        role.inline.push(dead_letter_policy(queue));
    }
    role.inline.extend(policies);
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
    make::policy("DeadLetterQueuePolicy", document).at(queue.origin())
}
