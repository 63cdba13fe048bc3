//! Data that the transform reads and changes: a copy of a subtree that knows the nodes that it was copied from.
//!
//! A [`Value`] that is not changed becomes its node again, so that unchanged subtrees are shared. A new value has the
//! origin that it was made with ([`Value::at`]), else that of the value around it. A call, whatever its spelling, is a
//! mapping with one key, the function's long name, as it is for the service.

use std::hash::BuildHasherDefault;

use formwork_syntax::NodeId;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHasher};

use crate::history::{ChangeKind, History};

/// Data with its origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Value {
    data: Data,
    origin: Option<NodeId>,
    source: Source,
}

/// The relation of a value to its origin.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Source {
    /// The transform made the value.
    #[default]
    Made,
    /// A string that is written as a part of an authored one.
    Part,
    /// The value equals the node.
    Copy,
}

/// The kinds of data.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Data {
    /// A null.
    #[default]
    Null,
    /// A Boolean.
    Bool(bool),
    /// A number in its written form.
    Number(Box<str>),
    /// A string.
    Text(Box<str>),
    /// A list.
    List(Vec<Value>),
    /// A mapping or a call.
    Map(Map),
}

/// Values are equal when they are the same data.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.data == other.data
    }
}

impl Value {
    /// Returns the copy of a node.
    pub(crate) fn of_node(data: Data, node: NodeId) -> Value {
        Value { data, origin: Some(node), source: Source::Copy }
    }

    /// Returns a part of the authored string of a node.
    pub(crate) fn part_of(text: &str, node: NodeId) -> Value {
        Value { data: Data::Text(text.into()), origin: Some(node), source: Source::Part }
    }

    /// Returns `true` for a value that an author wrote.
    pub(crate) fn is_authored(&self) -> bool {
        self.source != Source::Made
    }

    /// Returns the node that the value is a copy of, and which it still equals.
    pub(crate) fn node(&self) -> Option<NodeId> {
        self.origin.filter(|_| self.source == Source::Copy)
    }

    /// Returns the value with another origin.
    #[must_use]
    pub(crate) fn at(mut self, origin: Option<NodeId>) -> Value {
        (self.origin, self.source) = (origin, Source::Made);
        self
    }

    /// Returns the authored node that led to the value, if it has one of its own.
    pub(crate) fn origin(&self) -> Option<NodeId> {
        self.origin
    }

    /// Returns the data.
    pub(crate) fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the string.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the Boolean.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self.data {
            Data::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// Returns the items of a list.
    pub(crate) fn list(&self) -> Option<&[Value]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the mapping, which may be a call.
    pub(crate) fn map(&self) -> Option<&Map> {
        match &self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the value of a key of a mapping.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.map()?.get(key)
    }

    /// Returns the value of a key of a mapping that is neither null, `false`, zero nor empty.
    pub(crate) fn get_true(&self, key: &str) -> Option<&Value> {
        self.map()?.get_true(key)
    }

    /// Returns the items of a list for changes.
    pub(crate) fn list_mut(&mut self) -> Option<&mut Vec<Value>> {
        self.source = Source::Made;
        match &mut self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the mapping for changes.
    pub(crate) fn map_mut(&mut self) -> Option<&mut Map> {
        self.source = Source::Made;
        match &mut self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the mapping.
    pub(crate) fn into_map(self) -> Option<Map> {
        match self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the mapping for changes; data of another kind is replaced by an empty mapping.
    pub(crate) fn as_map(&mut self) -> &mut Map {
        self.source = Source::Made;
        if !matches!(self.data, Data::Map(_)) {
            self.data = Data::Map(Map::new());
        }
        match &mut self.data {
            Data::Map(map) => map,
            _ => unreachable!("replaced above"),
        }
    }

    /// Returns the items for changes; data of another kind is replaced by an empty list.
    pub(crate) fn as_list(&mut self) -> &mut Vec<Value> {
        self.source = Source::Made;
        if !matches!(self.data, Data::List(_)) {
            self.data = Data::List(Vec::new());
        }
        match &mut self.data {
            Data::List(items) => items,
            _ => unreachable!("replaced above"),
        }
    }

    /// Returns the mapping for changes of its history.
    pub(crate) fn map_for_history(&mut self) -> Option<&mut Map> {
        match &mut self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the value of a key for changes of its history.
    pub(crate) fn stamped(&mut self, key: &str) -> Option<&mut Value> {
        self.map_for_history()?.stamped(key)
    }

    /// Sets the time of all changes of mappings that have none.
    pub(crate) fn stamp(&mut self, time: i32) {
        match &mut self.data {
            Data::List(items) => items.iter_mut().for_each(|item| item.stamp(time)),
            Data::Map(map) => map.stamp(time),
            _ => {}
        }
    }

    /// Begins the history of the last items of a list, which have none, or of another value.
    pub(crate) fn stamp_new_items(&mut self, time: i32) {
        let Data::List(items) = &mut self.data else { return self.stamp(time) };
        let is_old = |item: &&mut Value| item.map().is_some_and(|item| item.history().is_some());
        items.iter_mut().rev().take_while(|item| !is_old(item)).for_each(|item| item.stamp(time));
    }

    /// Returns `true` for a null.
    pub(crate) fn is_null(&self) -> bool {
        self.data == Data::Null
    }

    /// Returns `true` for everything but a null, `false`, zero and what is empty: the translator's conditions.
    pub(crate) fn is_true(&self) -> bool {
        match &self.data {
            Data::Null => false,
            Data::Bool(truth) => *truth,
            Data::Number(text) => text.parse::<f64>() != Ok(0.0),
            Data::Text(text) => !text.is_empty(),
            Data::List(items) => !items.is_empty(),
            Data::Map(map) => !map.is_empty(),
        }
    }

    /// Returns the name and the argument of a call: a mapping with one key, which is `Ref`, `Condition` or begins with
    /// `Fn::`.
    pub(crate) fn call(&self) -> Option<(&str, &Value)> {
        let map = self.map().filter(|map| map.len() == 1)?;
        map.iter().next().filter(|(name, _)| *name == "Ref" || *name == "Condition" || name.starts_with("Fn::"))
    }

    /// Returns `true` for a call ([`Value::call`]).
    pub(crate) fn is_call(&self) -> bool {
        self.call().is_some()
    }

    /// Returns the name of a `Ref`.
    pub(crate) fn reference(&self) -> Option<&str> {
        self.call().filter(|(name, _)| *name == "Ref")?.1.text()
    }

    /// Returns `true` for a `Ref` of `AWS::NoValue`.
    pub(crate) fn is_no_value(&self) -> bool {
        self.reference() == Some("AWS::NoValue")
    }

    /// Returns the string of a scalar as functions join it.
    pub(crate) fn text_form(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) | Data::Number(text) => Some(text),
            Data::Bool(true) => Some("true"),
            Data::Bool(false) => Some("false"),
            _ => None,
        }
    }
}

impl From<Data> for Value {
    fn from(data: Data) -> Value {
        Value { data, origin: None, source: Source::Made }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Data::Text(text.into()).into()
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Data::Text(text.into()).into()
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Data::Bool(truth).into()
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Data::Number(number.to_string().into()).into()
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Value {
        Data::Map(map).into()
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Data::List(items).into()
    }
}

/// A key with its node, and the value.
#[derive(Clone, Debug)]
struct Member {
    key: Option<NodeId>,
    value: Value,
}

/// A mapping in the order of its entries, with its history in the body of an API.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map(IndexMap<Box<str>, Member, BuildHasherDefault<FxHasher>>, Option<Box<History>>);

/// Mappings are equal whatever the order of their entries.
impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl Map {
    /// Returns an empty mapping.
    pub(crate) fn new() -> Map {
        Map::default()
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` without entries.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key).map(|member| &member.value)
    }

    /// Returns the value of a key for changes.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0.get_mut(key).map(|member| &mut member.value)
    }

    /// Returns the value of a key that is neither null, `false`, zero nor empty.
    pub(crate) fn get_true(&self, key: &str) -> Option<&Value> {
        self.get(key).filter(|value| value.is_true())
    }

    /// Returns `true` for a key that the mapping has.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Returns the node of a key.
    pub(crate) fn key(&self, key: &str) -> Option<NodeId> {
        self.0.get(key)?.key
    }

    /// Sets the value of a key: in its place if the mapping has it, else at the end.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Value>) {
        let value = value.into();
        match self.0.get_mut(key) {
            Some(member) => member.value = value,
            None => self.add(key, None, value),
        }
    }

    fn add(&mut self, key: &str, node: Option<NodeId>, value: Value) {
        if let Some(history) = &mut self.1 {
            history.add(self.0.keys(), ChangeKind::Set(key.into()));
        }
        self.0.insert(key.into(), Member { key: node, value });
    }

    /// Sets the value of a key if there is a value.
    pub(crate) fn set_some(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(key, value);
        }
    }

    /// Sets the value of a key with the node of the key.
    pub(crate) fn set_with_key(&mut self, key: &str, node: Option<NodeId>, value: Value) {
        match self.0.get_mut(key) {
            Some(member) => *member = Member { key: node, value },
            None => self.add(key, node, value),
        }
    }

    /// Returns the value of a key; a new one is `default`.
    pub(crate) fn entry(&mut self, key: &str, default: impl Into<Value>) -> &mut Value {
        if let Some(history) = self.1.as_mut().filter(|_| !self.0.contains_key(key)) {
            history.add(self.0.keys(), ChangeKind::Set(key.into()));
        }
        &mut self.0.entry(key.into()).or_insert_with(|| Member { key: None, value: default.into() }).value
    }

    /// Removes a key and returns its value.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Value> {
        if let Some(history) = self.1.as_mut().filter(|_| self.0.contains_key(key)) {
            history.add(self.0.keys(), ChangeKind::Removed(key.into()));
        }
        self.0.shift_remove(key).map(|member| member.value)
    }

    /// Moves the entries of these keys to the front, in their order.
    pub(crate) fn reorder(&mut self, keys: &[String]) {
        for (index, key) in keys.iter().enumerate() {
            if let Some(old) = self.0.get_index_of(key.as_str()) {
                self.0.move_index(old, index.min(self.0.len().saturating_sub(1)));
            }
        }
    }

    /// Returns the history of the mapping.
    pub(crate) fn history(&self) -> Option<&History> {
        self.1.as_deref()
    }

    /// Returns the history of the mapping, which begins with its entries at a time.
    pub(crate) fn history_from(&mut self, time: i32) -> &mut History {
        self.1.get_or_insert_with(|| Box::new(History::new(time)))
    }

    /// Notes that the mapping alone is copied.
    pub(crate) fn note_copy(&mut self) {
        if let Some(history) = &mut self.1 {
            history.add(self.0.keys(), ChangeKind::Copied);
        }
    }

    /// Notes that as many entries of another mapping are set together, which makes a dictionary grow before.
    pub(crate) fn note_merge(&mut self, count: usize) {
        if let Some(history) = self.1.as_mut().filter(|_| count > 0) {
            history.add(self.0.keys(), ChangeKind::Merged(count));
        }
    }

    /// Sets the time of all changes that have none, here and below.
    pub(crate) fn stamp(&mut self, time: i32) {
        self.history_from(time).stamp(time);
        for member in self.0.values_mut() {
            member.value.stamp(time);
        }
    }

    /// Returns the value of a key for changes of its history.
    pub(crate) fn stamped(&mut self, key: &str) -> Option<&mut Value> {
        self.0.get_mut(key).map(|member| &mut member.value)
    }

    /// Returns the entries in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + ExactSizeIterator {
        self.0.iter().map(|(key, member)| (&**key, &member.value))
    }

    /// Returns the entries in order, for changes of their values.
    pub(crate) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&str, &mut Value)> + ExactSizeIterator {
        self.0.iter_mut().map(|(key, member)| (&**key, &mut member.value))
    }

    /// Returns the keys in order.
    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.0.keys().map(|key| &**key)
    }

    /// Returns the values by key, each with the node of its key.
    pub(crate) fn into_members(self) -> FxHashMap<Box<str>, (Option<NodeId>, Value)> {
        self.0.into_iter().map(|(key, member)| (key, (member.key, member.value))).collect()
    }

    /// Returns the entries in order, each with the node of its key.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&str, Option<NodeId>, &Value)> {
        self.0.iter().map(|(key, member)| (&**key, member.key, &member.value))
    }
}

impl<K: AsRef<str>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(entries: T) -> Map {
        let mut map = Map::new();
        for (key, value) in entries {
            map.set(key.as_ref(), value);
        }
        map
    }
}
