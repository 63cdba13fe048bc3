//! `AWS::Serverless::LayerVersion`: its ID ends in digits, since a layer version never changes.

use crate::context::{Context, Input, Translated};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{artifact, attributes, hash};

/// Translates a layer version.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    let mut properties = input.properties.clone();
    for name in ["LayerName", "Description", "LicenseInfo", "RetentionPolicy"] {
        if let Some(value) = properties.get_mut(name) {
            *value = cx.parameters.resolve(value)?;
        }
    }
    let policy = retention(&properties)?;
    let id = format!("{}{}", input.id, digits(input, &properties));
    let refuse = |refusal: Refusal| refusal.of_resource(&id);
    let mut layer = Resource::new(&id, "AWS::Lambda::LayerVersion").from(input.origin);
    layer.attributes = attributes::of_stack(&input.resource);
    if let Some(policy) = policy.or_else(|| Some("Retain").filter(|_| !layer.attributes.has("DeletionPolicy"))) {
        layer.attributes.set("DeletionPolicy", policy);
    }
    if let Some(location) = properties.get("ContentUri") {
        layer.set("Content", artifact::location(location, "ContentUri", &artifact::CODE).map_err(refuse)?);
    }
    let name = properties.get_true("LayerName").cloned();
    layer.set("LayerName", name.unwrap_or_else(|| input.id.as_str().into()));
    for name in ["Description", "CompatibleArchitectures", "CompatibleRuntimes", "LicenseInfo"] {
        layer.set_some(name, properties.get(name).filter(|value| !value.is_null()).cloned());
    }
    architectures(&properties).map_err(refuse)?;
    cx.references.add_renamed(&input.id, &id);
    Ok(vec![layer])
}

/// Returns the digits of the ID: those of the authored resource, with the values of parameters in some properties.
fn digits(input: &Input, properties: &Map) -> String {
    let mut resource = input.resource.clone();
    let written = properties.iter().filter(|(_, value)| !value.is_null());
    resource.set("Properties", written.map(|(name, value)| (name, value.clone())).collect::<Map>());
    if !resource.get("DependsOn").is_some_and(Value::is_true) {
        resource.remove("DependsOn");
    }
    match (&Value::from(resource)).into() {
        hash::Data::Map(resource) => hash::ids::layer(&input.id, &resource),
        _ => String::new(),
    }
}

/// Returns the deletion policy of a `RetentionPolicy`.
fn retention(properties: &Map) -> Result<Option<&'static str>, Refusal> {
    let Some(policy) = properties.get("RetentionPolicy").filter(|policy| !policy.is_null()) else { return Ok(None) };
    let refuse = |sentence: &str| Err(Refusal::new(sentence).at(policy.origin()));
    match policy.text() {
        Some(text) if text.eq_ignore_ascii_case("Retain") => Ok(Some("Retain")),
        Some(text) if text.eq_ignore_ascii_case("Delete") => Ok(Some("Delete")),
        Some(_) => refuse("'RetentionPolicy' must be one of the following options: ['Retain', 'Delete']."),
        None if policy.is_call() => refuse(
            "'RetentionPolicy' does not accept intrinsic functions, please use one of the following options: ['Retain', 'Delete']",
        ),
        None => refuse("Invalid 'RetentionPolicy' type, please use one of the following options: ['Retain', 'Delete']"),
    }
}

fn architectures(properties: &Map) -> Result<(), Refusal> {
    let architectures = properties.get("CompatibleArchitectures");
    let is_known = |one: &Value| one.is_call() || matches!(one.text(), Some("x86_64" | "arm64"));
    let items = architectures.filter(|value| !value.is_call()).and_then(Value::list).unwrap_or_default();
    match items.iter().find(|one| !is_known(one)) {
        Some(wrong) => {
            let sentence = "CompatibleArchitectures needs to be a list of 'x86_64' or 'arm64'";
            Err(Refusal::new(sentence).at(wrong.origin()))
        }
        None => Ok(()),
    }
}
