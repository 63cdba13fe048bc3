//! The diagnostics that a server published.

use std::collections::BTreeMap;

use serde_json::Value;

use super::log::Entry;

/// The address and version of a document.
pub(crate) type Key = (String, Option<i64>);

/// Of which document and version diagnostics were published.
pub(crate) fn key(params: &Value) -> Key {
    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default().to_owned();
    (uri, params.get("version").and_then(Value::as_i64))
}

/// The diagnostics that were published.
pub(crate) fn items(params: &Value) -> Value {
    params.get("diagnostics").cloned().unwrap_or_default()
}

/// The diagnostics that are recorded of each document and version, in their order, with their lines: there are others of
/// the same text when another file changes.
pub(crate) fn all_published(entries: &[Entry]) -> BTreeMap<Key, Vec<(usize, Value)>> {
    let mut all: BTreeMap<Key, Vec<(usize, Value)>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.publishes()) {
        all.entry(key(entry.params())).or_default().push((entry.line, items(entry.params())));
    }
    all
}

/// The lines that publish diagnostics: of what, and how often those of the same were published before.
pub(crate) fn numbered(entries: &[Entry]) -> BTreeMap<usize, (Key, usize)> {
    let of_one = |(key, all): (Key, Vec<(usize, Value)>)| {
        let lines = all.into_iter().enumerate();
        lines.map(move |(earlier, (line, _))| (line, (key.clone(), earlier))).collect::<Vec<_>>()
    };
    all_published(entries).into_iter().flat_map(of_one).collect()
}

/// The diagnostics that are recorded last of each document: those of a text that changed immediately may be left out.
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
