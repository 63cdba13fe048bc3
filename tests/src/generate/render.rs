//! Data as text: as JSON, and as YAML in the styles that people write.

use std::fmt::Write as _;

use formwork_syntax::function::Known;
use formwork_syntax::value::Value;

use super::choices::Choices;

/// JSON on lines.
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    json_value(value, 0, &mut out);
    out.push('\n');
    out
}

fn json_value(value: &Value, indent: usize, out: &mut String) {
    let line = |out: &mut String, indent: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", indent));
    };
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        // JSON has no numbers that begin with zeros.
        Value::Number(number) => out.push_str(if number.len() > 1 { number.trim_start_matches('0') } else { number }),
        Value::String(text) => out.push_str(&quoted(text)),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                line(out, indent + 1);
                json_value(item, indent + 1, out);
            }
            if !items.is_empty() {
                line(out, indent);
            }
            out.push(']');
        }
        Value::Map(members) => {
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                line(out, indent + 1);
                let _ = write!(out, "{}: ", quoted(name));
                json_value(value, indent + 1, out);
            }
            if !members.is_empty() {
                line(out, indent);
            }
            out.push('}');
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// YAML in a mixture of styles: block and flow, tags and long names, quotes where they are needed and
/// where they are not, comments and empty lines.
pub fn yaml(value: &Value, choices: &mut Choices<'_>) -> String {
    let mut out = String::new();
    match value {
        Value::Map(members) if !members.is_empty() => block(value, 0, choices, &mut out),
        other => flow(other, choices, &mut out),
    }
    out.push('\n');
    out
}

/// A block collection whose first line begins in `column`, where the output is.
fn block(value: &Value, column: usize, choices: &mut Choices<'_>, out: &mut String) {
    let start = |at: usize, choices: &mut Choices<'_>, out: &mut String| {
        if at > 0 {
            out.push('\n');
            if choices.one_in(12) {
                out.push('\n');
            }
            if choices.one_in(12) {
                let _ = writeln!(out, "{:column$}# a comment", "");
            }
            let _ = write!(out, "{:column$}", "");
        }
    };
    match value {
        Value::Map(members) => {
            for (at, (name, value)) in members.iter().enumerate() {
                start(at, choices, out);
                out.push_str(&scalar(name, choices));
                out.push(':');
                below(value, column, choices, out);
            }
        }
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                start(at, choices, out);
                out.push('-');
                match item {
                    Value::Map(members) if !members.is_empty() && tagged(item, choices).is_none() => {
                        out.push(' ');
                        block(item, column + 2, choices, out);
                    }
                    other => below(other, column, choices, out),
                }
            }
        }
        other => flow(other, choices, out),
    }
}

/// What follows a key or dash that begins in `column`.
fn below(value: &Value, column: usize, choices: &mut Choices<'_>, out: &mut String) {
    if let Some((tag, argument)) = tagged(value, choices) {
        let _ = write!(out, " !{tag}");
        return below(argument, column, choices, out);
    }
    let is_empty = match value {
        Value::Map(members) => members.is_empty(),
        Value::List(items) => items.is_empty(),
        _ => true,
    };
    if is_empty || choices.one_in(5) {
        out.push(' ');
        flow(value, choices, out);
        if choices.one_in(12) {
            out.push_str("  # beside");
        }
    } else {
        let step = choices.of(&[2, 4]);
        let _ = write!(out, "\n{:1$}", "", column + step);
        block(value, column + step, choices, out);
    }
}

pub(super) fn tagged<'v>(value: &'v Value, choices: &mut Choices<'_>) -> Option<(&'static str, &'v Value)> {
    let Value::Map(members) = value else { return None };
    let [(name, argument)] = members.as_slice() else { return None };
    let known = Known::from_long(name).filter(|known| !known.is_language_extension())?;
    let is_call = matches!(argument, Value::Map(inner) if matches!(inner.as_slice(), [(name, _)] if Known::from_long(name).is_some()));
    // Two tags in a row are not YAML, and the tag of a condition is for strings.
    // After a tag every scalar is a string.
    let is_typed = matches!(argument, Value::Number(_) | Value::Bool(_) | Value::Null);
    let takes_tag = !is_call && !is_typed && (known != Known::Condition || matches!(argument, Value::String(_)));
    (takes_tag && !choices.one_in(3)).then_some((known.short(), argument))
}

fn flow(value: &Value, choices: &mut Choices<'_>, out: &mut String) {
    match value {
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                flow(item, choices, out);
            }
            out.push(']');
        }
        Value::Map(members) => {
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                let _ = write!(out, "{}: ", quoted(name));
                flow(value, choices, out);
            }
            out.push('}');
        }
        Value::String(text) => out.push_str(&scalar(text, choices)),
        Value::Number(number) if number.starts_with('0') && number.len() > 1 => {
            out.push_str(number.trim_start_matches('0'));
        }
        Value::Number(number) => out.push_str(number),
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
    }
}

/// A text: without quotes only where every reader takes it for a text.
fn scalar(text: &str, choices: &mut Choices<'_>) -> String {
    const WORDS: [&str; 8] = ["yes", "no", "on", "off", "y", "n", "null", "true"];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    let has_control = text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    match choices.below(4) {
        0 | 1 if is_plain => text.to_owned(),
        2 if !has_control => format!("'{}'", text.replace('\'', "''")),
        _ => quoted(text).replace('\u{2028}', "\\u2028"),
    }
}
