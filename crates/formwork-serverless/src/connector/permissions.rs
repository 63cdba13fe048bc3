//! `Permissions` of a connector.

use serde_json::Value as Json;

use crate::facts::Permission;
use crate::refusal::Refusal;
use crate::value::Value;

/// Returns the categories that a connector chooses, with what each grants, in the order of the facts.
pub(super) fn chosen<'a>(
    permission: Permission<'a>,
    wanted: Option<&Value>,
    source: &str,
    destination: &str,
) -> Result<Vec<(&'a str, &'a Json)>, Refusal> {
    let known: Vec<&str> = permission.categories().collect();
    let refused = |sentence: String| Refusal::new(sentence).at(wanted.and_then(Value::origin));
    let names = names(wanted);
    if names.is_empty() {
        return Err(refused(format!("'Permissions' cannot be empty; valid values are: {}.", known.join(", "))));
    }
    let beginning = format!("Unsupported 'Permissions' provided for connector from {source} to {destination};");
    if names.iter().any(|name| !known.contains(name)) {
        return Err(refused(format!("{beginning} valid values are: {}.", known.join(", "))));
    }
    let combinations = permission.properties.get("ValidAccessCategories").and_then(Json::as_array);
    if let Some(combinations) = combinations {
        let combinations: Vec<Vec<&str>> = combinations.iter().map(strings).collect();
        let is_same = |combination: &Vec<&str>| {
            combination.iter().all(|name| names.contains(name)) && names.iter().all(|name| combination.contains(name))
        };
        if !combinations.iter().any(is_same) {
            let combinations: Vec<String> = combinations.iter().map(|names| names.join(" + ")).collect();
            return Err(refused(format!("{beginning} valid combinations are: {}.", combinations.join(", "))));
        }
    }
    let categories = permission.properties.get("AccessCategories").and_then(Json::as_object);
    let categories = categories.into_iter().flatten().map(|(name, grant)| (name.as_str(), grant));
    Ok(categories.filter(|(name, _)| names.contains(name)).collect())
}

/// Returns the wanted categories. Of a mapping with one key, which could be a function, that is the key.
fn names(wanted: Option<&Value>) -> Vec<&str> {
    let Some(wanted) = wanted else { return Vec::new() };
    match (wanted.list(), wanted.map()) {
        (Some(items), _) => items.iter().filter_map(Value::text).collect(),
        (None, Some(map)) => map.keys().collect(),
        (None, None) => Vec::new(),
    }
}

fn strings(list: &Json) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).collect()
}
