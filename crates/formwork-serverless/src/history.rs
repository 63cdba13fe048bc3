//! When the keys of a mapping were set and removed, which decides about their order in a dictionary of Python 2.7.
//!
//! The translator copies the whole body of an API before and behind each of its steps. A dictionary has another order
//! when a key is added to its copy. The time of a change is the number of copies before it.

/// The changes of a mapping.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) born: i32,
    /// All keys that were set and removed; none while the mapping has its first keys in their order.
    pub(crate) changes: Vec<Change>,
    /// Set for a mapping that keeps the order of its entries.
    pub(crate) is_plain: bool,
    /// The copies of the body, for its root.
    pub(crate) copies: i32,
}

/// A key that was set or removed.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Set at the end of the step.
    pub(crate) time: Option<i32>,
    pub(crate) kind: ChangeKind,
}

/// The kinds of changes.
#[derive(Clone, Debug)]
pub(crate) enum ChangeKind {
    Set(Box<str>),
    Removed(Box<str>),
    /// The mapping alone was copied.
    Copied,
    /// As many entries of another mapping were about to be set together.
    Merged(usize),
}

impl History {
    /// Returns the history of a mapping that is new at a time.
    pub(crate) fn new(born: i32) -> History {
        History { born, changes: Vec::new(), is_plain: false, copies: 0 }
    }

    /// Adds a change; `old` are the keys before.
    pub(crate) fn add<'k>(&mut self, old: impl Iterator<Item = &'k Box<str>>, kind: ChangeKind) {
        if self.changes.is_empty() {
            let time = Some(self.born);
            self.changes.extend(old.map(|key| Change { time, kind: ChangeKind::Set(key.clone()) }));
        }
        self.changes.push(Change { time: None, kind });
    }

    /// Sets the time of the changes that have none.
    pub(crate) fn stamp(&mut self, time: i32) {
        for change in self.changes.iter_mut().rev().take_while(|change| change.time.is_none()) {
            change.time = Some(time);
        }
    }
}
