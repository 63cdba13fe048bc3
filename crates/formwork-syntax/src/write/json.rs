//! Writing new JSON: two spaces, one entry per line, functions by their long names
//! (reference/layout.md#other-format).

use super::copies::{Copies, Copy};
use super::out::{Out, Part, Recorder};
use crate::function::Function;
use crate::json::plain_len;
use crate::tree::{FrameId, NodeId, Tree, View};
use crate::value;

/// Writes the tree below `node`, and a line end.
pub(super) fn write<R: Recorder>(tree: &Tree, node: NodeId, out: &mut Out<'_, R>) {
    // A recorder receives every node, wherever it is.
    let copies = (!R::ON && tree.may_share()).then(Copies::default);
    Writer { tree, out, frame: FrameId::NONE, is_authored: true, copies }.value(node, 0);
    out.push_char('\n');
}

struct Writer<'w, 's, R> {
    tree: &'w Tree,
    out: &'w mut Out<'s, R>,
    frame: FrameId,
    /// Whether the node around is authored.
    is_authored: bool,
    /// What was written before, in a tree whose parts may be shared.
    copies: Option<Copies>,
}

impl<R: Recorder> Writer<'_, '_, R> {
    /// Writes a value, or copies it when it was written before with the same indentation.
    fn value(&mut self, node: NodeId, depth: usize) {
        let Some(copies) = &mut self.copies else { return self.value_anew(node, depth) };
        // Below an authored node that is shared everything but aliases is shared as a part of it.
        let is_authored = !self.tree.is_generated(node);
        if self.is_authored && is_authored || !self.tree.is_collection(node) {
            return self.value_anew(node, depth);
        }
        let key = (node.index() as u32, depth as u64);
        let keeps = match copies.get(key) {
            Copy::Known(text) => return self.out.push(text),
            Copy::Keep => true,
            Copy::Write => false,
        };
        let start = self.out.position();
        let outer = std::mem::replace(&mut self.is_authored, is_authored);
        self.value_anew(node, depth);
        self.is_authored = outer;
        if keeps
            && let Some(text) = self.out.since(start)
            && let Some(copies) = &mut self.copies
        {
            copies.keep(key, text);
        }
    }

    fn line(&mut self, depth: usize) {
        const LINE: &str = "\n                                                                ";
        if let Some(line) = LINE.get(..1 + 2 * depth) {
            self.out.push(line);
        } else {
            self.out.push_char('\n');
            self.out.blanks(2 * depth);
        }
    }

    fn value_anew(&mut self, node: NodeId, depth: usize) {
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
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    loop {
        let len = plain_len(rest.as_bytes());
        if len == rest.len() {
            out.push_str(rest);
            break;
        }
        let (plain, behind) = rest.split_at(len);
        out.push_str(plain);
        let Some(&byte) = behind.as_bytes().first() else { break };
        escape(byte, out);
        rest = &behind[1..];
    }
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
