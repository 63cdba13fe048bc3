//! Dictionaries in the order of `CPython` 2.7.

use super::data::{Data, Text};
use super::order::{Order, hash};

/// A dictionary whose entries have the order of `CPython` 2.7 for the same insertions and removals ([`Order`]).
#[derive(Clone, Debug, Default)]
pub(crate) struct Dict {
    order: Order,
    /// Entries by their number.
    entries: Vec<Option<(Text, Data)>>,
}

impl Dict {
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entries in Python's order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Text, &Data)> {
        let entry = |number| self.entries.get(number as usize)?.as_ref();
        self.order.iter().filter_map(entry).map(|(key, value)| (key, value))
    }

    fn number(&self, key: &str) -> Option<u32> {
        let is_it = |number| matches!(self.entries.get(number as usize), Some(Some((own, _))) if own.value == key);
        self.order.get(hash(key), is_it)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Data> {
        let number = self.number(key)?;
        self.entries.get(number as usize)?.as_ref().map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Data> {
        let number = self.number(key)?;
        self.entries.get_mut(number as usize)?.as_mut().map(|(_, value)| value)
    }

    /// Sets the value of a key. A key that exists keeps its place and its kind of string.
    pub(crate) fn insert(&mut self, key: Text, value: Data) {
        if let Some(old) = self.get_mut(&key.value) {
            *old = value;
            return;
        }
        self.order.insert(hash(&key.value), self.entries.len() as u32);
        self.entries.push(Some((key, value)));
    }

    /// Removes a key.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Data> {
        let number = self.number(key)?;
        self.order.remove(hash(key), number);
        self.entries.get_mut(number as usize)?.take().map(|(_, value)| value)
    }
}
