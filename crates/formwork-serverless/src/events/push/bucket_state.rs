//! Buckets with events.

use rustc_hash::FxHashSet;

use crate::hash;
use crate::value::Value;

/// What is known about a bucket with events.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketState {
    /// The dependencies and notifications that it has, as JSON: each is added once.
    pub(super) known: FxHashSet<String>,
    /// The tags that it gets from the last function with an event of it.
    pub(super) tags: Option<Vec<Value>>,
}

impl BucketState {
    /// Adds a dependency or a notification. Returns `false` for one that the bucket has.
    pub(super) fn add(&mut self, value: &Value) -> bool {
        self.known.insert(hash::sorted_json(&value.into()))
    }
}
