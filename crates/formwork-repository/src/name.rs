//! Names that templates share, as far as they are known.

use std::fmt;

/// A part of a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The characters themselves.
    Text(String),
    /// The expression of characters that only a deployment knows, such as `Stage`.
    Unknown(String),
}

/// A name of an export or of a parameter in the parameter store: known, or a pattern such as `${Stage}-topic`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Name {
    parts: Vec<Part>,
}

/// The expressions whose values differ between stacks.
const OF_STACK: [&str; 2] = ["AWS::StackName", "AWS::StackId"];

/// The most characters of a name that are compared: that of an export has at most 255.
const MOST_COMPARED: usize = 1_024;

impl Name {
    /// Returns a name that is known.
    pub fn known(text: &str) -> Name {
        let mut name = Name::default();
        name.push_text(text);
        name
    }

    /// Appends characters.
    pub fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Appends an expression.
    pub fn push_unknown(&mut self, expression: &str) {
        self.parts.push(Part::Unknown(expression.to_owned()));
    }

    /// Appends the parts of another name.
    pub fn append(&mut self, other: Name) {
        for part in other.parts {
            match part {
                Part::Text(text) => self.push_text(&text),
                Part::Unknown(expression) => self.push_unknown(&expression),
            }
        }
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the characters of a name that is known.
    pub fn text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the number of characters that are known.
    pub fn known_length(&self) -> usize {
        self.parts.iter().map(|part| if let Part::Text(text) = part { text.chars().count() } else { 0 }).sum()
    }

    /// Returns `true` if both names have the same parts, and none that differs between stacks.
    pub fn is_same(&self, other: &Name) -> bool {
        let is_of_stack = |part: &Part| matches!(part, Part::Unknown(name) if OF_STACK.contains(&name.as_str()));
        !self.parts.is_empty() && self == other && !self.parts.iter().any(is_of_stack)
    }

    /// Returns `true` if both names may have the same characters.
    pub fn may_be(&self, other: &Name) -> bool {
        if let (Some(one), Some(other)) = (self.text(), other.text()) {
            return one == other;
        }
        let (one, other) = (self.letters(), other.letters());
        if one.len() > MOST_COMPARED || other.len() > MOST_COMPARED {
            return true;
        }
        // For each place of the other name, whether the parts so far can end there.
        let mut ends = vec![false; other.len() + 1];
        if let Some(first) = ends.first_mut() {
            *first = true;
        }
        pass_over_unknown(&mut ends, &other);
        for letter in one {
            let mut next = vec![false; other.len() + 1];
            for (at, _) in ends.iter().enumerate().filter(|(_, is_end)| **is_end) {
                match (letter, other.get(at)) {
                    (None, _) => next.iter_mut().skip(at).for_each(|end| *end = true),
                    (Some(_), Some(None)) => set(&mut next, at),
                    (Some(letter), Some(Some(own))) if letter == *own => set(&mut next, at + 1),
                    _ => {}
                }
            }
            pass_over_unknown(&mut next, &other);
            ends = next;
        }
        ends.last().copied().unwrap_or_default()
    }

    /// The characters; `None` for an expression.
    fn letters(&self) -> Vec<Option<char>> {
        let mut letters = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => letters.extend(text.chars().map(Some)),
                Part::Unknown(_) => letters.push(None),
            }
        }
        letters
    }
}

fn set(ends: &mut [bool], at: usize) {
    if let Some(end) = ends.get_mut(at) {
        *end = true;
    }
}

/// An expression may have no characters.
fn pass_over_unknown(ends: &mut [bool], other: &[Option<char>]) {
    for at in 0..other.len() {
        if ends.get(at) == Some(&true) && other.get(at) == Some(&None) {
            set(ends, at + 1);
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Unknown(expression) if expression.contains('{') => f.write_str("${...}")?,
                Part::Unknown(expression) => write!(f, "${{{expression}}}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `a${B}c`.
    pub(crate) fn name(text: &str) -> Name {
        let mut name = Name::default();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            let (expression, after) = behind.split_once('}').unwrap_or((behind, ""));
            name.push_text(before);
            name.push_unknown(expression);
            rest = after;
        }
        name.push_text(rest);
        name
    }

    #[test]
    fn parts_are_compared_with_any_characters_for_expressions() {
        let may = |one: &str, other: &str| {
            let is = name(one).may_be(&name(other));
            assert_eq!(is, name(other).may_be(&name(one)), "{one}, {other}");
            is
        };
        for (one, other) in [
            ("a", "a"),
            ("${X}", "anything"),
            ("${X}-vpc", "dev-vpc"),
            ("${X}-vpc", "${Y}-vpc"),
            ("a-${X}", "${Y}-b"),
            ("${X}", ""),
            ("a${X}b${Y}c", "a-b-b-c"),
        ] {
            assert!(may(one, other), "{one}, {other}");
        }
        for (one, other) in
            [("a", "b"), ("${X}-vpc", "dev-vpcs"), ("${X}-vpc", "${Y}-subnet"), ("a-${X}", "b-${X}"), ("a${X}b", "ab-")]
        {
            assert!(!may(one, other), "{one}, {other}");
        }
    }

    #[test]
    fn equal_expressions_are_equal_but_for_those_of_a_stack() {
        assert!(name("${Stage}-topic").is_same(&name("${Stage}-topic")));
        assert!(!name("${Stage}-topic").is_same(&name("${Env}-topic")));
        assert!(!name("${AWS::StackName}-topic").is_same(&name("${AWS::StackName}-topic")));
        assert_eq!(name("a-${B}-${C}").to_string(), "a-${B}-${C}");
    }
}
