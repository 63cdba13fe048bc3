//! Mappings whose entries are checked and converted as by the translator's models.

use crate::refusal::Refusal;
use crate::value::{Data, Map, Value};

/// A kind of value that an entry may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Map,
    Text,
    Whole,
    Number,
}

/// An entry of a model: the first kind that fits converts the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kinds: &'static [Kind],
    pub(crate) is_required: bool,
}

impl Kind {
    fn convert(self, value: &Value) -> Option<Value> {
        let of = |data: Data| Some(Value::from(data).at(value.origin()));
        match (self, value.data()) {
            (Kind::Map, Data::Map(_)) | (Kind::Text, Data::Text(_)) => Some(value.clone()),
            (Kind::Text, Data::Number(text)) => of(Data::Text(text.clone())),
            (Kind::Text, Data::Bool(truth)) => of(Data::Text(if *truth { "True" } else { "False" }.into())),
            (Kind::Whole, Data::Number(text)) => whole(text),
            (Kind::Whole, Data::Text(text)) => of(Data::Number(text.trim().parse::<i64>().ok()?.to_string().into())),
            (Kind::Number, Data::Number(_)) => Some(value.clone()),
            (Kind::Number, Data::Text(text)) => of(Data::Number(text.trim().parse::<f64>().ok()?.to_string().into())),
            (Kind::Whole | Kind::Number, Data::Bool(truth)) => of(Data::Number(u8::from(*truth).to_string().into())),
            _ => None,
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Kind::Map => "value is not a valid dict (type=type_error.dict)",
            Kind::Text => "str type expected (type=type_error.str)",
            Kind::Whole => "value is not a valid integer (type=type_error.integer)",
            Kind::Number => "value is not a valid float (type=type_error.float)",
        }
    }
}

fn whole(text: &str) -> Option<Value> {
    let number: f64 = text.parse().ok()?;
    Some(Data::Number((number.trunc() as i64).to_string().into()).into())
}

/// Returns the entries of a mapping of the model `name`, converted.
pub(crate) fn check(name: &str, fields: &[Field], value: &Value) -> Result<Map, Refusal> {
    let (mut found, mut wrong) = (Map::new(), Vec::new());
    let members = value.map();
    for field in fields {
        let Some(value) = members.and_then(|members| members.get(field.name)) else {
            if field.is_required {
                wrong.push((field.name, "field required (type=value_error.missing)"));
            }
            continue;
        };
        if value.is_null() && !field.is_required {
            continue;
        }
        if value.is_null() {
            wrong.push((field.name, "none is not an allowed value (type=type_error.none.not_allowed)"));
            continue;
        }
        match field.kinds.iter().find_map(|kind| kind.convert(value)) {
            Some(value) => found.set(field.name, value),
            None => wrong.extend(field.kinds.iter().map(|kind| (field.name, kind.sentence()))),
        }
    }
    for key in members.into_iter().flat_map(Map::keys) {
        if !fields.iter().any(|field| field.name == key) {
            wrong.push((key, "extra fields not permitted (type=value_error.extra)"));
        }
    }
    if wrong.is_empty() {
        return Ok(found);
    }
    let errors = if wrong.len() == 1 { "error" } else { "errors" };
    let mut sentence = format!("Invalid {name}: {} validation {errors} for {name}", wrong.len());
    for (member, reason) in &wrong {
        sentence.extend(["\n", member, "\n  ", reason]);
    }
    Err(Refusal::new(sentence).at(value.origin()))
}
