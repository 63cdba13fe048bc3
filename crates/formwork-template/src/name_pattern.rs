//! Names that a loop may generate.

use crate::placeholder::Scanner;

/// The names that the key of a loop's fragment becomes, whatever the items are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamePattern {
    /// The text before, between and after the placeholders.
    parts: Vec<String>,
}

impl NamePattern {
    /// The names that come from a key with `${Name}` and `&{Name}` in it.
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

    /// Whether the key has a placeholder, so that each item generates another name.
    pub fn varies(&self) -> bool {
        self.parts.len() > 1
    }

    /// Every name.
    pub fn any() -> NamePattern {
        NamePattern { parts: vec![String::new(), String::new()] }
    }

    /// Whether some items make the key this name.
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

#[cfg(test)]
mod tests {
    use super::*;

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
