//! The keywords of a schema node.

use serde_json::{Map, Value};

/// The keywords of a node, each with the pointer of the object that it is in. The first that is added wins.
#[derive(Default)]
pub(super) struct Fields<'a> {
    fields: Vec<(&'a str, &'a Value, String)>,
}

impl<'a> Fields<'a> {
    pub(super) fn add(&mut self, pointer: &str, fields: &'a Map<String, Value>) {
        for (keyword, value) in fields {
            if self.get(keyword).is_none() {
                self.fields.push((keyword, value, pointer.to_owned()));
            }
        }
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.fields.iter().find(|(name, ..)| *name == keyword).map(|(_, value, _)| *value)
    }

    pub(super) fn pointer(&self, keyword: &str) -> String {
        let own = self.fields.iter().find(|(name, ..)| *name == keyword);
        format!("{}/{keyword}", own.map(|(_, _, pointer)| pointer.as_str()).unwrap_or_default())
    }

    pub(super) fn array(&self, keyword: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
        self.get(keyword).and_then(Value::as_array).into_iter().flatten()
    }

    pub(super) fn strings(&self, keyword: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.array(keyword).filter_map(Value::as_str)
    }

    pub(super) fn object(&self, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
        self.get(keyword).and_then(Value::as_object).into_iter().flatten()
    }
}
