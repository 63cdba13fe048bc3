//! Which string each generated logical ID is a digest of.

use super::data::{Data, Text};
use super::dict::Dict;
use super::{DIGITS, digest, python_str, short_digest, sorted_json, spaced_json};

/// Separates the parts that decide about a new deployment.
const BARS: &str = "||";

/// The data that a deployment of an `AWS::ApiGateway::RestApi` depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deployment<'a> {
    pub(crate) body: &'a Data,
    pub(crate) open_api_version: Option<&'a Data>,
    /// `Domain` of the API, with what the transform has added to it.
    pub(crate) domain: Option<&'a Data>,
    /// `FunctionName` of the functions with events of the API, one after another, once per event.
    pub(crate) function_names: &'a str,
}

/// Returns all 40 digits of a deployment: ten are part of its ID, all of its description.
pub(crate) fn rest_deployment(parts: Deployment<'_>) -> String {
    let mut text = python_str(parts.body);
    let version = parts.open_api_version.map(python_str);
    let domain = parts.domain.map(spaced_json);
    let names = Some(parts.function_names.to_owned()).filter(|names| !names.is_empty());
    for part in [version, domain, names].into_iter().flatten() {
        text.push_str(BARS);
        text.push_str(&part);
    }
    digest(&text)
}

/// Returns the digits of a function's version: the first of `AutoPublishCodeSha256` itself, or those of `Code`, or of all
/// properties with `AutoPublishAliasAllProperties` (without a role that the transform generates).
pub(crate) fn version(hashed: &Data, code_sha256: Option<&str>) -> String {
    match code_sha256 {
        Some(sha256) => sha256.chars().take(DIGITS).collect(),
        None => short_digest(&sorted_json(hashed)),
    }
}

/// Attributes of a layer whose changes do not publish a new version.
const UNHASHED: [&str; 3] = ["DeletionPolicy", "UpdateReplacePolicy", "Metadata"];

/// Returns the digits of a layer: those of the authored `AWS::Serverless::LayerVersion` below its ID, with the values of
/// parameters.
pub(crate) fn layer(id: &str, resource: &Dict) -> String {
    let mut hashed = resource.clone();
    for attribute in UNHASHED {
        hashed.remove(attribute);
    }
    let mut outer = Dict::default();
    outer.insert(Text { value: id.to_owned(), is_unicode: true }, Data::Map(hashed));
    short_digest(&sorted_json(&Data::Map(outer)))
}
