//! Writing JSON anew: two spaces, one member a line, functions by their long names
//! (reference/layout.md#other-format).

use super::out::{Out, Part, Recorder};
use crate::function::Function;
use crate::tree::{FrameId, NodeId, Tree, View};
use crate::value;

/// Writes the tree below `node`, and a line end.
pub(super) fn write<R: Recorder>(tree: &Tree, node: NodeId, out: &mut Out<'_, R>) {
    Writer { tree, out, frame: FrameId::NONE }.value(node, 0);
    out.push_char('\n');
}

struct Writer<'w, 's, R> {
    tree: &'w Tree,
    out: &'w mut Out<'s, R>,
    frame: FrameId,
}

impl<R: Recorder> Writer<'_, '_, R> {
    fn line(&mut self, depth: usize) {
        self.out.push_char('\n');
        self.out.blanks(2 * depth);
    }

    fn value(&mut self, node: NodeId, depth: usize) {
        let outer = self.frame;
        if R::ON {
            self.frame = self.out.enter(self.tree, outer, node);
            self.out.mark(node, Part::Value, self.frame);
        }
        match self.tree.view(node) {
            View::Null => self.out.push("null"),
            View::Bool(true) => self.out.push("true"),
            View::Bool(false) => self.out.push("false"),
            View::Number(text) => self.out.push(text),
            View::String(text) => string(text, self.out.text_mut()),
            View::List([]) => self.out.push("[]"),
            View::List(items) => {
                self.out.push_char('[');
                for (at, &item) in items.iter().enumerate() {
                    if at > 0 {
                        self.out.push_char(',');
                    }
                    self.line(depth + 1);
                    self.value(item, depth + 1);
                }
                self.line(depth);
                self.out.push_char(']');
            }
            View::Map if self.tree.is_empty(node) => self.out.push("{}"),
            View::Map => {
                self.out.push_char('{');
                for (at, entry) in self.tree.entries(node).enumerate() {
                    if at > 0 {
                        self.out.push_char(',');
                    }
                    if depth < 3 {
                        self.out.drain();
                    }
                    self.line(depth + 1);
                    let outer = self.key(entry.key);
                    self.value(entry.value, depth + 1);
                    self.out.end(entry.key);
                    self.frame = outer;
                }
                self.line(depth);
                self.out.push_char('}');
            }
            View::Call(function, argument) => {
                self.out.push_char('{');
                self.line(depth + 1);
                self.out.push_char('"');
                self.out.push(self.tree.function_name(function));
                self.out.push("\": ");
                self.argument(function, argument, depth + 1);
                self.line(depth);
                self.out.push_char('}');
            }
        }
        self.frame = outer;
    }

    /// Writes a key and steps into its context; returns the one around it.
    fn key(&mut self, key: NodeId) -> FrameId {
        let outer = self.frame;
        if R::ON {
            self.frame = self.out.enter(self.tree, outer, key);
            self.out.mark(key, Part::Key, self.frame);
        }
        string(self.tree.text(key), self.out.text_mut());
        self.out.push(": ");
        outer
    }

    /// The text of `Fn::GetAtt` is a list in the long spelling.
    fn argument(&mut self, function: Function, argument: NodeId, depth: usize) {
        let Some((name, attribute)) = value::attribute(self.tree, function, argument) else {
            return self.value(argument, depth);
        };
        self.out.mark(argument, Part::Value, self.frame);
        self.out.push_char('[');
        self.line(depth + 1);
        string(name, self.out.text_mut());
        self.out.push_char(',');
        self.line(depth + 1);
        string(attribute, self.out.text_mut());
        self.line(depth);
        self.out.push_char(']');
    }
}

/// A JSON string with the mandatory escapes only.
pub(super) fn string(text: &str, out: &mut String) {
    out.push('"');
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[from..at]);
        from = at + 1;
        escape(byte, out);
    }
    out.push_str(&text[from..]);
    out.push('"');
}

/// The escape of a control character, quote or backslash.
pub(super) fn escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        0x8 => out.push_str("\\b"),
        0xc => out.push_str("\\f"),
        byte => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            out.push_str("\\u00");
            out.push(HEX[usize::from(byte >> 4)].into());
            out.push(HEX[usize::from(byte & 15)].into());
        }
    }
}
