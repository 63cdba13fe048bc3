//! Joins the string of an `Fn::Sub` from literal strings and variables (reference/functions.md#sub).

use std::collections::HashSet;

use formwork_syntax::{Entry, NodeId, Origin, Style, Tree};

use crate::sub_string::{self, Part};

/// Marks a dollar sign that must be a variable until its name is chosen: no name of a template is like it.
const UNNAMED: &str = "${\0}";

/// The string of an `Fn::Sub`, joined from literal strings and variables: no part of a literal string is parsed as a
/// variable or as the beginning of one.
///
/// `${x}` in a literal string is written `${!x}`. A `${` that its own string does not close has no escape: a variable
/// would close it. Where one follows, its dollar sign becomes a variable, whose name [`SubText::name_dollar`] chooses.
#[derive(Clone, Default, Debug)]
pub struct SubText {
    text: String,
    /// The offset of the last literal string, which is not escaped yet.
    literal: usize,
    has_dollars: bool,
}

impl SubText {
    /// Creates an empty string that reuses the capacity of `buffer`.
    pub fn new(mut buffer: String) -> SubText {
        buffer.clear();
        SubText { text: buffer, literal: 0, has_dollars: false }
    }

    /// Creates the value from a complete string.
    pub fn finished(text: String) -> SubText {
        SubText { literal: text.len(), text, has_dollars: false }
    }

    /// Removes the content, and keeps the capacity.
    pub fn clear(&mut self) {
        self.text.clear();
        self.literal = 0;
        self.has_dollars = false;
    }

    /// Adds a part of the string of another `Fn::Sub`.
    #[inline]
    pub fn push(&mut self, part: Part<'_>) {
        match part {
            Part::Text(text) => self.push_literal(text),
            Part::Literal(_) => part.write_plain(&mut self.text),
            Part::Variable(name) => self.push_variable(name),
        }
    }

    /// Adds a literal string, which the call returns unchanged.
    #[inline]
    pub fn push_literal(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a variable.
    #[inline]
    pub fn push_variable(&mut self, name: &str) {
        self.escape(false);
        Part::Variable(name).write(&mut self.text);
        self.literal = self.text.len();
    }

    /// Adds a piece of the source of a variable.
    pub fn push_of_variable(&mut self, piece: &str) {
        self.escape(false);
        self.text.push_str(piece);
        self.literal = self.text.len();
    }

    /// Ends the string. Later additions do not continue a literal string in front of them.
    pub fn finish(&mut self) {
        self.escape(true);
    }

    /// Returns the string so far; the argument of the call after [`SubText::finish`].
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the string so far; without variables, and before [`SubText::finish`], the result of the call.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Replaces the content with another finished string that has the same dollar signs.
    pub fn replace(&mut self, text: String) {
        self.literal = text.len();
        self.text = text;
    }

    /// Returns `true` if a dollar sign of the finished string must be a variable.
    pub fn has_dollars(&self) -> bool {
        self.has_dollars
    }

    /// Returns the variables of the call, with one for the dollar signs of the finished string.
    pub fn with_dollar(&mut self, tree: &mut Tree, map: Option<NodeId>, origin: Origin) -> Option<NodeId> {
        if !self.has_dollars {
            return map;
        }
        let entries = map.map_or_else(Vec::new, |map| tree.entries(map).collect());
        let entries = self.add_dollar(tree, entries, origin);
        let style = map.map_or(Style::Plain, |map| tree.style(map));
        let origin = map.map_or(origin, |map| Origin::Generated(map, tree.frame_of(map)));
        Some(tree.map(&entries, style, origin))
    }

    /// Like [`SubText::with_dollar`], for variables that are in no mapping yet.
    pub fn add_dollar(&mut self, tree: &mut Tree, mut variables: Vec<Entry>, origin: Origin) -> Vec<Entry> {
        if !self.has_dollars {
            return variables;
        }
        let known = variables.iter().find(|entry| tree.string(entry.value) == Some("$"));
        let known = known.map(|entry| tree.text(entry.key));
        let taken: HashSet<&str> = variables.iter().map(|entry| tree.text(entry.key)).collect();
        let is_taken = |name: &str| taken.contains(name);
        let name = self.name_dollar(known, is_taken).filter(|name| !is_taken(name));
        if let Some(name) = name {
            let key = tree.key(&name, Style::Plain, origin);
            variables.push(Entry { key, value: tree.computed("$", origin) });
        }
        variables
    }

    /// Chooses the name of the variable whose value is a dollar sign; `None` if the string has no such dollar sign.
    /// `is_taken` returns whether the call has another variable of this name, `known` is an existing variable with this
    /// value.
    pub fn name_dollar(&mut self, known: Option<&str>, is_taken: impl Fn(&str) -> bool) -> Option<String> {
        self.has_dollars.then(|| {
            let variables = sub_string::parts(&self.text).filter_map(Part::variable);
            let used: HashSet<&str> = variables.filter_map(|used| used.trim().split('.').next()).collect();
            let numbers = (2..).map(|number| format!("Dollar{number}"));
            let mut names = std::iter::once("Dollar".to_owned()).chain(numbers);
            let name = known.map(str::to_owned);
            let name = name
                .or_else(|| names.find(|name| !is_taken(name) && !used.contains(name.as_str())))
                .unwrap_or_default();
            let mut variable = String::new();
            Part::Variable(&name).write(&mut variable);
            self.replace(self.text.replace(UNNAMED, &variable));
            self.has_dollars = false;
            name
        })
    }

    /// Escapes the literal string at the end, before a variable or the end.
    #[inline]
    fn escape(&mut self, is_end: bool) {
        if let Some(first) = sub_string::find_open(&self.text[self.literal..]) {
            self.escape_from(self.literal + first, is_end);
        }
        self.literal = self.text.len();
    }

    #[cold]
    fn escape_from(&mut self, first: usize, is_end: bool) {
        let literal = self.text.split_off(first);
        let mut rest = literal.as_str();
        let mut may_close = true;
        while let Some(open) = sub_string::find_open(rest) {
            let (before, from) = rest.split_at(open);
            self.text.push_str(before);
            let close = may_close.then(|| memchr::memchr(b'}', from.as_bytes())).flatten();
            // If one is not closed, no later one is.
            may_close = close.is_some();
            rest = if let Some(close) = close {
                Part::Literal(&from[2..close]).write(&mut self.text);
                &from[close + 1..]
            } else if is_end {
                // No brace behind it would close it.
                self.text.push_str(from);
                ""
            } else {
                self.text.push_str(UNNAMED);
                self.has_dollars = true;
                &from[1..]
            };
        }
        self.text.push_str(rest);
    }
}

/// The string of `Fn::Sub` while its variables are substituted: as the result when all of them are known, and as the
/// argument of a call that remains.
#[derive(Clone, Default, Debug)]
pub struct Filled {
    /// The string with all known values.
    pub plain: String,
    /// The argument of the call, with all values that may be written.
    pub kept: SubText,
    /// Number of remaining variables.
    pub open: usize,
}

impl Filled {
    /// Creates an empty string with capacity for this length.
    pub fn with_room(bytes: usize) -> Filled {
        Filled { plain: String::with_capacity(bytes), kept: SubText::new(String::with_capacity(bytes)), open: 0 }
    }

    /// Removes the content, and keeps the capacity.
    pub fn clear(&mut self) {
        self.plain.clear();
        self.kept.clear();
        self.open = 0;
    }

    /// Adds a part unchanged.
    pub fn push(&mut self, part: Part<'_>) {
        part.write_plain(&mut self.plain);
        self.kept.push(part);
        self.open += usize::from(matches!(part, Part::Variable(_)));
    }

    /// Adds the value of a variable, which is not parsed as a string of `Fn::Sub` again.
    pub fn push_value(&mut self, value: &str) {
        self.plain.push_str(value);
        self.kept.push_literal(value);
    }

    /// Adds the value of a variable that remains in the argument of the call.
    pub fn push_hidden(&mut self, value: &str, name: &str) {
        self.plain.push_str(value);
        self.kept.push_variable(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_text_keeps_what_is_open_and_escapes_values() {
        let mut filled = Filled::default();
        for part in sub_string::parts("a${B}${!C}") {
            filled.push(part);
        }
        filled.push_value("${x}");
        filled.push(Part::Text("${open"));
        filled.kept.finish();
        assert_eq!(filled.plain, "a${B}${C}${x}${open");
        assert_eq!(filled.kept.as_str(), "a${B}${!C}${!x}${open");
        assert_eq!(filled.open, 1);
    }

    #[test]
    fn text_that_meets_is_one() {
        let mut text = SubText::default();
        for literal in ["$", "{a}$", "{b", "}${", "c"] {
            text.push_literal(literal);
        }
        text.push_variable("D");
        text.push_literal("${e");
        text.finish();
        let name = text.name_dollar(None, |name| name == "Dollar");
        assert_eq!(name.as_deref(), Some("Dollar2"));
        assert_eq!(text.as_str(), "${!a}${!b}${Dollar2}{c${D}${e");
    }
}
