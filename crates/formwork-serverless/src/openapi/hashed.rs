//! The body of an API as the data that its deployment is hashed of.
//!
//! Strings with an authored node are those of the template; the others are printed as strings that the transform adds.
//! The order of keys is that of the dictionaries of the translator ([`crate::history`]).

use crate::hash::{Data, Dict, Text};
use crate::value::{self, Map, Value};

/// Returns the data of a body.
pub(crate) fn data(body: &Value) -> Data {
    of(body, body.map().map_or(0, super::copies))
}

/// Returns the data of the location of a body.
pub(crate) fn location(value: &Value) -> Data {
    let mut dict = Dict::default();
    for (name, value) in value.map().into_iter().flat_map(Map::iter) {
        let data = value.text().map_or_else(|| value.into(), Data::unicode);
        dict.insert(Text { value: name.to_owned(), is_unicode: false }, data);
    }
    Data::Map(dict)
}

fn of(value: &Value, copies: i32) -> Data {
    match value.data() {
        value::Data::Text(text) => Data::Text(Text { value: text.to_string(), is_unicode: value.origin().is_some() }),
        value::Data::List(items) => Data::List(items.iter().map(|item| of(item, copies)).collect()),
        value::Data::Map(map) => {
            let entry = |name: &str| {
                let key = Text { value: name.to_owned(), is_unicode: map.key(name).is_some() };
                Some((key, of(map.get(name)?, copies)))
            };
            Data::Ordered(super::ordered_at(map, copies).into_iter().filter_map(entry).collect())
        }
        _ => value.into(),
    }
}
