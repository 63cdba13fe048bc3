//! Tags: a mapping becomes a list of keys and values.

use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// The value of the tag of what the transform makes.
const CREATOR: &str = "SAM";

/// The tag of everything that a function or an application becomes.
pub(crate) const OF_FUNCTIONS: &str = "lambda:createdBy";

/// Returns a list of keys and values; a null is an empty string.
pub(crate) fn list(tags: &Map) -> Vec<Value> {
    let tag = |(key, value): (&str, &Value)| {
        let origin = value.origin();
        let value = if value.is_null() { Value::from("").at(origin) } else { value.clone() };
        make::map([("Key", Value::from(key).at(tags.key(key))), ("Value", value)]).at(origin)
    };
    tags.iter().map(tag).collect()
}

/// Returns a list of keys and values in the order of the translator's dictionaries.
pub(crate) fn in_order(tags: &Map) -> Vec<Value> {
    let mut tags = tags.clone();
    tags.reorder(&crate::openapi::ordered(&tags));
    list(&tags)
}

/// Returns the tags of a resource behind the one that names the transform, whose key is `reserved`.
pub(crate) fn with_creator(input: &Input, reserved: &str) -> Result<Value, Refusal> {
    match input.properties.get("Tags").and_then(Value::map).filter(|own| own.has(reserved)) {
        Some(own) => Err(self::reserved(own, reserved)),
        None => Ok(behind_creator(input, reserved)),
    }
}

/// Returns the tags as [`with_creator`] does, whatever their keys.
pub(crate) fn behind_creator(input: &Input, creator: &str) -> Value {
    let own = input.properties.get("Tags").and_then(Value::map);
    let creator = make::map([("Key", creator.into()), ("Value", CREATOR.into())]);
    std::iter::once(creator).chain(own.into_iter().flat_map(list)).collect::<Vec<Value>>().into()
}

/// Returns the refusal of a key that the transform uses itself.
pub(crate) fn reserved(tags: &Map, key: &str) -> Refusal {
    let sentence = format!(
        "{key} is a reserved Tag key name and cannot be set on your resource. Please change the tag key in the input."
    );
    Refusal::new(sentence).at(tags.key(key))
}

/// Returns the tags of an owner with `PropagateTags: true`.
pub(crate) fn propagated(input: &Input) -> Option<&Map> {
    let is_wanted = input.properties.get("PropagateTags").is_some_and(Value::is_true);
    input.get("Tags").and_then(Value::map).filter(|_| is_wanted)
}

/// Sets the tags of an owner that propagates them in all resources that may have tags.
pub(crate) fn propagate(input: &Input, resources: &mut [Resource]) {
    let Some(tags) = propagated(input) else { return };
    for resource in resources.iter_mut().filter(|resource| is_tagged(resource)) {
        resource.set("Tags", list(tags));
    }
}

/// Returns `true` for a resource that gets the tags of its owner.
pub(crate) fn is_tagged(resource: &Resource) -> bool {
    TAGGED.contains(&resource.kind)
}

/// Types whose resources get the tags of their owner.
const TAGGED: [&str; 7] = [
    "AWS::CodeDeploy::Application",
    "AWS::CodeDeploy::DeploymentGroup",
    "AWS::IAM::Role",
    "AWS::IoT::TopicRule",
    "AWS::Lambda::Function",
    "AWS::SQS::Queue",
    "AWS::StepFunctions::StateMachine",
];
