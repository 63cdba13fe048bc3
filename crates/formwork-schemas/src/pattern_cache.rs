//! The cache of compiled patterns.

use std::sync::{Arc, Mutex, PoisonError};

use regex_lite::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// Limit of the size of a program, so that compiling takes only a moment.
const LARGEST: usize = 256 << 10;

/// Compiled patterns, by the number of their string; `None` if compiling failed.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: Mutex<FxHashMap<u32, Option<Arc<Regex>>>>,
}

impl Cache {
    /// Returns the program of a pattern, compiled once; `None` if compiling fails.
    pub(crate) fn compiled<'t>(&self, number: u32, pattern: impl FnOnce() -> &'t str) -> Option<Arc<Regex>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // `regex-lite` has no look-around: a pattern that is marked is never compiled.
        known.entry(number).or_insert_with(|| compile(pattern()).map(Arc::new)).clone()
    }
}

pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).size_limit(LARGEST).build().ok()
}
