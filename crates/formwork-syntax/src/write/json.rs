//! Writing new JSON: two spaces, one entry per line, functions by their long names
//! (reference/layout.md#other-format).

use super::copies::Copies;
use super::json_string::string;
use super::out::{Out, Part, Recorder};
use crate::function::Function;
use crate::tree::{FrameId, NodeId, Tree, View};
use crate::value;

/// Writes the tree below `node`, and a line end.
pub(super) fn write<R: Recorder>(tree: &Tree, node: NodeId, out: &mut Out<'_, R>) {
    // A recorder receives every node, wherever it is.
    let shared = (!R::ON && tree.may_share()).then(|| Shared::new(tree));
    Writer { tree, out, frame: FrameId::NONE, is_authored: true, shared }.value(node, 0);
    out.push_char('\n');
}

struct Writer<'w, 's, R> {
    tree: &'w Tree,
    out: &'w mut Out<'s, R>,
    frame: FrameId,
    /// Whether the node around is authored.
    is_authored: bool,
    /// What was written before, in a tree whose parts may be shared.
    shared: Option<Shared>,
}

/// Collections that were written.
struct Shared {
    /// One bit a node, by its number: most nodes that a loop generated are written once, and need nothing more.
    written: Vec<u64>,
    /// Strings of those that were written several times.
    copies: Copies,
}

impl Shared {
    fn new(tree: &Tree) -> Shared {
        Shared { written: vec![0; tree.node_count() / 64 + 1], copies: Copies::default() }
    }

    /// Notes that a node is written; returns whether it was before.
    fn is_again(&mut self, node: NodeId) -> bool {
        let bit = 1 << (node.index() % 64);
        let word = &mut self.written[node.index() / 64];
        let is_again = *word & bit != 0;
        *word |= bit;
        is_again
    }
}

impl<R: Recorder> Writer<'_, '_, R> {
    /// Writes a value, or copies it when it was written before with the same indentation.
    fn value(&mut self, node: NodeId, depth: usize) {
        let Some(shared) = &mut self.shared else { return self.value_anew(node, depth) };
        // Below an authored node that is shared everything but aliases is shared as a part of it.
        let is_authored = !self.tree.is_generated(node);
        if self.is_authored && is_authored || !self.tree.is_collection(node) {
            return self.value_anew(node, depth);
        }
        let outer = std::mem::replace(&mut self.is_authored, is_authored);
        if shared.is_again(node) {
            self.value_again(node, depth);
        } else {
            self.value_anew(node, depth);
        }
        self.is_authored = outer;
    }

    /// Writes a value that was written before, maybe with another indentation.
    fn value_again(&mut self, node: NodeId, depth: usize) {
        let key = (node.index() as u32, depth as u64);
        if let Some(text) = self.shared.as_ref().and_then(|shared| shared.copies.known(key)) {
            return self.out.push(text);
        }
        let start = self.out.position();
        self.value_anew(node, depth);
        if let Some(text) = self.out.since(start)
            && let Some(shared) = &mut self.shared
        {
            shared.copies.keep(key, text);
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
