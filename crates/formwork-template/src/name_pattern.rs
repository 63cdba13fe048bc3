//! Names that a loop may generate.

/// The names that the key of a loop's fragment becomes, whatever the items are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamePattern {
    /// The text before, between and behind the placeholders.
    parts: Vec<String>,
}

impl NamePattern {
    /// The names that come from a key with `${Name}` and `&{Name}` in it.
    pub fn of_key(key: &str) -> NamePattern {
        let mut parts = vec![String::new()];
        let mut rest = key;
        while let Some(at) = rest.find(['$', '&']) {
            let (before, placeholder) = rest.split_at(at);
            let end = placeholder[1..].starts_with('{').then(|| placeholder.find('}')).flatten();
            let last = parts.len() - 1;
            parts[last].push_str(before);
            if let Some(end) = end {
                parts.push(String::new());
                rest = &placeholder[end + 1..];
            } else {
                parts[last].push_str(&placeholder[..1]);
                rest = &placeholder[1..];
            }
        }
        let last = parts.len() - 1;
        parts[last].push_str(rest);
        NamePattern { parts }
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
