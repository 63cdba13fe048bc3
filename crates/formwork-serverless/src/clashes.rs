//! IDs that a template already has.

use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Types that are made with the type that the authored resource of their ID may have.
const ALLOWED: [(&str, &str); 4] = [
    ("AWS::Cognito::UserPool", "AWS::Cognito::UserPool"),
    ("AWS::Lambda::LayerVersion", "AWS::Serverless::LayerVersion"),
    ("AWS::S3::Bucket", "AWS::S3::Bucket"),
    ("AWS::SNS::Topic", "AWS::SNS::Topic"),
];

/// Compares the ID of a resource that is made from `id` with those of the template.
pub(crate) fn find(authored: &Map, id: &str, made: &Resource) -> Option<Refusal> {
    let other = authored.get(&made.id).filter(|_| made.id != id)?;
    let kind = other.get("Type").and_then(Value::text).unwrap_or_default();
    if ALLOWED.contains(&(made.kind, kind)) {
        return None;
    }
    let of_owner = authored.get(id).and_then(Value::origin);
    let origin = made.origin.filter(|_| made.origin != of_owner);
    let sentence = format!(
        "Transforming resource with id [{id}] attempts to create a new resource with id [{}] and type \"{}\". A resource with that id already exists within this template. Please use a different id for that resource.",
        made.id, made.kind
    );
    Some(Refusal::clash(sentence, &made.id).at(origin).other(authored.key(&made.id).or(Value::origin(other))))
}

/// Returns an error for an ID that the template has.
pub(crate) fn check(authored: &Map, id: &str, made: &Resource) -> Result<(), Refusal> {
    find(authored, id, made).map_or(Ok(()), Err)
}
