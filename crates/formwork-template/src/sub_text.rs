//! The text of an `Fn::Sub` as it is put together from literal strings and variables (reference/functions.md#sub).

use std::collections::HashSet;

use formwork_syntax::{Entry, NodeId, Origin, Style, Tree};

use crate::sub_string::{self, Part};

/// What is in place of a dollar sign that must be a variable, until it has a name: no name of a template is like it.
const UNNAMED: &str = "${\0}";

/// The text of an `Fn::Sub`, put together from literal strings and variables: no literal string is read as a variable
/// or as the beginning of one, whatever it has and wherever it is.
///
/// `${x}` in a literal string is written `${!x}`. A `${` that its own string does not close has no escape: a variable would
/// close it. Where one follows, its dollar sign becomes a variable, which [`SubText::name_dollar`] names.
#[derive(Clone, Default, Debug)]
pub struct SubText {
    text: String,
    /// Where the literal string at the end begins, which is not escaped yet.
    literal: usize,
    has_dollars: bool,
}

impl SubText {
    /// A `SubText` without content, in the room of `buffer`.
    pub fn new(mut buffer: String) -> SubText {
        buffer.clear();
        SubText { text: buffer, literal: 0, has_dollars: false }
    }

    /// A text that is there as a whole.
    pub fn finished(text: String) -> SubText {
        SubText { literal: text.len(), text, has_dollars: false }
    }

    /// Removes everything, and keeps the room.
    pub fn clear(&mut self) {
        self.text.clear();
        self.literal = 0;
        self.has_dollars = false;
    }

    /// Adds a part of the text of another `Fn::Sub`.
    #[inline]
    pub fn push(&mut self, part: Part<'_>) {
        match part {
            Part::Text(text) => self.push_literal(text),
            Part::Literal(_) => part.write_plain(&mut self.text),
            Part::Variable(name) => self.push_variable(name),
        }
    }

    /// Adds text that the result of the call has as it is.
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

    /// Adds a piece of a variable as it is written.
    pub fn push_of_variable(&mut self, piece: &str) {
        self.escape(false);
        self.text.push_str(piece);
        self.literal = self.text.len();
    }

    /// Ends the text. What is added afterwards does not continue a literal string in front of it.
    pub fn finish(&mut self) {
        self.escape(true);
    }

    /// What is there: the text of the call when it is finished.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What is there; without variables, and not finished, the result of the call.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Puts another finished text in place of it, with the same dollar signs.
    pub fn replace(&mut self, text: String) {
        self.literal = text.len();
        self.text = text;
    }

    /// Whether a dollar sign of a finished text must be a variable.
    pub fn has_dollars(&self) -> bool {
        self.has_dollars
    }

    /// The variables of the call, of which one is the dollar sign of a finished text.
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

    /// The same for variables that are in no map yet.
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

    /// Names the variable whose value is a dollar sign; `None` when there is nothing to name. `is_taken` returns
    /// whether the call has another variable of this name, `known` is one of this value that it has.
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

    /// Escapes the literal string at the end, which nothing, or a variable follows.
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
            // Behind one that is not closed, none is.
            may_close = close.is_some();
            rest = if let Some(close) = close {
                Part::Literal(&from[2..close]).write(&mut self.text);
                &from[close + 1..]
            } else if is_end {
                // Nothing is behind it that would close it.
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

/// The text of `Fn::Sub` while its variables are filled in: as the string that the call becomes when all
/// of them are known, and as the text of a call that stays.
#[derive(Clone, Default, Debug)]
pub struct Filled {
    /// The string, with everything that is known.
    pub plain: String,
    /// The text of the call, with everything that may be written.
    pub kept: SubText,
    /// Number of variables that are left.
    pub open: usize,
}

impl Filled {
    /// Nothing, with room for a text of this length.
    pub fn with_room(bytes: usize) -> Filled {
        Filled { plain: String::with_capacity(bytes), kept: SubText::new(String::with_capacity(bytes)), open: 0 }
    }

    /// Removes everything, and keeps the room.
    pub fn clear(&mut self) {
        self.plain.clear();
        self.kept.clear();
        self.open = 0;
    }

    /// Adds a part as it is.
    pub fn push(&mut self, part: Part<'_>) {
        part.write_plain(&mut self.plain);
        self.kept.push(part);
        self.open += usize::from(matches!(part, Part::Variable(_)));
    }

    /// Adds the value of a variable, which is not read as text of `Fn::Sub` again.
    pub fn push_value(&mut self, value: &str) {
        self.plain.push_str(value);
        self.kept.push_literal(value);
    }

    /// Adds the value of a variable that stays in the text of the call.
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
