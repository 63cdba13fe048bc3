//! `str()` of Python 2.7.

use std::fmt::Write as _;

use super::data::{Data, Text};

/// Returns what `str()` of Python 2.7 returns for a value: a string without its quotes, all else as `repr()`.
pub(crate) fn python_str(data: &Data) -> String {
    match data {
        Data::Text(text) => text.value.clone(),
        other => {
            let mut out = String::new();
            push(&mut out, other);
            out
        }
    }
}

fn push(out: &mut String, data: &Data) {
    match data {
        Data::Null => out.push_str("None"),
        Data::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
        Data::Int(value) => {
            let is_long = *value > i128::from(i64::MAX);
            let _ = write!(out, "{value}{}", if is_long { "L" } else { "" });
        }
        Data::Float(value) => push_float(out, *value),
        Data::Text(text) => push_text(out, text),
        Data::List(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { ", " });
                push(out, item);
            }
            out.push(']');
        }
        Data::Map(dict) => push_entries(out, &mut dict.iter()),
        Data::Ordered(entries) => push_entries(out, &mut entries.iter().map(|(key, value)| (key, value))),
    }
}

fn push_entries<'d>(out: &mut String, entries: &mut dyn Iterator<Item = (&'d Text, &'d Data)>) {
    out.push('{');
    for (number, (key, value)) in entries.enumerate() {
        out.push_str(if number == 0 { "" } else { ", " });
        push_text(out, key);
        out.push_str(": ");
        push(out, value);
    }
    out.push('}');
}

/// Writes the shortest digits that identify a number, with an exponent where it is below -4 or above 15.
pub(super) fn push_float(out: &mut String, value: f64) {
    if value.is_nan() {
        out.push_str("nan");
        return;
    }
    if value.is_infinite() {
        out.push_str(if value > 0.0 { "inf" } else { "-inf" });
        return;
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        let point = if plain.contains('.') { "" } else { ".0" };
        let _ = write!(out, "{plain}{point}");
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "{digits}e{sign}{:02}", exponent.unsigned_abs());
    }
}

fn push_text(out: &mut String, text: &Text) {
    if text.is_unicode {
        out.push('u');
    }
    let quote = if text.value.contains('\'') && !text.value.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.value.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            same if same == quote => {
                out.push('\\');
                out.push(same);
            }
            ' '..='~' => out.push(character),
            other => {
                let code = u32::from(other);
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
}
