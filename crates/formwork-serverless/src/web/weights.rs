//! `RevisionWeights`: which share of the calls each revision gets.

use super::EndpointType;
use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Data, Map, Value};

/// Compares `RevisionWeights` with the other properties that decide which revisions are called.
pub(super) fn check(input: &Input, endpoint_type: &EndpointType, is_latest: bool) -> Result<(), Refusal> {
    let authored = input.get("RevisionWeights");
    let is_multi = endpoint_type.is_multi_region;
    let sentence = match authored {
        Some(_) if is_latest => "'RevisionWeights' cannot be specified when 'AutoDeploymentMode' is 'LatestRevision'.",
        None if is_latest && is_multi => {
            "'AutoDeploymentMode' must be 'Disabled' when 'EndpointType' is 'MultiRegion'."
        }
        None if !is_latest && !is_multi => {
            "'RevisionWeights' must be specified when 'AutoDeploymentMode' is 'Disabled'. Set 'AutoDeploymentMode' to 'LatestRevision' to route all traffic to the latest revision."
        }
        _ => return Ok(()),
    };
    Err(Refusal::new(sentence).at(authored.and_then(Value::origin).or(input.origin)))
}

/// Returns the weights of the author.
pub(super) fn authored(input: &Input) -> Result<Option<Value>, Refusal> {
    let Some(weights) = input.get("RevisionWeights") else { return Ok(None) };
    list(weights).map(Some).map_err(|refusal| refusal.at(weights.origin()))
}

/// Returns the weight of a revision that is called alone.
pub(super) fn of_revision(revision: &Resource) -> Value {
    let weight = [("RevisionId", revision.get_att("RevisionId")), ("Weight", 100.into())];
    make::list([make::map(weight)])
}

fn list(authored: &Value) -> Result<Value, Refusal> {
    let refused = |sentence: String| Err(Refusal::new(sentence));
    if authored.is_call() {
        return refused(
            "'RevisionWeights' does not support top-level intrinsic functions; provide a map of revision IDs to weights (e.g., {\"rev-id\": 100}). Intrinsic functions may be used for individual weight values.".to_owned(),
        );
    }
    let Some(weights) = authored.map() else {
        return refused(
            "'RevisionWeights' must be a map of revision IDs to weights (e.g., {\"rev-id\": 100}).".to_owned(),
        );
    };
    let mut sum = Some(0);
    for (_, weight) in weights.iter() {
        let number = match weight.data() {
            Data::Number(text) => text.parse::<i64>().ok(),
            Data::Bool(truth) => Some(i64::from(*truth)),
            _ => None,
        };
        match number {
            Some(number) if !(1..=100).contains(&number) => {
                return refused(format!("'RevisionWeights' values must be between 1 and 100, got {number}."));
            }
            Some(number) => sum = sum.map(|sum: i64| sum + number),
            None if is_one_key(weight) => sum = None,
            None => return refused("'RevisionWeights' values must be integers or intrinsic functions.".to_owned()),
        }
    }
    if let Some(sum) = sum.filter(|sum| *sum != 100) {
        return refused(format!("'RevisionWeights' values must sum to 100, got {sum}."));
    }
    Ok(entries(weights).into())
}

/// Returns `true` for what could be a call.
fn is_one_key(value: &Value) -> bool {
    value.map().is_some_and(|map| map.len() == 1)
}

fn entries(weights: &Map) -> Vec<Value> {
    let entry = |(id, weight): (&str, &Value)| {
        make::map([("RevisionId", id.into()), ("Weight", weight.clone())]).at(weight.origin())
    };
    weights.iter().map(entry).collect()
}
