//! `CapacityProviderConfig`, and which properties exclude or need each other.

use crate::context::Input;
use crate::events;
use crate::make;
use crate::model::{self, Field, Kind};
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// Keys of `CapacityProviderConfig` with their names in the function.
const MEMBERS: [(Field, &str); 3] = [
    (Field { name: "Arn", kinds: &[Kind::Map, Kind::Text], is_required: true }, "CapacityProviderArn"),
    (
        Field { name: "PerExecutionEnvironmentMaxConcurrency", kinds: &[Kind::Map, Kind::Whole], is_required: false },
        "PerExecutionEnvironmentMaxConcurrency",
    ),
    (
        Field {
            name: "ExecutionEnvironmentMemoryGiBPerVCpu",
            kinds: &[Kind::Map, Kind::Whole, Kind::Number],
            is_required: false,
        },
        "ExecutionEnvironmentMemoryGiBPerVCpu",
    ),
];

/// Properties that may not be written beside `CapacityProviderConfig`.
const EXCLUDED: [&str; 2] = ["ProvisionedConcurrencyConfig", "VpcConfig"];

/// Properties that need another one.
const NEEDED: [(&str, &str); 2] =
    [("FunctionScalingConfig", "CapacityProviderConfig"), ("VersionDeletionPolicy", "AutoPublishAlias")];

/// Properties that a function of several tenants may not have.
const WITHOUT_TENANTS: [(&str, &str); 3] = [
    ("ProvisionedConcurrencyConfig", "Provisioned concurrency is"),
    ("FunctionUrlConfig", "Function URL is"),
    ("SnapStart", "SnapStart is"),
];

/// Compares properties that exclude or need each other.
pub(super) fn check(input: &Input) -> Result<(), Refusal> {
    let written = |name: &str| input.properties.get(name).filter(|value| !value.is_null());
    let (mut sentences, mut at) = (Vec::new(), None);
    for other in EXCLUDED {
        if let (Some(_), Some(value)) = (written("CapacityProviderConfig"), written(other)) {
            sentences.push(format!("Cannot specify 'CapacityProviderConfig' and '{other}' together."));
            at = at.or(value.origin());
        }
    }
    for (name, needed) in NEEDED {
        if let (Some(value), None) = (written(name), written(needed)) {
            sentences.push(format!("'{name}' requires '{needed}'."));
            at = at.or(value.origin());
        }
    }
    if sentences.is_empty() { Ok(()) } else { Err(Refusal::new(sentences.join("\n")).at(at)) }
}

/// Compares the properties of a function of several tenants.
pub(super) fn check_tenants(input: &Input) -> Result<(), Refusal> {
    if input.get("TenancyConfig").is_none() {
        return Ok(());
    }
    match WITHOUT_TENANTS.into_iter().find_map(|(name, words)| Some((words, input.get(name)?))) {
        Some((words, value)) => {
            let sentence = format!("{words} not supported for functions enabled with tenancy configuration.");
            Err(Refusal::new(sentence).at(value.origin()))
        }
        None => events::check_tenants(input),
    }
}

/// Returns the `CapacityProviderConfig` of the function.
pub(super) fn of_function(input: &Input) -> Result<Option<Value>, Refusal> {
    let Some(config) = input.get("CapacityProviderConfig") else { return Ok(None) };
    let fields = MEMBERS.map(|(field, _)| field);
    let found = model::check("CapacityProviderConfig", &fields, config)?;
    let members: Map =
        MEMBERS.iter().filter_map(|(field, name)| Some((*name, found.get(field.name)?.clone()))).collect();
    let members = Value::from(members).at(config.origin());
    Ok(Some(make::map([("LambdaManagedInstancesCapacityProviderConfig", members)]).at(config.origin())))
}
