//! `Code` of a function, and its package type.

use crate::context::Input;
use crate::refusal::Refusal;
use crate::value::Value;
use crate::{artifact, make, shown};

/// Returns `Code`.
pub(super) fn of_function(input: &Input) -> Result<Value, Refusal> {
    let package = input.properties.get("PackageType").filter(|kind| kind.is_true());
    let is_image = match package.map(Value::text) {
        Some(Some("Zip")) => false,
        Some(Some("Image")) => true,
        Some(_) => return Err(unknown_package(package)),
        None => false,
    };
    if is_image {
        return image(input);
    }
    let mut code = archive(input)?;
    if let (Some(key), true) = (input.get("SourceKMSKeyArn"), code.map().is_some()) {
        code.as_map().set("SourceKMSKeyArn", key.clone());
    }
    Ok(code)
}

fn unknown_package(package: Option<&Value>) -> Refusal {
    let origin = package.and_then(Value::origin);
    let shown = package.map(shown::plain).unwrap_or_default();
    Refusal::new(format!("invalid 'PackageType' : {shown}")).at(origin)
}

fn image(input: &Input) -> Result<Value, Refusal> {
    let Some(image) = input.properties.get("ImageUri").filter(|image| !image.is_null()) else {
        return Err(Refusal::new("'ImageUri' must be set."));
    };
    if !image.is_true() {
        let sentence = "'ImageUri' requires that a image hosted at a registry be specified.";
        return Err(Refusal::new(sentence).at(image.origin()));
    }
    if let Some(first) = ["Runtime", "Handler", "Layers"].into_iter().find_map(|name| input.get(name)) {
        let sentence = "Runtime, Handler, Layers cannot be present when PackageType is of type `Image`";
        return Err(Refusal::new(sentence).at(first.origin()));
    }
    Ok(make::map([("ImageUri", image.clone())]).at(image.origin()))
}

fn archive(input: &Input) -> Result<Value, Refusal> {
    let written = |name: &str| input.properties.get(name).filter(|value| !value.is_null());
    let code = match (written("InlineCode"), written("CodeUri")) {
        (Some(text), _) => make::map([("ZipFile", text.clone())]).at(text.origin()),
        (None, Some(location)) => artifact::location(location, "CodeUri", &artifact::CODE)?,
        (None, None) => return Err(Refusal::new("Only one of 'InlineCode' or 'CodeUri' can be set.")),
    };
    if input.get("Runtime").is_none() || input.get("Handler").is_none() {
        return Err(Refusal::new("Runtime and Handler needs to be present when PackageType is of type `Zip`"));
    }
    if let Some(image) = input.get("ImageConfig") {
        let sentence = "ImageUri or ImageConfig cannot be present when PackageType is of type `Zip`";
        return Err(Refusal::new(sentence).at(image.origin()));
    }
    Ok(code)
}
