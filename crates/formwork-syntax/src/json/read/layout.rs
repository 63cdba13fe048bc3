//! Detection of JSON with the layout of new JSON: each entry and each element on its own line, a space behind each
//! colon, and only the necessary escapes. Its result is then written as new JSON.

use super::{Expect, Reader};
use crate::json::lines::step;
use crate::tree::{NodeId, flags};

/// The indentation of the lines of a file that may have this layout.
#[derive(Clone, Copy)]
pub(super) struct Layout<'r> {
    step: &'r str,
    is_of_spaces: bool,
}

impl<'r> Layout<'r> {
    pub(super) fn of(text: &'r str) -> Option<Layout<'r>> {
        step(text).map(|step| Layout { step, is_of_spaces: step.bytes().all(|byte| byte == b' ') })
    }

    fn is_indent(self, spaces: &[u8], level: usize) -> bool {
        let step = self.step.as_bytes();
        spaces.len() == level * step.len() && spaces.chunks_exact(step.len()).all(|one| one == step)
    }
}

impl Reader<'_> {
    /// Checks the white space from `from` to the next token. `are_spaces` is `true` for spaces, behind a line break or
    /// alone.
    #[inline]
    pub(super) fn check_white_space(&mut self, from: usize, are_spaces: bool, expect: Expect, next: u8) {
        let Some(layout) = self.layout else { return };
        let (spaces, level) = (&self.bytes[from..self.at], self.stack.len());
        let level = match (expect, next) {
            (Expect::KeyOrEnd, b'}') | (Expect::ValueOrEnd, b']') | (Expect::CommaOrEnd, b',') => None,
            (Expect::Value, _) => None,
            (Expect::CommaOrEnd, _) => Some(level.saturating_sub(1)),
            (Expect::Item | Expect::ValueOrEnd | Expect::Key | Expect::KeyOrEnd, _) => Some(level),
        };
        let is_expected = match (spaces, level) {
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

    /// Marks the root, behind which the reader is, when the text has this layout. A line break may end the text.
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
