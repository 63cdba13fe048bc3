//! JSON as Python's `json.dumps` writes it, in ASCII.

use std::fmt::Write as _;

use super::data::{Data, Text};
use super::python::push_float;

/// Returns JSON without spaces, with the keys of objects sorted by code points.
pub(crate) fn sorted_json(data: &Data) -> String {
    let mut out = String::new();
    push(&mut out, data, &COMPACT);
    out
}

/// Returns JSON with a space behind commas and colons, with keys in the order of the dictionaries.
pub(crate) fn spaced_json(data: &Data) -> String {
    let mut out = String::new();
    push(&mut out, data, &SPACED);
    out
}

struct Style {
    comma: &'static str,
    colon: &'static str,
    is_sorted: bool,
}

const COMPACT: Style = Style { comma: ",", colon: ":", is_sorted: true };
const SPACED: Style = Style { comma: ", ", colon: ": ", is_sorted: false };

fn push(out: &mut String, data: &Data, style: &Style) {
    match data {
        Data::Null => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Data::Float(value) if value.is_nan() => out.push_str("NaN"),
        Data::Float(value) if value.is_infinite() => out.push_str(if *value > 0.0 { "Infinity" } else { "-Infinity" }),
        Data::Float(value) => push_float(out, *value),
        Data::Text(text) => push_text(out, &text.value),
        Data::List(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { style.comma });
                push(out, item, style);
            }
            out.push(']');
        }
        Data::Map(dict) => push_entries(out, dict.iter().collect(), style),
        Data::Ordered(entries) => push_entries(out, entries.iter().map(|(key, value)| (key, value)).collect(), style),
    }
}

fn push_entries(out: &mut String, mut entries: Vec<(&Text, &Data)>, style: &Style) {
    if style.is_sorted {
        entries.sort_by(|(one, _), (other, _)| one.value.cmp(&other.value));
    }
    out.push('{');
    for (number, (key, value)) in entries.into_iter().enumerate() {
        out.push_str(if number == 0 { "" } else { style.comma });
        push_text(out, &key.value);
        out.push_str(style.colon);
        push(out, value, style);
    }
    out.push('}');
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(character),
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}
