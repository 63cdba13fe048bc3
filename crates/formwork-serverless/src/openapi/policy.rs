//! `ResourcePolicy`: who may call an API.

use super::paths::any_values;
use super::{ANY, contents, copies, ordered, ordered_at};
use crate::make;
use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Map, Value};

pub(super) const KEY: &str = "x-amazon-apigateway-policy";

/// Adds the policy of an API for all its paths.
pub(crate) fn add(body: &mut Map, policy: &Map, stage: &Value) -> Result<(), Refusal> {
    let paths = body.get("paths").and_then(Value::map);
    let paths = paths.map(|paths| ordered_at(paths, copies(body))).unwrap_or_default();
    let is_path = |path: &&str| body.get("paths").and_then(|paths| paths.get(path)).is_some_and(|path| !path.is_null());
    let of_paths: Vec<Vec<Value>> =
        paths.into_iter().filter(is_path).map(|path| resources(body, path, policy, stage)).collect();
    if !of_paths.is_empty() {
        body.entry(KEY, Map::new());
    }
    for resources in of_paths {
        add_lists(body, policy, &resources)?;
    }
    add_custom(body, policy);
    Ok(())
}

/// Adds the policy of an event for all methods of its path.
pub(crate) fn add_for(body: &mut Map, policy: &Map, path: &str, stage: &Value) -> Result<(), Refusal> {
    let resources = resources(body, path, policy, stage);
    body.entry(KEY, Map::new());
    add_lists(body, policy, &resources)?;
    add_custom(body, policy);
    Ok(())
}

/// Returns the resources of all methods of a path.
fn resources(body: &Map, path: &str, policy: &Map, stage: &Value) -> Vec<Value> {
    let items = body.get("paths").and_then(|paths| paths.get(path)).map(contents).unwrap_or_default();
    let methods = items.into_iter().flat_map(|item| ordered_at(item, copies(body)));
    methods.map(|method| resource(path, method, stage, policy)).collect()
}

/// Sets the time of the changes of the policy. Statements are only added, at the end.
pub(super) fn stamp(body: &mut Map, time: i32) {
    let Some(policy) = body.stamped(KEY).and_then(Value::map_for_history) else { return };
    policy.history_from(time).stamp(time);
    let Some(statements) = policy.stamped("Statement") else { return };
    statements.stamp_new_items(time);
}

fn resource(path: &str, method: &str, stage: &Value, policy: &Map) -> Value {
    let method = if [ANY, "any"].contains(&method) { "*".to_owned() } else { method.to_uppercase() };
    let path = any_values(path);
    let text = Value::from(format!("execute-api:/${{__Stage__}}/{method}{path}"))
        .at(policy.iter().find_map(|(_, value)| value.origin()));
    make::call("Fn::Sub", make::list([text, make::map([("__Stage__", stage.clone())])]))
}

fn statements(body: &mut Map) -> &mut Value {
    let policy = body.entry(KEY, Map::new()).as_map();
    if !policy.has("Version") {
        policy.set("Version", "2012-10-17");
    }
    policy.entry("Statement", Value::default())
}

/// Adds the authored statements that the policy does not have.
fn add_custom(body: &mut Map, policy: &Map) {
    let Some(custom) = policy.get_true("CustomStatements") else { return };
    let statements = statements(body);
    if statements.is_null() {
        *statements = custom.clone();
        return;
    }
    let own = custom.list().unwrap_or(std::slice::from_ref(custom));
    let statements = list(statements);
    for one in own {
        if !statements.contains(one) {
            statements.push(one.clone());
        }
    }
}

/// Returns the list of statements; a single one becomes its first.
fn list(statements: &mut Value) -> &mut Vec<Value> {
    if statements.map().is_some() {
        *statements = Value::from(vec![std::mem::take(statements)]);
    }
    statements.as_list()
}

/// Ranges of addresses: the list, and the operator of the condition that denies.
const ADDRESSES: [(&str, &str); 2] = [("IpRangeWhitelist", "NotIpAddress"), ("IpRangeBlacklist", "IpAddress")];

/// Networks: the words of the lists, and the operator of the condition that denies.
const NETWORKS: [(&str, &str); 2] = [("Blacklist", "StringEquals"), ("Whitelist", "StringNotEquals")];

fn add_lists(body: &mut Map, policy: &Map, resources: &[Value]) -> Result<(), Refusal> {
    for (name, effect) in [("AwsAccountWhitelist", "Allow"), ("AwsAccountBlacklist", "Deny")] {
        let Some(accounts) = policy.get_true(name) else { continue };
        if accounts.map().is_none() && accounts.list().is_none() {
            let sentence = format!("Type of '{}' must be a list or dictionary", shown::plain(accounts));
            return Err(Refusal::alone(sentence).at(accounts.origin()));
        }
        let who = make::map([("AWS", listed(accounts))]);
        push(body, statement(effect, resources, who, None));
    }
    for (name, operator) in ADDRESSES {
        if let Some(ranges) = policy.get_true(name) {
            deny(body, resources, make::map([(operator, make::map([("aws:SourceIp", listed(ranges))]))]));
        }
    }
    for (word, operator) in NETWORKS {
        let (mut networks, mut endpoints) = sources(policy, word)?;
        networks.extend(each(policy, &format!("IntrinsicVpc{word}"))?);
        endpoints.extend(each(policy, &format!("IntrinsicVpce{word}"))?);
        let mut condition = Map::new();
        if !networks.is_empty() {
            condition.set("aws:SourceVpc", networks);
        }
        if !endpoints.is_empty() {
            condition.set("aws:SourceVpce", endpoints);
        }
        if !condition.is_empty() {
            deny(body, resources, make::map([(operator, condition.into())]));
        }
    }
    Ok(())
}

/// Returns a list; other data is its only item.
fn listed(value: &Value) -> Value {
    if value.list().is_some() { value.clone() } else { make::list([value.clone()]) }
}

/// Returns the networks and the endpoints of a list of both.
fn sources(policy: &Map, word: &str) -> Result<(Vec<Value>, Vec<Value>), Refusal> {
    let name = format!("SourceVpc{word}");
    let (mut networks, mut endpoints) = (Vec::new(), Vec::new());
    for one in each(policy, &name)? {
        let Some(text) = one.text() else {
            let sentence = format!(
                "{name} must be a list of strings. Use IntrinsicVpc{word} instead for values that use Intrinsic Functions"
            );
            return Err(Refusal::alone(sentence).at(one.origin()));
        };
        if text.starts_with("vpce-") {
            endpoints.push(one);
        } else if text.starts_with("vpc-") {
            networks.push(one);
        }
    }
    Ok((networks, endpoints))
}

/// Returns what Python iterates over: items, keys, or characters.
fn each(policy: &Map, name: &str) -> Result<Vec<Value>, Refusal> {
    let Some(value) = policy.get_true(name) else { return Ok(Vec::new()) };
    match (value.list(), value.map(), value.text()) {
        (Some(items), ..) => Ok(items.to_vec()),
        (_, Some(map), _) => Ok(ordered(map).iter().map(|key| Value::from(key.as_str()).at(map.key(key))).collect()),
        (.., Some(text)) => Ok(text.chars().map(|c| Value::from(c.to_string())).collect()),
        _ => Err(Refusal::new(format!("Property '{name}' should be a list.")).at(value.origin())),
    }
}

fn deny(body: &mut Map, resources: &[Value], condition: Value) {
    push(body, statement("Allow", resources, "*".into(), None));
    push(body, statement("Deny", resources, "*".into(), Some(condition)));
}

fn statement(effect: &str, resources: &[Value], who: Value, condition: Option<Value>) -> Value {
    let mut statement = Map::new();
    statement.set("Action", "execute-api:Invoke");
    statement.set("Resource", resources.to_vec());
    statement.set("Effect", effect);
    statement.set("Principal", who);
    statement.set_some("Condition", condition);
    statement.into()
}

/// Adds a statement. The first is not in a list.
fn push(body: &mut Map, statement: Value) {
    let statements = statements(body);
    if statements.is_null() {
        *statements = statement;
        return;
    }
    let all = list(statements);
    if !all.contains(&statement) {
        all.push(statement);
    }
}
