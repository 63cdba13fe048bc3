//! `AutoPublishAlias`: a version and an alias.

use crate::context::{Context, Input};
use crate::hash;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Adds the version of a function, and returns the alias.
pub(super) fn translate(
    cx: &Context,
    input: &Input,
    function: &mut Resource,
    besides: &mut Vec<Resource>,
) -> Result<Option<Resource>, Refusal> {
    let Some(alias) = input.get("AutoPublishAlias") else { return Ok(None) };
    let name = name(cx, alias)?;
    let sha256 = code_sha256(cx, input)?;
    if let Some(code) = function.properties.get("Code") {
        let code = cx.parameters.resolve(code)?;
        function.set("Code", code);
    }
    if let Some(sha256) = &sha256 {
        let description = function.properties.get_true("Description");
        let description = description.map(|description| cx.parameters.resolve(description)).transpose()?;
        function.set("Description", described(description, sha256));
    }
    let version = version(input, function, sha256.as_ref());
    if !version.id.chars().all(|c| c.is_ascii_alphanumeric()) {
        let refusal = Refusal::new("Logical ids must be alphanumeric.").at(sha256.as_ref().and_then(Value::origin));
        return Err(refusal.of_resource(&version.id));
    }
    let suffix: String = name
        .chars()
        .map(|c| match c {
            '-' => 'D',
            '_' => 'U',
            other => other,
        })
        .collect();
    let mut made = input.besides(&format!("Alias{suffix}"), "AWS::Lambda::Alias").from(alias.origin());
    made.set("Name", name.as_str());
    made.set("FunctionName", function.reference());
    made.set("FunctionVersion", version.get_att("Version"));
    made.set_some("ProvisionedConcurrencyConfig", input.get("ProvisionedConcurrencyConfig").cloned());
    besides.push(version);
    Ok(Some(made))
}

fn name(cx: &Context, alias: &Value) -> Result<String, Refusal> {
    let resolved = if alias.reference().is_some() { cx.parameters.resolve(alias)? } else { alias.clone() };
    let Some(name) = resolved.text() else {
        let sentence = "'AutoPublishAlias' must be a string or a Ref to a template parameter";
        return Err(Refusal::new(sentence).at(alias.origin()));
    };
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.chars().all(is_valid) || name.chars().all(|c| c.is_ascii_digit()) {
        let sentence = format!(
            "AutoPublishAlias name ('{name}') must contain only alphanumeric characters, hyphens, or underscores matching (?!^[0-9]+$)([a-zA-Z0-9-_]+) pattern."
        );
        return Err(Refusal::new(sentence).at(alias.origin()));
    }
    Ok(name.to_owned())
}

/// Returns the description of a function with the digits of its code.
fn described(description: Option<Value>, sha256: &Value) -> Value {
    let Some(description) = description else { return sha256.clone() };
    let origin = description.origin();
    match (description.text(), sha256.text()) {
        (Some(text), Some(digits)) => Value::from(format!("{text} {digits}")),
        _ => make::join(" ", vec![description, sha256.clone()]),
    }
    .at(origin)
}

fn code_sha256(cx: &Context, input: &Input) -> Result<Option<Value>, Refusal> {
    let Some(sha256) = input.get("AutoPublishCodeSha256") else { return Ok(None) };
    let resolved = cx.parameters.resolve(sha256)?;
    if resolved.text().is_none() {
        return Err(Refusal::new("AutoPublishCodeSha256 must be a string").at(sha256.origin()));
    }
    Ok(Some(resolved))
}

fn version(input: &Input, function: &Resource, sha256: Option<&Value>) -> Resource {
    let hashed = hashed(input, function);
    let digits = hash::ids::version(&(&hashed).into(), sha256.and_then(Value::text));
    let mut version = input.besides(&format!("Version{digits}"), "AWS::Lambda::Version");
    version.origin = input.properties.get("AutoPublishAlias").and_then(Value::origin);
    if !version.attributes.has("DeletionPolicy") {
        let policy = input.get("VersionDeletionPolicy").cloned().unwrap_or_else(|| default_policy(input).into());
        version.attributes.set("DeletionPolicy", policy);
    }
    version.set_some("Description", input.get("VersionDescription").cloned());
    version.set("FunctionName", make::reference(&input.id));
    version.set_some("FunctionScalingConfig", input.get("FunctionScalingConfig").cloned());
    version
}

/// Returns the deletion policy of versions without one.
fn default_policy(input: &Input) -> &'static str {
    if input.get("CapacityProviderConfig").is_some() { "Delete" } else { "Retain" }
}

/// Returns the data of which the version's ID has the digits: `Code` with what else needs a new version, or everything.
fn hashed(input: &Input, function: &Resource) -> Value {
    if input.get("AutoPublishAliasAllProperties").is_some() {
        return function.properties.clone().into();
    }
    let mut hashed = function.properties.get("Code").cloned().unwrap_or_default();
    let Some(members) = hashed.map_mut() else { return hashed };
    for (name, value) in input.get("Environment").and_then(Value::map).into_iter().flat_map(Map::iter) {
        members.set(name, value.clone());
    }
    members.set_some("MemorySize", input.get("MemorySize").cloned());
    let snap = input.get("SnapStart").filter(|snap| snap.get("ApplyOn").is_some_and(|on| on.text() != Some("None")));
    members.set_some("SnapStart", snap.cloned());
    hashed
}
