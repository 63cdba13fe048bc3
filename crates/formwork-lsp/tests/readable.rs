//! Answers in a form that people read and that is the same in all encodings: columns count characters, edits are
//! changed lines, tokens have their text.

use std::collections::BTreeMap;

use formwork::{ColumnUnit, LineColumn, LineIndex};
use serde_json::{Value, json};

/// The content of the files of a case, by address.
pub struct Texts {
    pub unit: ColumnUnit,
    pub main: String,
    pub texts: BTreeMap<String, String>,
    pub legend: Value,
}

impl Texts {
    fn text(&self, uri: &str) -> &str {
        self.texts.get(uri).map_or("", String::as_str)
    }

    /// An offset of a position of the client.
    fn offset(&self, uri: &str, position: &Value) -> usize {
        let text = self.text(uri);
        let position = LineColumn {
            line: position["line"].as_u64().unwrap() as u32,
            column: position["character"].as_u64().unwrap() as u32,
        };
        LineIndex::new(text).offset(text, position, self.unit) as usize
    }

    fn place(&self, uri: &str, position: &Value) -> String {
        let text = self.text(uri);
        let (line, column) = LineIndex::new(text).line_column(text, self.offset(uri, position) as u32);
        format!("{line}:{column}")
    }

    /// An answer in readable form.
    pub fn readable(&self, method: &str, answer: &Value) -> Value {
        if method.contains("semanticTokens") {
            return self.tokens(answer);
        }
        if let Some(items) = answer["items"].as_array().filter(|_| method == "textDocument/completion") {
            return self.proposals(items);
        }
        self.shown(&self.main, answer)
    }

    /// Proposals, one per line: label, new text, detail. Of a long list the first ones.
    fn proposals(&self, items: &[Value]) -> Value {
        let ranges: std::collections::BTreeSet<String> =
            items.iter().map(|item| self.shown(&self.main, &item["textEdit"]["range"]).to_string()).collect();
        assert!(ranges.len() <= 1, "one token is replaced");
        let line = |item: &Value| {
            let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
            let new = item["textEdit"]["newText"].as_str().unwrap().to_owned();
            let new = if new == text("label") { String::new() } else { format!(" => {new}") };
            json!(format!("{}{new}  {}", text("label"), text("detail")).trim_end())
        };
        let mut lines: Vec<Value> = items.iter().take(30).map(line).collect();
        if items.len() > 30 {
            lines.push(json!(format!("and {} more", items.len() - 30)));
        }
        json!({"replaces": ranges.into_iter().next(), "items": lines})
    }

    fn shown(&self, around: &str, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.shown(around, item)).collect(),
            Value::Object(members) => {
                if members.contains_key("documentChanges") || members.contains_key("changes") {
                    return self.edits(value);
                }
                if let (Some(start), Some(end)) = (members.get("start"), members.get("end"))
                    && start.get("line").is_some()
                {
                    let text = self.text(around).get(self.offset(around, start)..self.offset(around, end));
                    let mut words = text.unwrap_or_default().to_owned();
                    if let Some((first, _)) = words.split_once('\n') {
                        words = format!("{first}...");
                    }
                    return json!(
                        format!("{}-{} {words}", self.place(around, start), self.place(around, end)).trim_end()
                    );
                }
                if members.get("line").is_some() && members.get("character").is_some() {
                    return json!(self.place(around, value));
                }
                let uri = ["uri", "targetUri", "view"].iter().find_map(|key| members.get(*key)).and_then(Value::as_str);
                let uri = uri.filter(|uri| self.texts.contains_key(*uri)).unwrap_or(around);
                let member = |(key, value): (&String, &Value)| {
                    // The range of the origin is in the document that was asked about.
                    let around = if key == "originSelectionRange" { around } else { uri };
                    (key.clone(), self.shown(around, value))
                };
                Value::Object(members.iter().map(member).collect())
            }
            other => other.clone(),
        }
    }

    /// Edits as the lines that they change.
    fn edits(&self, edit: &Value) -> Value {
        let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut created = Vec::new();
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            if change["kind"] == "create" {
                created.push(change["uri"].clone());
                continue;
            }
            let uri = change["textDocument"]["uri"].as_str().unwrap().to_owned();
            files.entry(uri).or_default().extend(change["edits"].as_array().unwrap().clone());
        }
        for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
            files.entry(uri.clone()).or_default().extend(edits.as_array().unwrap().clone());
        }
        let mut shown = serde_json::Map::new();
        for (uri, edits) in files {
            let (before, after) = (self.text(&uri), self.applied(&uri, &edits));
            shown.insert(uri, changed_lines(before, &after));
        }
        if !created.is_empty() {
            shown.insert("created".to_owned(), Value::Array(created));
        }
        if let Some(annotations) = edit.get("changeAnnotations") {
            shown.insert("annotations".to_owned(), annotations.clone());
        }
        Value::Object(shown)
    }

    /// A text with edits.
    pub fn applied(&self, uri: &str, edits: &[Value]) -> String {
        let mut text = self.text(uri).to_owned();
        let mut places: Vec<(usize, usize, &str)> = edits
            .iter()
            .map(|edit| {
                let range = &edit["range"];
                let (start, end) = (self.offset(uri, &range["start"]), self.offset(uri, &range["end"]));
                (start, end, edit["newText"].as_str().unwrap())
            })
            .collect();
        places.sort_unstable();
        for (start, end, new) in places.into_iter().rev() {
            text.replace_range(start..end, new);
        }
        text
    }

    fn tokens(&self, answer: &Value) -> Value {
        let data: Vec<u64> = answer["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let (mut line, mut column) = (0, 0);
        let mut shown = Vec::new();
        for token in data.chunks(5) {
            column = if token[0] == 0 { column + token[1] } else { token[1] };
            line += token[0];
            let at = |column: u64| self.offset(&self.main, &json!({"line": line, "character": column}));
            let text = &self.text(&self.main)[at(column)..at(column + token[2])];
            let kind = self.legend["tokenTypes"][token[3] as usize].as_str().unwrap();
            let modifiers = self.legend["tokenModifiers"].as_array().unwrap().iter().enumerate();
            let modifiers = modifiers.filter(|(bit, _)| token[4] & (1 << bit) != 0);
            let modifiers: Vec<&str> = modifiers.map(|(_, name)| name.as_str().unwrap()).collect();
            shown.push(json!(format!("{}: {text} {kind} {}", line + 1, modifiers.join(" ")).trim_end()));
        }
        Value::Array(shown)
    }
}

/// The lines that differ, with `-` and `+`.
fn changed_lines(before: &str, after: &str) -> Value {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    if old.len() == new.len() {
        let lines = old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a != b);
        return lines.map(|(at, (_, b))| json!(format!("{}: {b}", at + 1))).collect();
    }
    let gone = old[same..old.len() - rest].iter().map(|line| json!(format!("- {line}")));
    gone.chain(new[same..new.len() - rest].iter().map(|line| json!(format!("+ {line}")))).collect()
}
