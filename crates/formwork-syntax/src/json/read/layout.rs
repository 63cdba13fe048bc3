//! Whether a text is laid out as new JSON is: each entry and each element is on a line of its own, a space is behind each
//! colon, and strings have the escapes that they need and no other. The result is then written as new JSON.

use super::{Expect, Reader};
use crate::json::lines::step;
use crate::tree::{NodeId, flags};

/// How the lines of a text that may be laid out like that are indented.
#[derive(Clone, Copy)]
pub(super) struct Layout<'r> {
    /// What a level adds.
    step: &'r str,
    is_of_spaces: bool,
}

impl<'r> Layout<'r> {
    pub(super) fn of(text: &'r str) -> Option<Layout<'r>> {
        step(text).map(|step| Layout { step, is_of_spaces: step.bytes().all(|byte| byte == b' ') })
    }

    /// Whether a line at a level begins with this white space.
    fn is_indent(self, blanks: &[u8], level: usize) -> bool {
        let step = self.step.as_bytes();
        blanks.len() == level * step.len() && blanks.chunks_exact(step.len()).all(|one| one == step)
    }
}

impl Reader<'_> {
    /// Looks at the white space from `from` to what comes next. `are_spaces`: it is spaces, behind a line break or alone.
    #[inline]
    pub(super) fn check_blanks(&mut self, from: usize, are_spaces: bool, expect: Expect, next: u8) {
        let Some(layout) = self.layout else { return };
        let (blanks, level) = (&self.bytes[from..self.at], self.stack.len());
        let level = match (expect, next) {
            (Expect::KeyOrEnd, b'}') | (Expect::ValueOrEnd, b']') | (Expect::CommaOrEnd, b',') => None,
            (Expect::Value, _) => None,
            (Expect::CommaOrEnd, _) => Some(level.saturating_sub(1)),
            (Expect::Item | Expect::ValueOrEnd | Expect::Key | Expect::KeyOrEnd, _) => Some(level),
        };
        let is_expected = match (blanks, level) {
            ([b'\n', indent @ ..], Some(level)) if are_spaces && layout.is_of_spaces => {
                indent.len() == level * layout.step.len()
            }
            ([b'\n', indent @ ..], Some(level)) => layout.is_indent(indent, level),
            ([b' '], None) => expect == Expect::Value && !self.stack.is_empty(),
            ([], None) => expect != Expect::Value || self.stack.is_empty(),
            _ => false,
        };
        if !is_expected {
            self.layout = None;
        }
    }

    /// Notes at the root, behind which the reader is, that the text is laid out like that. A line break may end it.
    pub(super) fn note_layout(&mut self, root: NodeId) {
        let is_sound = self.slips == 0 && self.habits.is_empty() && !self.tree.has(root, flags::HAS_LOST);
        if self.layout.is_some() && is_sound && matches!(self.bytes[self.at..], [] | [b'\n']) {
            self.tree.set_in_lines(root);
        }
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits};

    use super::super::read;
    use super::*;
    use crate::tree::Tree;

    fn is_in_lines(text: &str) -> bool {
        let mut tree = Tree::new();
        let root = read(&mut tree, text, 1, &Limits::default(), &mut Diagnostics::new());
        tree.has(root, flags::IN_LINES)
    }

    #[test]
    fn texts_with_an_entry_a_line() {
        let text = r#"{
  "a": {
    "b\"\n\\": [
      1.5e3,
      {},
      [],
      null
    ],
    "c": {
      "Ref": "é:,{"
    }
  },
  "d": true
}"#;
        assert!(is_in_lines(text));
        assert!(is_in_lines(&format!("{text}\n")));
        assert!(is_in_lines(&text.replace("  ", "\t")));
        assert!(is_in_lines(&text.replace("  ", "   ")));
    }

    #[test]
    fn other_texts() {
        for text in [
            "{}",
            "{\"a\": 1}",
            "{\n\"a\": 1\n}",
            " {\n  \"a\": 1\n}",
            "{\r\n  \"a\": 1\r\n}",
            "{\n  \"a\": 1\n}\n\n",
            "{\n  \"a\": 1\n} ",
            "{\n  \"a\": 1 \n}",
            "{\n  \"a\":  1\n}",
            "{\n  \"a\":1\n}",
            "{\n  \"a\" : 1\n}",
            "{\n  \"a\":\n1\n}",
            "{\n  \"a\": 1,\n\n  \"b\": 2\n}",
            "{\n  \"a\": 1, \"b\": 2\n}",
            "{\n  \"a\": 1 ,\n  \"b\": 2\n}",
            "{\n  \"a\": [1, 2]\n}",
            "{\n  \"a\": [\n    1\n    ]\n}",
            "{\n  \"a\": [\n      1\n  ]\n}",
            "{\n  \"a\": {\n  }\n}",
            "{\n  \"a\": \"\\u00e9\"\n}",
            "{\n  \"a\": \"\\/\"\n}",
            "{\n  // comment\n  \"a\": 1\n}",
            "{\n  \"a\": 1,\n  \"a\": 2\n}",
            "{\n  \"a\": 1,\n}",
            "{\n  'a': 1\n}",
            "{\n  \"a\": [\n    1\n    2\n  ]\n}",
        ] {
            assert!(!is_in_lines(text), "{text:?}");
        }
    }
}
