//! `ReplicaRegions`: Regions, or groups of Regions.

use std::collections::BTreeSet;

use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Map, Value};

/// Groups of Regions by name.
const GROUPS: [(&str, &[&str]); 5] = [
    ("ap", &["ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-southeast-1", "ap-southeast-2"]),
    ("ca", &["ca-central-1"]),
    ("eu", &["eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3"]),
    ("sa", &["sa-east-1"]),
    ("us", &["us-east-1", "us-east-2", "us-west-1", "us-west-2"]),
];

const INCLUDE: &str = "IncludeRegions";
const EXCLUDE: &str = "ExcludeRegions";

/// Returns the Regions of an endpoint: names sorted, and then what is not a string. A call is handed on.
pub(super) fn of(authored: &Value) -> Result<Value, Refusal> {
    if authored.is_call() {
        return Ok(authored.clone());
    }
    let Some(map) = authored.map() else {
        let (names, others) = expanded(authored)?;
        return Ok(joined(names, others).at(authored.origin()));
    };
    let mut unknown: Vec<&str> = map.keys().filter(|key| *key != INCLUDE && *key != EXCLUDE).collect();
    unknown.sort_unstable();
    if !unknown.is_empty() {
        let sentence = format!(
            "'ReplicaRegions' contains unrecognized keys: {}. Valid keys are: IncludeRegions, ExcludeRegions.",
            shown::list(unknown)
        );
        return Err(Refusal::new(sentence));
    }
    included(map).map(|value| value.at(authored.origin()))
}

fn included(map: &Map) -> Result<Value, Refusal> {
    let (include, exclude) = (map.get_true(INCLUDE), map.get_true(EXCLUDE));
    if include.is_some_and(Value::is_call) || exclude.is_some_and(Value::is_call) {
        let sentence = "'IncludeRegions' and 'ExcludeRegions' do not support top-level intrinsic functions.";
        return Err(Refusal::new(sentence));
    }
    if exclude.is_some() && include.is_none() {
        let sentence = "'ExcludeRegions' requires 'IncludeRegions' to also be specified in 'ReplicaRegions'.";
        return Err(Refusal::new(sentence));
    }
    let nothing = Value::from(Vec::new());
    let (mut names, others) = expanded(include.unwrap_or(&nothing))?;
    let (excluded, calls) = expanded(exclude.unwrap_or(&nothing))?;
    if !calls.is_empty() {
        return Err(Refusal::new("'ExcludeRegions' does not support intrinsic functions in entries."));
    }
    if !excluded.is_empty() && !others.is_empty() {
        let sentence = "'ExcludeRegions' cannot be used when 'IncludeRegions' contains intrinsic functions, because the exclusion cannot be applied to an intrinsic value at transform time.";
        return Err(Refusal::new(sentence));
    }
    names.retain(|name| !excluded.contains(name));
    Ok(joined(names, others))
}

/// Returns the names with groups as their Regions, and what is not a string.
fn expanded(authored: &Value) -> Result<(BTreeSet<String>, Vec<Value>), Refusal> {
    let (mut names, mut others) = (BTreeSet::new(), Vec::new());
    for item in authored.list().unwrap_or(std::slice::from_ref(authored)) {
        let Some(name) = item.text() else {
            others.push(item.clone());
            continue;
        };
        if name.contains('-') {
            names.insert(name.to_owned());
            continue;
        }
        let group = GROUPS.iter().find(|(group, _)| group.eq_ignore_ascii_case(name));
        let Some((_, regions)) = group else {
            let refusal = Refusal::new(format!("Unknown region key or code: '{name}'."));
            return Err(refusal.at(item.origin()).about(name));
        };
        names.extend(regions.iter().map(|region| (*region).to_owned()));
    }
    Ok((names, others))
}

fn joined(names: BTreeSet<String>, others: Vec<Value>) -> Value {
    names.into_iter().map(Value::from).chain(others).collect::<Vec<Value>>().into()
}
