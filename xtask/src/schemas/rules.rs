//! Rules between properties: those of the wheel that `extensions.tsv` names, those that its schemas have beside what
//! becomes a node, and our own, `rules.tsv`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use formwork_schemas::unknown_rule_keywords;
use serde_json::{Map, Value, json};

use super::regions::Regions;
use super::rows;
use super::wheel::Wheel;

/// Keywords of schemas that are rules.
const KEYWORDS: [&str; 5] = ["if", "not", "prefixItems", "uniqueKeys", "dependentSchemas"];
/// Deeper schemas contain themselves.
const DEEPEST: usize = 12;
/// Deeper rules are not understood.
const DEEPEST_RULE: usize = 36;

/// Pairs of a path and a rule as JSON, by type.
pub(crate) type Rules = BTreeMap<String, Vec<(String, String)>>;

/// Reads all rules.
pub(crate) fn read(folder: &Path, wheel: &Wheel, regions: &Regions) -> Result<Rules, String> {
    let mut rules = Rules::new();
    for row in rows(folder, "extensions.tsv", 3)? {
        let [name, path, file] = row.as_slice() else { continue };
        let schema = wheel.extensions.get(file).ok_or_else(|| format!("extensions.tsv: the wheel has no {file}"))?;
        let rule =
            if is_regional(schema) { by_region(schema, path, regions)? } else { inlined(schema, schema, DEEPEST_RULE) };
        add(&mut rules, wheel, (name, path), &rule).map_err(|error| format!("{file}: {error}"))?;
    }
    for row in rows(folder, "rules.tsv", 3)? {
        let [name, path, text] = row.as_slice() else { continue };
        let rule = serde_json::from_str(text).map_err(|error| format!("rules.tsv: {name} {path}: {error}"))?;
        add(&mut rules, wheel, (name, path), &rule).map_err(|error| format!("rules.tsv: {error}"))?;
    }
    for (name, schema) in &wheel.types {
        let mut found = Vec::new();
        collect(schema, schema, &mut Vec::new(), &mut found);
        for (path, rule) in found {
            add(&mut rules, wheel, (name, &path), &rule)?;
        }
    }
    Ok(rules)
}

fn add(rules: &mut Rules, wheel: &Wheel, (name, path): (&str, &str), rule: &Value) -> Result<(), String> {
    let schema = wheel.types.get(name).ok_or_else(|| format!("the wheel has no type {name}"))?;
    let first = path.split('/').next().unwrap_or_default();
    if first != "-" && schema.pointer(&format!("/properties/{first}")).is_none() {
        return Err(format!("{name} has no property {first}"));
    }
    let unknown = unknown_rule_keywords(rule);
    if !unknown.is_empty() {
        return Err(format!("{name} {path}: keywords that are not known: {}", unknown.join(", ")));
    }
    let text = serde_json::to_string(rule).map_err(|error| error.to_string())?;
    rules.entry(name.to_owned()).or_default().push((path.to_owned(), text));
    Ok(())
}

fn is_regional(schema: &Value) -> bool {
    schema.get("us-east-1").is_some()
}

/// Returns one list of all Regions' values: groups of values with the same Regions.
fn by_region(schema: &Value, path: &str, regions: &Regions) -> Result<Value, String> {
    let mut values: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut property: BTreeSet<String> = BTreeSet::new();
    for (region, list) in schema.as_object().into_iter().flatten() {
        let mut found = BTreeSet::new();
        values_of(list, None, &mut found, &mut property);
        for value in found {
            let set = values.entry(value).or_insert_with(|| vec![0; regions.names.len().div_ceil(8)]);
            if let Some(number) = regions.names.iter().position(|name| name == region) {
                set[number / 8] |= 1 << (number % 8);
            }
        }
    }
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (value, set) in values {
        let mut digits = String::with_capacity(set.len() * 2);
        for byte in set {
            let _ = write!(digits, "{byte:02x}");
        }
        groups.entry(digits).or_default().push(value);
    }
    let groups: Vec<Value> = groups.into_iter().map(|(set, values)| json!([set, values.join(" ")])).collect();
    let listed = json!({ "listed": groups });
    // A list that depends on an engine is a rule about one property of the object.
    match property.iter().collect::<Vec<_>>().as_slice() {
        [] => Ok(listed),
        [name] => Ok(json!({ "properties": { name.as_str(): listed } })),
        names => Err(format!("{path}: values of several properties: {names:?}")),
    }
}

/// Collects the values of `enum` of a list, and of the property with the name of a class in conditions on its engine.
fn values_of(value: &Value, name: Option<&str>, found: &mut BTreeSet<String>, property: &mut BTreeSet<String>) {
    let Some(fields) = value.as_object() else { return };
    if let Some(list) = fields.get("enum").and_then(Value::as_array) {
        found.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        property.extend(name.map(str::to_owned));
    }
    for clause in fields.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        values_of(clause, name, found, property);
    }
    if let Some(then) = fields.get("then") {
        values_of(then, name, found, property);
    }
    for (name, inner) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
        values_of(inner, Some(name), found, property);
    }
}

/// Returns a schema without references and descriptions.
fn inlined(value: &Value, root: &Value, left: usize) -> Value {
    let Some(left) = left.checked_sub(1) else { return json!({ "unknown": true }) };
    match value {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
            let target = target.and_then(|pointer| root.pointer(pointer)).map(|target| inlined(target, root, left));
            let mut out = target.and_then(|target| target.as_object().cloned()).unwrap_or_default();
            let is_kept = |name: &str| !matches!(name, "$ref" | "description" | "definitions" | "$comment" | "title");
            let own = fields.iter().filter(|(name, _)| is_kept(name));
            out.extend(own.map(|(name, value)| (name.clone(), inlined(value, root, left))));
            Value::Object(out)
        }
        Value::Array(list) => Value::Array(list.iter().map(|value| inlined(value, root, left)).collect()),
        other => other.clone(),
    }
}

/// Collects the rules of a schema with their paths.
fn collect(node: &Value, root: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Value)>) {
    if path.len() > DEEPEST {
        return;
    }
    let Some(fields) = node.as_object() else { return };
    let rule: Map<String, Value> = fields
        .iter()
        .filter(|(name, _)| KEYWORDS.contains(&name.as_str()) || matches!(name.as_str(), "then" | "else"))
        .map(|(name, value)| (name.clone(), inlined(value, root, DEEPEST_RULE)))
        .collect();
    if !rule.is_empty() && rule.keys().any(|name| KEYWORDS.contains(&name.as_str())) {
        let path = if path.is_empty() { "-".to_owned() } else { path.join("/") };
        found.push((path, Value::Object(rule)));
    }
    let target = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    if let Some(target) = target.and_then(|target| root.pointer(target)) {
        collect(target, root, path, found);
    }
    let mut below = |name: &str, node: &Value, path: &mut Vec<String>| {
        path.push(name.to_owned());
        collect(node, root, path, found);
        path.pop();
    };
    for (name, node) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
        below(name, node, path);
    }
    if let Some(items) = fields.get("items") {
        below("*", items, path);
    }
    for part in fields.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        collect(part, root, path, found);
    }
    // A list is meant by the only alternative that takes one.
    for keyword in ["oneOf", "anyOf"] {
        let parts = fields.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let is_list = |part: &&Value| {
            let target =
                part.get("$ref").and_then(Value::as_str).and_then(|text| root.pointer(text.strip_prefix('#')?));
            [Some(*part), target].into_iter().flatten().any(|node| node.get("type") == Some(&json!("array")))
        };
        let lists: Vec<&Value> = parts.filter(is_list).collect();
        if let [only] = lists.as_slice() {
            collect(only, root, path, found);
        }
    }
}
