//! The differences between a replay and its recording.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::log::Entry;
use super::player::Played;
use super::published::{all_published, last_published, numbered};

/// Lists every difference between a recording and the messages of the server: `LINE: METHOD: POINTER: EXPECTED | GOT`.
pub(crate) fn differences(entries: &[Entry], played: &Played) -> Vec<String> {
    let mut found = Vec::new();
    let requests: BTreeMap<String, &Entry> = entries
        .iter()
        .filter(|entry| entry.is_client && entry.is_request())
        .filter_map(|e| Some((e.id()?, e)))
        .collect();
    for entry in entries.iter().filter(|entry| !entry.is_client && entry.is_response() && !entry.is_untimely()) {
        let Some((id, request)) = entry.id().and_then(|id| requests.get(&id).map(|request| (id, *request))) else {
            continue;
        };
        let part = if entry.message.get("error").is_some() { "error" } else { "result" };
        let expected = json!({part: entry.message.get(part)});
        let method = request.method().unwrap_or_default();
        let none = json!({});
        let got = played.answers.get(&id).unwrap_or(&none);
        compare(
            &format!("{}: {method}", entry.line),
            &plain(method, expected),
            &plain(method, got.clone()),
            &mut found,
        );
    }
    let last = last_published(entries);
    for (key, all) in all_published(entries) {
        let Some((line, items)) = all.last() else { continue };
        let at = format!("{line}: textDocument/publishDiagnostics");
        let is_last = last.contains_key(&key);
        match played.last_of(&key) {
            // Its text changed before the effect of another file on it was known.
            Some(got) if !is_last && all.iter().any(|(_, earlier)| earlier == got) => {}
            Some(got) => compare(&at, items, got, &mut found),
            None if is_last => found.push(format!("{at}: : {items} | nothing")),
            None => {}
        }
    }
    let of_server = entries.iter().filter(|entry| !entry.is_client && is_told(entry));
    let recorded: Vec<(usize, (String, Value))> = of_server
        .map(|entry| {
            let method = entry.method().unwrap_or_default();
            (entry.line, (method.to_owned(), plain(method, entry.params().clone())))
        })
        .collect();
    let got: Vec<(String, Value)> =
        told(played).map(|(method, params)| (method.clone(), plain(method, params.clone()))).collect();
    let mut reported = BTreeSet::new();
    for (line, one) in &recorded {
        if !got.contains(one) && reported.insert(format!("{one:?}")) {
            found.push(format!("{line}: {}: : {} | nothing", one.0, one.1));
        }
    }
    for one in &got {
        if !recorded.iter().any(|(_, known)| known == one) && reported.insert(format!("{one:?}")) {
            found.push(format!("0: {}: : nothing | {}", one.0, one.1));
        }
    }
    let probed = played.probe.iter().flat_map(|probe| &probe.wrong);
    found.extend(probed.cloned());
    found
}

/// Removes the parts of a message that may differ: IDs of results, tokens, the version of the program.
fn plain(method: &str, mut value: Value) -> Value {
    strip(&mut value);
    if method == "initialize"
        && let Some(server) = value.pointer_mut("/result/serverInfo").and_then(Value::as_object_mut)
    {
        server.remove("version");
    }
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Object(members) => {
            members.retain(|name, _| !matches!(name.as_str(), "resultId" | "previousResultId" | "token"));
            members.values_mut().for_each(strip);
        }
        _ => {}
    }
}

fn compare(at: &str, expected: &Value, got: &Value, found: &mut Vec<String>) {
    let mut pending = vec![(String::new(), Some(expected), Some(got))];
    while let Some((pointer, expected, got)) = pending.pop() {
        match (expected, got) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                let below = names.into_iter().rev().map(|name| {
                    let escaped = name.replace('~', "~0").replace('/', "~1");
                    (format!("{pointer}/{escaped}"), a.get(name), b.get(name))
                });
                pending.extend(below);
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                let count = a.len().max(b.len());
                pending.extend((0..count).rev().map(|at| (format!("{pointer}/{at}"), a.get(at), b.get(at))));
            }
            (expected, got) if expected == got => {}
            (expected, got) => {
                let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
                found.push(format!("{at}: {pointer}: {} | {}", shown(expected), shown(got)));
            }
        }
    }
}

fn is_said(method: &str) -> bool {
    matches!(method, "window/logMessage" | "window/showMessage")
}

fn is_asked(method: &str) -> bool {
    !method.ends_with("/refresh") && !method.starts_with("window/workDoneProgress")
}

/// Returns `true` for messages of the server, besides answers and diagnostics, that do not depend on its speed.
fn is_told(entry: &Entry) -> bool {
    let is = |method| entry.is_notification() && is_said(method) || entry.is_request() && is_asked(method);
    entry.method().is_some_and(is)
}

/// The messages of this replay to which [`is_told`] applies.
fn told(played: &Played) -> impl Iterator<Item = &(String, Value)> {
    let said = played.notified.iter().filter(|(method, _)| is_said(method));
    said.chain(played.asked.iter().filter(|(method, _)| is_asked(method)))
}

/// The recording with the messages of this replay.
pub(crate) fn updated(entries: Vec<Entry>, played: &Played) -> String {
    let mut told: Vec<&(String, Value)> = told(played).collect();
    let is_same = |entry: &Entry, (method, params): &(String, Value)| {
        entry.method() == Some(method) && plain(method, entry.params().clone()) == plain(method, params.clone())
    };
    // A message that is sent again as recorded stays: it is sent as often as something causes it.
    told.retain(|one| !entries.iter().any(|entry| !entry.is_client && is_told(entry) && is_same(entry, one)));
    told.dedup();
    let last = last_published(&entries);
    let is_kept = |entry: &Entry| played.asked.iter().chain(&played.notified).any(|one| is_same(entry, one));
    let mut lines = Vec::new();
    let numbered = numbered(&entries);
    for mut entry in entries {
        if !entry.is_client && entry.is_response() && !entry.is_untimely() {
            let answer = entry.id().and_then(|id| played.answers.get(&id)).and_then(Value::as_object);
            if let (Some(answer), Some(message)) = (answer, entry.message.as_object_mut()) {
                let old = message.clone();
                message.retain(|name, _| name != "result" && name != "error");
                message.extend(answer.clone());
                let old = Value::Object(old);
                keep_ids(&old, &mut entry.message);
                // The order of properties does not count.
                if old == entry.message {
                    entry.message = old;
                }
            }
        } else if let Some((key, earlier)) = numbered.get(&entry.line) {
            let all = played.published.get(key);
            match all.and_then(|all| all.get(*earlier).or(all.last())) {
                Some(items) => set_params(&mut entry, "/params/diagnostics", items),
                None if last.contains_key(key) => continue,
                None => {}
            }
        } else if !entry.is_client && is_told(&entry) && !is_kept(&entry) {
            // Another message of its kind replaces it.
            let Some(at) = told.iter().position(|(method, _)| entry.method() == Some(method)) else { continue };
            let (_, params) = told.remove(at);
            set_params(&mut entry, "/params", params);
        }
        lines.push((entry.ms, entry.is_client, entry.message));
    }
    // New messages are inserted before the shutdown.
    let end = lines.iter().position(|(.., message)| message.get("method").is_some_and(|method| method == "shutdown"));
    let end = end.unwrap_or(lines.len());
    for (number, (method, params)) in told.into_iter().enumerate() {
        let ms = lines.get(end.saturating_sub(1)).map_or(0, |(ms, ..)| *ms);
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if !is_said(method) {
            message["id"] = json!(format!("formwork-new-{}", number + 1));
        }
        lines.insert(end + number, (ms, false, message));
    }
    let line = |(ms, is_client, message): (u64, bool, Value)| {
        let from = if is_client { "client" } else { "server" };
        json!({"ms": ms, "from": from, "message": message}).to_string() + "\n"
    };
    lines.into_iter().map(line).collect()
}

fn set_params(entry: &mut Entry, pointer: &str, value: &Value) {
    if let Some(old) = entry.message.pointer_mut(pointer) {
        *old = value.clone();
    }
}

/// Keeps the recorded IDs of results, since later requests of the client refer to them.
fn keep_ids(old: &Value, new: &mut Value) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                match old.get(name) {
                    Some(Value::String(id)) if name == "resultId" => *value = json!(id),
                    Some(old) => keep_ids(old, value),
                    None => {}
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => old.iter().zip(new).for_each(|(old, new)| keep_ids(old, new)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_difference_has_its_pointer() {
        let mut found = Vec::new();
        let (a, b) = (json!({"x": [1, {"y/z": 2}], "same": 1}), json!({"x": [1, {"y/z": 3}, 4], "same": 1}));
        compare("7: m", &a, &b, &mut found);
        assert_eq!(found, ["7: m: /x/1/y~1z: 2 | 3", "7: m: /x/2: nothing | 4"]);
        assert_eq!(plain("m", json!({"resultId": 1, "a": [{"token": 2}]})), json!({"a": [{}]}));
    }

    #[test]
    fn of_a_text_that_was_replaced_earlier_diagnostics_are_no_difference() {
        let published = |line: usize, version: i64, items: Value| {
            let params = json!({"uri": "u", "version": version, "diagnostics": items});
            let message = json!({"method": "textDocument/publishDiagnostics", "params": params});
            Entry { line, ms: 0, is_client: false, message }
        };
        let entries = [published(1, 6, json!(["a"])), published(2, 6, json!([])), published(3, 7, json!(["b"]))];
        let found = |of_6: Value, of_7: Value| {
            let played = Played {
                published: [(6, of_6), (7, of_7)]
                    .map(|(version, items)| (("u".to_owned(), Some(version)), vec![items]))
                    .into(),
                ..Played::default()
            };
            differences(&entries, &played)
        };
        let none: [&str; 0] = [];
        assert_eq!(found(json!([]), json!(["b"])), none);
        assert_eq!(found(json!(["a"]), json!(["b"])), none);
        let at = "textDocument/publishDiagnostics: /0";
        assert_eq!(found(json!(["c"]), json!(["b"])), [format!("2: {at}: nothing | \"c\"")]);
        assert_eq!(found(json!([]), json!([])), [format!("3: {at}: \"b\" | nothing")]);
    }
}
