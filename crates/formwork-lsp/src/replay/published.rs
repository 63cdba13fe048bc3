//! The diagnostics that a server published.

use std::collections::BTreeMap;

use serde_json::Value;

use super::log::Entry;

pub(crate) type Key = (String, Option<i64>);

pub(crate) fn key(params: &Value) -> Key {
    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default().to_owned();
    (uri, params.get("version").and_then(Value::as_i64))
}

pub(crate) fn items(params: &Value) -> Value {
    params.get("diagnostics").cloned().unwrap_or_default()
}

/// The recorded diagnostics of each document and version, in order, with their lines: the same text has several if
/// another file changes.
pub(crate) fn all_published(entries: &[Entry]) -> BTreeMap<Key, Vec<(usize, Value)>> {
    let mut all: BTreeMap<Key, Vec<(usize, Value)>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.publishes()) {
        all.entry(key(entry.params())).or_default().push((entry.line, items(entry.params())));
    }
    all
}

/// The lines with diagnostics: the key, and the number of earlier lines with the same key.
pub(crate) fn numbered(entries: &[Entry]) -> BTreeMap<usize, (Key, usize)> {
    let of_one = |(key, all): (Key, Vec<(usize, Value)>)| {
        let lines = all.into_iter().enumerate();
        lines.map(move |(earlier, (line, _))| (line, (key.clone(), earlier))).collect::<Vec<_>>()
    };
    all_published(entries).into_iter().flat_map(of_one).collect()
}

/// The last recorded diagnostics of each document: those of a text that changed immediately may be left out.
pub(crate) fn last_published(entries: &[Entry]) -> BTreeMap<Key, (usize, Value)> {
    let mut last: BTreeMap<String, (Key, (usize, Value))> = BTreeMap::new();
    let latest = all_published(entries).into_iter().filter_map(|(key, mut all)| Some((key, all.pop()?)));
    for (key, (line, items)) in latest {
        let is_later = last.get(&key.0).is_none_or(|(_, (known, _))| *known < line);
        if is_later {
            last.insert(key.0.clone(), (key, (line, items)));
        }
    }
    last.into_values().collect()
}
