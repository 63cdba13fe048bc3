//! Shapes of nested data, and what does not fit.

use formwork_syntax::NodeId;

use crate::refusal::Refusal;
use crate::value::{Data, Map, Value};

/// A requirement on a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Anything but null.
    Any,
    /// A string, or a number or Boolean that is read as one.
    Text,
    /// A Boolean, or what is read as one ([`truth`]).
    Truth,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A list of these.
    List(&'static Shape),
    /// A mapping with values of this shape.
    Dict(&'static Shape),
    /// A mapping with these keys.
    Object(&'static [Field]),
    /// A mapping, or a Boolean.
    ObjectOrTruth(&'static [Field]),
    /// A call, or a list of strings and calls.
    CallOrTexts,
    /// A call, or a string.
    CallOrText,
    /// A call, or one of these strings.
    CallOrOneOf(&'static [&'static str]),
    /// A call, or a number of this kind.
    CallOrNumber(&'static str),
    /// A mapping with any values.
    AnyDict,
}

/// A key of a mapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) is_required: bool,
}

/// Returns a key that may be missing or null.
pub(crate) const fn may(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, is_required: false }
}

/// Returns a key that has to have a value.
pub(crate) const fn must(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, is_required: true }
}

/// A value that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    /// The keys and numbers that lead to the value, with dots.
    pub(crate) path: String,
    /// Why, as the translator puts it.
    pub(crate) reason: &'static str,
    pub(crate) at: Option<NodeId>,
}

const MISSING: &str = "is required";
const UNKNOWN: &str = "is an invalid property";
const NULL: &str = "none is not an allowed value";
const NOT_A_MAP: &str = "value is not a valid dict";

/// Refuses what does not fit, all of it in one sentence.
pub(crate) fn refuse_all(misfits: &[Misfit]) -> Result<(), Refusal> {
    let Some(first) = misfits.first() else { return Ok(()) };
    let sentences = misfits.iter().map(|misfit| format!("Property '{}' {}.", misfit.path, misfit.reason));
    Err(Refusal::new(sentences.collect::<Vec<String>>().join(" ")).at(first.at))
}

/// Adds what does not fit the fields of a mapping, in their order; then keys that are none of them.
pub(crate) fn check_fields(fields: &[Field], map: &Map, around: &Value, path: &str, found: &mut Vec<Misfit>) {
    for field in fields {
        let below = join(path, field.name);
        match map.get(field.name) {
            None if field.is_required => {
                found.push(Misfit { path: below, reason: MISSING, at: around.origin() });
            }
            Some(value) if !value.is_null() || field.is_required => check(field.shape, value, &below, found),
            _ => {}
        }
    }
    let mut unknown: Vec<&str> = map.keys().filter(|key| !fields.iter().any(|field| field.name == *key)).collect();
    unknown.sort_unstable();
    for key in unknown {
        found.push(Misfit { path: join(path, key), reason: UNKNOWN, at: map.key(key) });
    }
}

fn check(shape: Shape, value: &Value, path: &str, found: &mut Vec<Misfit>) {
    let mut refuse = |reason: &'static str| {
        found.push(Misfit { path: path.to_owned(), reason, at: value.origin() });
    };
    if value.is_null() {
        refuse(NULL);
        return;
    }
    match shape {
        Shape::Any => {}
        Shape::Text if text(value).is_none() => refuse("str type expected"),
        Shape::Truth if truth(value).is_none() => refuse("value could not be parsed to a boolean"),
        Shape::OneOf(words) if !value.text().is_some_and(|text| words.contains(&text)) => {
            refuse("unexpected value");
        }
        Shape::AnyDict if value.map().is_none() && pairs(value).is_none() => refuse(NOT_A_MAP),
        Shape::CallOrText if value.map().is_none() && text(value).is_none() && pairs(value).is_none() => {
            refuse(NOT_A_MAP);
        }
        Shape::CallOrOneOf(words)
            if value.map().is_none()
                && pairs(value).is_none()
                && !value.text().is_some_and(|text| words.contains(&text)) =>
        {
            refuse(NOT_A_MAP);
        }
        Shape::CallOrNumber(kind)
            if value.map().is_none() && number(value, kind).is_none() && pairs(value).is_none() =>
        {
            refuse(if kind == "integer" {
                "value must be dictionary or integer"
            } else {
                "value must be dictionary or number"
            });
        }
        Shape::CallOrTexts if value.map().is_none() && pairs(value).is_none() => match value.list() {
            None => refuse("value must be dictionary or list"),
            Some(items) => {
                let mut wrong = Vec::new();
                check_items(Shape::CallOrText, items, path, &mut wrong);
                if !wrong.is_empty() {
                    refuse(NOT_A_MAP);
                    found.append(&mut wrong);
                }
            }
        },
        Shape::List(item) => match value.list() {
            None => refuse("value is not a valid list"),
            Some(items) => check_items(*item, items, path, found),
        },
        Shape::Dict(inner) => match value.map() {
            None => refuse(NOT_A_MAP),
            Some(map) => map.iter().for_each(|(key, value)| check(*inner, value, &join(path, key), found)),
        },
        Shape::ObjectOrTruth(_) if truth(value).is_some() => {}
        Shape::Object(fields) | Shape::ObjectOrTruth(fields) => match value.map() {
            None => refuse(NOT_A_MAP),
            Some(map) => check_fields(fields, map, value, path, found),
        },
        _ => {}
    }
}

fn check_items(shape: Shape, items: &[Value], path: &str, found: &mut Vec<Misfit>) {
    for (number, item) in items.iter().enumerate() {
        check(shape, item, &join(path, &number.to_string()), found);
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Returns the string that a scalar is read as.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value.data() {
        Data::Text(text) | Data::Number(text) => Some(text.to_string()),
        Data::Bool(truth) => Some(if *truth { "True" } else { "False" }.to_owned()),
        _ => None,
    }
}

/// Returns the Boolean that a scalar is read as: `yes`, `On`, `1`, ...
pub(crate) fn truth(value: &Value) -> Option<bool> {
    match value.data() {
        Data::Bool(truth) => Some(*truth),
        Data::Number(text) => match text.parse::<f64>().ok()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Data::Text(text) => match text.to_lowercase().as_str() {
            "0" | "off" | "f" | "false" | "n" | "no" => Some(false),
            "1" | "on" | "t" | "true" | "y" | "yes" => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the number that a scalar is read as.
pub(crate) fn number(value: &Value, kind: &str) -> Option<Value> {
    let new = match value.data() {
        Data::Bool(truth) => i64::from(*truth).into(),
        Data::Number(text) if kind == "integer" => Value::from(text.parse::<f64>().ok()?.trunc() as i64),
        Data::Text(text) if kind == "integer" => Value::from(text.trim().parse::<i64>().ok()?),
        Data::Number(_) => value.clone(),
        Data::Text(text) => {
            let text = text.trim();
            text.parse::<f64>().ok()?;
            Data::Number(text.into()).into()
        }
        _ => return None,
    };
    Some(if new == *value { value.clone() } else { new.at(value.origin()) })
}

/// Returns the mapping that Python makes of a list of pairs. A string of two characters is a pair, too.
pub(crate) fn pairs(value: &Value) -> Option<Value> {
    if value.text() == Some("") {
        return Some(Value::from(Map::new()).at(value.origin()));
    }
    let mut map = Map::new();
    for item in value.list()? {
        let (key, value) = match item.data() {
            Data::Text(text) => {
                let mut characters = text.chars();
                let (Some(key), Some(value), None) = (characters.next(), characters.next(), characters.next()) else {
                    return None;
                };
                (key.to_string(), Value::from(value.to_string()))
            }
            Data::List(items) => match items.as_slice() {
                [key, value] => (key.text()?.to_owned(), value.clone()),
                _ => return None,
            },
            Data::Map(entries) => {
                let mut keys = entries.keys();
                let (Some(key), Some(value), None) = (keys.next(), keys.next(), keys.next()) else { return None };
                (key.to_owned(), Value::from(value))
            }
            _ => return None,
        };
        map.set(&key, value.at(item.origin()));
    }
    Some(Value::from(map).at(value.origin()))
}
