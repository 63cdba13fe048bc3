//! `AWS::Serverless::CapacityProvider`.

use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::make;
use crate::operator;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shape::Shape::{Any, AnyDict, CallOrNumber, CallOrTexts, Object};
use crate::shape::{self, Field, may, must};
use crate::tags;
use crate::value::{Map, Value};

/// The managed policy of the role that launches instances.
const OPERATOR: &str = "AWSLambdaManagedEC2ResourceOperator";

/// Keys of the properties, in the order in which the translator looks at them.
const FIELDS: &[Field] = &[
    may("CapacityProviderName", Any),
    must("VpcConfig", Object(&[may("SecurityGroupIds", CallOrTexts), must("SubnetIds", CallOrTexts)])),
    may("OperatorRole", Any),
    may("Tags", AnyDict),
    may("PropagateTags", Any),
    may("InstanceRequirements", Object(INSTANCES)),
    may("ScalingConfig", Object(SCALING)),
    may("LoggingConfig", Any),
    may("ManagedResourceTags", Object(&[may("Tags", AnyDict)])),
    may("KmsKeyArn", Any),
];

const INSTANCES: &[Field] =
    &[may("Architectures", CallOrTexts), may("AllowedTypes", CallOrTexts), may("ExcludedTypes", CallOrTexts)];

const SCALING: &[Field] =
    &[may("MaxVCpuCount", CallOrNumber("integer")), may("AverageCPUUtilization", CallOrNumber("number"))];

/// Translates a capacity provider.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    let mut misfits = Vec::new();
    let around = Value::default().at(input.origin);
    shape::check_fields(FIELDS, &input.properties, &around, "", &mut misfits);
    shape::refuse_all(&misfits)?;
    let mut provider = Resource::new(input.id.as_str(), "AWS::Lambda::CapacityProvider");
    provider = provider.with(attributes::of_main(&input.resource)).from(input.origin);
    provider.set_some("CapacityProviderName", input.get("CapacityProviderName").cloned());
    provider.set(
        "VpcConfig",
        part(input, "VpcConfig", &[("SubnetIds", "SubnetIds"), ("SecurityGroupIds", "SecurityGroupIds")]),
    );
    let (arn, role) = operator::role(cx, input, "OperatorRole", OPERATOR);
    provider.set("PermissionsConfig", make::map([("CapacityProviderOperatorRoleArn", arn)]));
    provider.set("Tags", operator::tags(input));
    instances(input, &mut provider)?;
    scaling(input, &mut provider);
    provider.set_some("KmsKeyArn", input.get("KmsKeyArn").cloned());
    if let Some(logging) = input.get("LoggingConfig") {
        provider.set("TelemetryConfig", make::map([("LoggingConfig", logging.clone())]));
    }
    managed_tags(input, &mut provider);
    Ok(std::iter::once(provider).chain(role).collect())
}

/// Returns the values of a part under other names, as the translator reads them. Nulls are left out.
fn part(input: &Input, name: &str, names: &[(&str, &str)]) -> Value {
    let part = input.properties.get(name);
    let mut out = Map::new();
    for (old, new) in names {
        let value = part.and_then(|part| part.get(old)).filter(|value| !value.is_null());
        out.set_some(new, value.map(strings));
    }
    Value::from(out).at(part.and_then(Value::origin))
}

/// Returns a list of strings: other scalars as strings, a list of pairs as a mapping.
fn strings(value: &Value) -> Value {
    if let Some(map) = shape::pairs(value) {
        return map;
    }
    let Some(items) = value.list().filter(|items| items.iter().any(|item| item.text().is_none())) else {
        return value.clone();
    };
    let item = |item: &Value| match shape::text(item) {
        Some(text) if item.text().is_none() => Value::from(text).at(item.origin()),
        _ => shape::pairs(item).unwrap_or_else(|| item.clone()),
    };
    let new = Value::from(items.iter().map(item).collect::<Vec<Value>>());
    if new == *value { value.clone() } else { new.at(value.origin()) }
}

fn instances(input: &Input, provider: &mut Resource) -> Result<(), Refusal> {
    let Some(authored) = input.properties.get("InstanceRequirements").filter(|part| !part.is_null()) else {
        return Ok(());
    };
    let has = |name: &str| authored.get(name).is_some_and(|value| !value.is_null());
    if has("AllowedTypes") && has("ExcludedTypes") {
        let sentence =
            "Cannot specify 'InstanceRequirements.AllowedTypes' and 'InstanceRequirements.ExcludedTypes' together.";
        return Err(Refusal::new(sentence).at(authored.origin()));
    }
    let names = [
        ("Architectures", "Architectures"),
        ("AllowedTypes", "AllowedInstanceTypes"),
        ("ExcludedTypes", "ExcludedInstanceTypes"),
    ];
    let part = part(input, "InstanceRequirements", &names);
    if part.is_true() {
        provider.set("InstanceRequirements", part);
    }
    Ok(())
}

fn scaling(input: &Input, provider: &mut Resource) {
    let authored = input.properties.get("ScalingConfig");
    let number = |name: &str, kind: &str| {
        let value = authored?.get(name).filter(|value| !value.is_null())?;
        Some(shape::pairs(value).or_else(|| shape::number(value, kind)).unwrap_or_else(|| value.clone()))
    };
    let (most, average) = (number("MaxVCpuCount", "integer"), number("AverageCPUUtilization", "number"));
    if most.is_none() && average.is_none() {
        return;
    }
    let mut config = Map::new();
    config.set_some("MaxVCpuCount", most);
    config.set("ScalingMode", if average.is_some() { "Manual" } else { "Auto" });
    if let Some(average) = average {
        let policy = make::map([
            ("PredefinedMetricType", "LambdaCapacityProviderAverageCPUUtilization".into()),
            ("TargetValue", average),
        ]);
        config.set("ScalingPolicies", make::list([policy]));
    }
    provider.set("CapacityProviderScalingConfig", Value::from(config).at(authored.and_then(Value::origin)));
}

fn managed_tags(input: &Input, provider: &mut Resource) {
    let authored = input.properties.get("ManagedResourceTags").and_then(|part| part.get("Tags"));
    let Some(authored) = authored.filter(|tags| !tags.is_null()) else { return };
    let pairs = shape::pairs(authored);
    let own = pairs.as_ref().unwrap_or(authored).map().cloned().unwrap_or_default();
    let tags = make::map([("Mode", "Explicit".into()), ("ExplicitTags", tags::list(&own).into())]);
    provider.set("PropagateTags", tags.at(authored.origin()));
}
