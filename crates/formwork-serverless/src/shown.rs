//! Data in the sentences of the translator, as Python 3 prints it.

use crate::value::{Data, Value};

/// Returns the data as in a list: strings have quotes.
pub(crate) fn quoted(value: &Value) -> String {
    match value.data() {
        Data::Null => "None".to_owned(),
        Data::Bool(true) => "True".to_owned(),
        Data::Bool(false) => "False".to_owned(),
        Data::Number(text) => text.to_string(),
        Data::Text(text) => string(text),
        Data::List(items) => format!("[{}]", items.iter().map(quoted).collect::<Vec<String>>().join(", ")),
        Data::Map(map) => {
            let entries = map.iter().map(|(key, value)| format!("{}: {}", string(key), quoted(value)));
            format!("{{{}}}", entries.collect::<Vec<String>>().join(", "))
        }
    }
}

/// Returns the data as it is inserted into a sentence: a string has no quotes.
pub(crate) fn plain(value: &Value) -> String {
    value.text().map_or_else(|| quoted(value), str::to_owned)
}

/// Returns the kind of the data in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value.data() {
        Data::Null => "null",
        Data::Bool(_) => "a Boolean",
        Data::Number(_) => "a number",
        Data::Text(_) => "a string",
        Data::List(_) => "a list",
        Data::Map(_) if value.is_call() => "a function",
        Data::Map(_) => "a mapping",
    }
}

/// Returns the name that Python has for the kind of the data.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value.data() {
        Data::Null => "NoneType",
        Data::Bool(_) => "bool",
        Data::Number(text) if text.parse::<i64>().is_ok() => "int",
        Data::Number(_) => "float",
        Data::Text(_) => "str",
        Data::List(_) => "list",
        Data::Map(_) => "dict",
    }
}

/// Returns a list of strings.
pub(crate) fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    format!("[{}]", texts.into_iter().map(string).collect::<Vec<String>>().join(", "))
}

fn string(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Returns the name of the type of a value of an API in the translator.
pub(crate) fn kind_of_template(value: &Value) -> &'static str {
    match value.data() {
        Data::Null => "NoneType",
        Data::Bool(_) => "bool",
        Data::Number(text) if text.parse::<i128>().is_ok() => "int",
        Data::Number(_) => "float",
        Data::Text(_) => "Py27UniStr",
        Data::List(_) => "list",
        Data::Map(_) => "Py27Dict",
    }
}
