//! Names that a loop may generate.

use std::collections::BTreeSet;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::placeholder::Scanner;

/// The names that the key of a loop's fragment may generate, for any items.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamePattern {
    /// The literal strings before, between and after the placeholders.
    parts: Vec<String>,
}

impl NamePattern {
    /// Creates the pattern of a key that may contain `${Name}` and `&{Name}`.
    pub fn of_key(key: &str) -> NamePattern {
        let mut parts = vec![String::new()];
        let mut scanner = Scanner::new(key);
        while let Some((before, placeholder)) = scanner.next_placeholder() {
            let last = parts.len() - 1;
            parts[last].push_str(before);
            if placeholder.name.is_some() {
                parts.push(String::new());
            } else {
                parts[last].push(placeholder.mark);
                scanner.enter(&placeholder);
            }
        }
        let last = parts.len() - 1;
        parts[last].push_str(scanner.rest());
        NamePattern { parts }
    }

    /// Returns `true` if the key has a placeholder, so that each item generates another name.
    pub fn varies(&self) -> bool {
        self.parts.len() > 1
    }

    /// Returns the common prefix of all names.
    pub fn prefix(&self) -> &str {
        self.parts.first().map_or("", String::as_str)
    }

    /// Returns the pattern that matches every name.
    pub fn any() -> NamePattern {
        NamePattern { parts: vec![String::new(), String::new()] }
    }

    /// Returns `true` if some items generate this name.
    pub fn matches(&self, name: &str) -> bool {
        let [first, between @ .., last] = self.parts.as_slice() else {
            return self.parts.first().is_some_and(|only| only == name);
        };
        let Some(rest) = name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
            return false;
        };
        let mut rest = rest;
        between.iter().all(|part| match rest.find(part.as_str()) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
    }
}

/// Patterns without duplicates. A name is looked up by its beginning and end, so that many names and many patterns do
/// not take the product of their numbers.
#[derive(Clone, Debug)]
pub struct NamePatterns {
    list: Vec<NamePattern>,
    /// Keys without a placeholder.
    fixed: FxHashSet<String>,
    /// Patterns by their first and last literal strings.
    by_ends: FxHashMap<String, FxHashMap<String, FxHashSet<NamePattern>>>,
    /// The lengths of these strings.
    lengths: BTreeSet<(usize, usize)>,
}

impl Default for NamePatterns {
    fn default() -> NamePatterns {
        NamePatterns::new()
    }
}

impl NamePatterns {
    /// Creates an empty set.
    pub const fn new() -> NamePatterns {
        NamePatterns {
            list: Vec::new(),
            fixed: FxHashSet::with_hasher(FxBuildHasher),
            by_ends: FxHashMap::with_hasher(FxBuildHasher),
            lengths: BTreeSet::new(),
        }
    }

    /// Adds a pattern, unless it is known.
    pub fn push(&mut self, pattern: NamePattern) {
        let is_new = match pattern.parts.as_slice() {
            [first, .., last] => {
                self.lengths.insert((first.len(), last.len()));
                let here = self.by_ends.entry(first.clone()).or_default().entry(last.clone()).or_default();
                here.insert(pattern.clone())
            }
            only => only.first().is_some_and(|only| self.fixed.insert(only.clone())),
        };
        if is_new {
            self.list.push(pattern);
        }
    }

    /// Returns `true` if one of the patterns matches the name.
    pub fn matches(&self, name: &str) -> bool {
        let with_ends = |&(first, last): &(usize, usize)| {
            let end = name.len().checked_sub(last).filter(|&end| first <= end);
            let parts = end.and_then(|end| Some((name.get(..first)?, name.get(end..)?)));
            let here = parts.and_then(|(first, last)| self.by_ends.get(first)?.get(last));
            here.is_some_and(|here| here.iter().any(|pattern| pattern.matches(name)))
        };
        self.fixed.contains(name) || self.lengths.iter().any(with_ends)
    }

    /// Returns `true` if no pattern was added.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of patterns.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns all patterns, in the order in which they were added.
    pub fn as_slice(&self) -> &[NamePattern] {
        &self.list
    }
}

impl Extend<NamePattern> for NamePatterns {
    fn extend<I: IntoIterator<Item = NamePattern>>(&mut self, patterns: I) {
        for pattern in patterns {
            self.push(pattern);
        }
    }
}

impl FromIterator<NamePattern> for NamePatterns {
    fn from_iter<I: IntoIterator<Item = NamePattern>>(patterns: I) -> NamePatterns {
        let mut all = NamePatterns::new();
        all.extend(patterns);
        all
    }
}

impl IntoIterator for NamePatterns {
    type Item = NamePattern;
    type IntoIter = std::vec::IntoIter<NamePattern>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_patterns_match_what_one_of_them_matches() {
        let keys =
            ["B${A}", "B${A}b", "${A}b", "${A}", "Fixed", "x${A}y${B}z", "x${A}q${B}z", "ü${A}ß", "B${A}", "Fixed"];
        let names = ["", "B", "Bb", "b", "Fixed", "Fixed2", "xyz", "xz", "xqz", "x1y2z", "üß", "ü", "ß", "Büb", "aba"];
        for count in 0..=keys.len() {
            let one_by_one: Vec<_> = keys[..count].iter().map(|key| NamePattern::of_key(key)).collect();
            let all: NamePatterns = one_by_one.iter().cloned().collect();
            for name in names {
                let want = one_by_one.iter().any(|pattern| pattern.matches(name));
                assert_eq!(all.matches(name), want, "{name} by {:?}", &keys[..count]);
            }
            assert_eq!((all.len(), all.is_empty()), (count.min(8), count == 0));
            assert_eq!(all.as_slice(), &one_by_one[..all.len()]);
        }
    }

    #[test]
    fn a_name_matches_the_key_that_may_generate_it() {
        let check = |key: &str, name: &str| NamePattern::of_key(key).matches(name);
        assert!(check("Bucket${Name}", "BucketLogs") && check("Bucket${Name}", "Bucket"));
        assert!(check("${A}To&{B}Link", "xToyLink") && !check("${A}To&{B}Link", "xyLink"));
        assert!(check("Fixed", "Fixed") && !check("Fixed", "Fixed2"));
        assert!(!check("Bucket${Name}", "Queue") && !check("aba${X}ba", "aba"));
        assert!(check("$x${Y}", "$xz") && check("${Open", "${Open"));
        assert!(NamePattern::any().matches("Thing"));
    }
}
