//! `ResourcePolicy`: who may call an API.

use super::paths::any_values;
use super::{ANY, contents, copies, ordered_at};
use crate::make;
use crate::value::{Map, Value};

pub(super) const KEY: &str = "x-amazon-apigateway-policy";

/// Adds the policy of an API for all its paths.
pub(crate) fn add(body: &mut Map, policy: &Map, stage: &Value) {
    let copies = copies(body);
    let paths = body.get("paths").and_then(Value::map);
    let of_path = |paths: &Map, path: &str| -> Vec<Value> {
        let items = paths.get(path).map(contents).unwrap_or_default();
        let methods = items.into_iter().flat_map(|item| ordered_at(item, copies));
        methods.map(|method| resource(path, method, stage, policy)).collect()
    };
    let of_paths: Vec<Vec<Value>> = paths
        .map(|paths| ordered_at(paths, copies).into_iter().map(|path| of_path(paths, path)).collect())
        .unwrap_or_default();
    for resources in of_paths {
        add_lists(body, policy, &resources);
    }
    add_custom(body, policy);
}

/// Adds the policy of an event for its method.
pub(crate) fn add_for(body: &mut Map, policy: &Map, path: &str, method: &str, stage: &Value) {
    let resources = [resource(path, method, stage, policy)];
    add_lists(body, policy, &resources);
    add_custom(body, policy);
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

/// Adds the authored statements.
fn add_custom(body: &mut Map, policy: &Map) {
    let Some(custom) = policy.get_true("CustomStatements") else { return };
    let own = custom.list().map_or_else(|| vec![custom.clone()], <[Value]>::to_vec);
    list(statements(body)).extend(own);
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

fn add_lists(body: &mut Map, policy: &Map, resources: &[Value]) {
    let list = |name: &str| -> Vec<Value> {
        let value = policy.get_true(name);
        value.map_or_else(Vec::new, |value| value.list().map_or_else(|| vec![value.clone()], <[Value]>::to_vec))
    };
    for (name, effect) in [("AwsAccountWhitelist", "Allow"), ("AwsAccountBlacklist", "Deny")] {
        let accounts = list(name);
        if !accounts.is_empty() {
            let who = make::map([("AWS", accounts.into())]);
            push(body, statement(effect, resources, who, None));
        }
    }
    for (name, operator) in ADDRESSES {
        let ranges = list(name);
        if !ranges.is_empty() {
            deny(body, resources, make::map([(operator, make::map([("aws:SourceIp", ranges.into())]))]));
        }
    }
    for (word, operator) in NETWORKS {
        let named = list(&format!("SourceVpc{word}"));
        let (mut networks, mut endpoints) = (Vec::new(), Vec::new());
        for one in named {
            match one.text() {
                Some(text) if text.starts_with("vpce-") => endpoints.push(one),
                Some(text) if text.starts_with("vpc-") => networks.push(one),
                _ => {}
            }
        }
        networks.extend(list(&format!("IntrinsicVpc{word}")));
        endpoints.extend(list(&format!("IntrinsicVpce{word}")));
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
