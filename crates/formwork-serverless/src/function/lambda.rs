//! The `AWS::Lambda::Function`.

use super::{capacity, code};
use crate::context::{Context, Input};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{attributes, make, tags};

/// Properties that are handed on with their names.
const PASSED: [&str; 26] = [
    "Description",
    "FunctionName",
    "Handler",
    "MemorySize",
    "Role",
    "Runtime",
    "Timeout",
    "VpcConfig",
    "Environment",
    "KmsKeyArn",
    "Layers",
    "ReservedConcurrentExecutions",
    "FileSystemConfigs",
    "ImageConfig",
    "CodeSigningConfigArn",
    "Architectures",
    "SnapStart",
    "EphemeralStorage",
    "RuntimeManagementConfig",
    "LoggingConfig",
    "RecursiveLoop",
    "FunctionScalingConfig",
    "PublishToLatestPublished",
    "TenancyConfig",
    "DurableConfig",
    "PackageType",
];

/// Returns the function without a role that is made.
pub(super) fn translate(cx: &Context, input: &Input) -> Result<Resource, Refusal> {
    let mut function = Resource::new(&input.id, "AWS::Lambda::Function").with(attributes::of_main(&input.resource));
    function.origin = input.origin;
    capacity::check(input)?;
    dead_letter_queue(input, &mut function)?;
    capacity::check_tenants(input)?;
    function.properties = {
        let mut properties = Map::new();
        properties.set("Code", code::of_function(input)?);
        for (name, value) in function.properties.iter() {
            properties.set(name, value.clone());
        }
        properties
    };
    for name in PASSED {
        if let Some(value) = input.properties.get(name).filter(|value| !value.is_null()) {
            function.properties.set_with_key(name, input.properties.key(name), value.clone());
        }
    }
    function.set_some("CapacityProviderConfig", capacity::of_function(input)?);
    function.set("Tags", tags::with_creator(input, tags::OF_FUNCTIONS)?);
    if let Some(mode) = tracing(cx, input)? {
        function.set("TracingConfig", make::map([("Mode", mode.clone())]).at(mode.origin()));
    }
    Ok(function)
}

/// Types of dead letter queues with the action that a function needs.
pub(super) const QUEUES: [(&str, &str); 2] = [("SQS", "sqs:SendMessage"), ("SNS", "sns:Publish")];

fn dead_letter_queue(input: &Input, function: &mut Resource) -> Result<(), Refusal> {
    let Some(queue) = input.get("DeadLetterQueue") else { return Ok(()) };
    let refuse = |sentence: &str| Err(Refusal::new(sentence).at(queue.origin()));
    let (Some(kind), Some(target)) = (true_member(queue, "Type"), true_member(queue, "TargetArn")) else {
        return refuse("'DeadLetterQueue' requires Type and TargetArn properties to be specified.");
    };
    match kind.text() {
        None => refuse("Property 'DeadLetterQueue.Type' should be a string."),
        Some(kind) if QUEUES.iter().all(|(known, _)| *known != kind) => {
            refuse("'DeadLetterQueue' requires Type of ['SQS', 'SNS']")
        }
        Some(_) => {
            function.set("DeadLetterConfig", make::map([("TargetArn", target.clone())]).at(queue.origin()));
            Ok(())
        }
    }
}

fn true_member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.map()?.get_true(name)
}

/// Returns the mode of tracing, if it is on. A reference alone is kept, another call has the values of parameters.
pub(super) fn tracing(cx: &Context, input: &Input) -> Result<Option<Value>, Refusal> {
    let Some(mode) = input.get("Tracing") else { return Ok(None) };
    let resolved = cx.parameters.resolve(mode)?;
    let is_on = resolved.text() != Some("Disabled");
    Ok(Some(if mode.reference().is_some() { mode.clone() } else { resolved }).filter(|_| is_on))
}
