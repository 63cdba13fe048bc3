//! Renders a value as YAML for people.

use formwork_syntax::Value;
use formwork_syntax::function::Known;

const LINES: usize = 12;

/// Renders a value in block style, with the short tags of functions; cut after [`LINES`] lines.
pub(super) fn text(value: &Value) -> String {
    let mut lines = Vec::new();
    block(value, 0, String::new(), &mut lines);
    if lines.len() > LINES {
        let more = lines.len() - LINES;
        lines.truncate(LINES);
        lines.push(format!("... and {more} more lines"));
    }
    lines.join("\n")
}

/// Adds a value whose first line begins with `lead`.
fn block(value: &Value, column: usize, lead: String, lines: &mut Vec<String>) {
    let spaces = " ".repeat(column);
    match value {
        Value::Map(members) if call(value).is_none() && !members.is_empty() => {
            let mut lead = below(lead, lines);
            for (key, value) in members {
                let start = if lead.is_empty() { spaces.clone() } else { std::mem::take(&mut lead) };
                block(value, column + 2, format!("{start}{}:", scalar(key)), lines);
            }
        }
        Value::List(items) if !items.is_empty() => {
            let mut lead = below(lead, lines);
            for item in items {
                let start = if lead.is_empty() { spaces.clone() } else { std::mem::take(&mut lead) };
                block(item, column + 2, format!("{start}-"), lines);
            }
        }
        value => {
            let gap = if lead.is_empty() { "" } else { " " };
            lines.push(format!("{lead}{gap}{}", inline(value)));
        }
    }
}

/// Puts a key on its own line before a block; a dash stays on the line of what follows.
fn below(lead: String, lines: &mut Vec<String>) -> String {
    if lead.ends_with('-') {
        return format!("{lead} ");
    }
    if !lead.is_empty() {
        lines.push(lead);
    }
    String::new()
}

fn inline(value: &Value) -> String {
    if let Some((known, argument)) = call(value) {
        let argument = match (known, argument) {
            (Known::GetAtt, Value::List(parts)) => {
                let parts: Vec<String> = parts.iter().map(inline).collect();
                parts.join(".")
            }
            (Known::Sub, Value::String(text)) => quoted(text),
            (_, argument) => inline(argument),
        };
        return format!("!{} {argument}", known.short());
    }
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(text) => text.clone(),
        Value::String(text) => scalar(text),
        Value::List(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Map(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{}: {}", scalar(key), inline(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn call(value: &Value) -> Option<(Known, &Value)> {
    match value {
        Value::Map(members) => match members.as_slice() {
            [(name, argument)] => Some((Known::from_long(name)?, argument)),
            _ => None,
        },
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Renders a string, in quotes unless it is a plain word.
fn scalar(text: &str) -> String {
    let is_word = !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':'))
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(':');
    if is_word { text.to_owned() } else { quoted(text) }
}
