//! Patterns that were compiled.

use std::sync::{Arc, Mutex, PoisonError};

use regex_lite::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// Programs larger than this are not run: what is compiled here must be compiled in a moment.
const LARGEST: usize = 256 << 10;

/// Patterns that were compiled, by the number of their string. `None`: it cannot be.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: Mutex<FxHashMap<u32, Option<Arc<Regex>>>>,
}

impl Cache {
    /// The program of a pattern, compiled once; `None` if it cannot be.
    pub(crate) fn compiled<'t>(&self, number: u32, pattern: impl FnOnce() -> &'t str) -> Option<Arc<Regex>> {
        // A panic elsewhere leaves the map whole.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // `regex-lite` has no look-around: a pattern that is marked is never compiled.
        known.entry(number).or_insert_with(|| compile(pattern()).map(Arc::new)).clone()
    }
}

pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).size_limit(LARGEST).build().ok()
}
