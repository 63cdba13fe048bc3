//! Owned values that are hashed.

use super::dict::Dict;
use crate::value::{self, Value};

/// A string, and how Python 2.7 prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) value: String,
    /// Strings of the template are printed as `u'...'`, those that the transform adds as `'...'`.
    pub(crate) is_unicode: bool,
}

/// A value of a template or of what the transform generates.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(Text),
    List(Vec<Data>),
    Map(Dict),
    /// An object whose keys are printed in their order.
    Ordered(Vec<(Text, Data)>),
}

impl Data {
    /// Returns a string of the template.
    pub(crate) fn unicode(value: impl Into<String>) -> Data {
        Data::Text(Text { value: value.into(), is_unicode: true })
    }

    /// Returns a string that the transform adds.
    pub(crate) fn plain(value: impl Into<String>) -> Data {
        Data::Text(Text { value: value.into(), is_unicode: false })
    }

    /// Returns an object with keys of the template, inserted in their order.
    pub(crate) fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, Data)>) -> Data {
        let mut dict = Dict::default();
        for (key, value) in entries {
            dict.insert(Text { value: key.into(), is_unicode: true }, value);
        }
        Data::Map(dict)
    }
}

impl From<&Value> for Data {
    /// Returns the data that is hashed. Strings of nodes are those of the template.
    fn from(value: &Value) -> Data {
        match value.data() {
            value::Data::Null => Data::Null,
            value::Data::Bool(truth) => Data::Bool(*truth),
            value::Data::Number(text) => number(text),
            value::Data::Text(text) => Data::Text(Text { value: text.to_string(), is_unicode: value.is_authored() }),
            value::Data::List(items) => Data::List(items.iter().map(Data::from).collect()),
            value::Data::Map(map) => {
                let mut dict = Dict::default();
                for (name, key, value) in map.members() {
                    dict.insert(Text { value: name.to_owned(), is_unicode: key.is_some() }, value.into());
                }
                Data::Map(dict)
            }
        }
    }
}

fn number(text: &str) -> Data {
    match text.parse::<i128>() {
        Ok(whole) => Data::Int(whole),
        Err(_) => text.parse().map_or_else(|_| Data::unicode(text), Data::Float),
    }
}
