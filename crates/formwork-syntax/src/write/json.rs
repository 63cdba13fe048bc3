//! Writing new JSON: two spaces, one entry per line, functions by their long names
//! (reference/layout.md#other-format).

use super::copies::Copies;
use super::form::Form;
use super::json_string::string;
use super::molds::{Molds, Step};
use super::out::{Out, Part, Recorder};
use crate::function::Function;
use crate::json::plain_len;
use crate::tree::{FrameId, NodeId, Tree, View};
use crate::value;

/// Writes the tree below `node`, and a line end.
pub(super) fn write<R: Recorder>(tree: &Tree, node: NodeId, out: &mut Out<'_, R>) {
    // A recorder receives every node, wherever it is.
    let shared = (!R::ON && tree.may_share()).then(|| Shared::new(tree));
    let keys = vec![Spelling::Unknown; tree.symbols().count().min(MOST_KEYS)];
    Writer { tree, out, frame: FrameId::NONE, is_authored: true, shared, molds: Molds::default(), keys }.value(node, 0);
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
    /// Text of what loops generate again and again.
    molds: Molds,
    /// How the names that were interned first are written.
    keys: Vec<Spelling>,
}

/// The number of names of which it is remembered how they are written: names of authors come first, and those that
/// loops generate are written once.
const MOST_KEYS: usize = 1 << 10;

/// How a name is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// It was not written yet.
    Unknown,
    /// As it is, between quotes.
    Plain,
    /// With escapes.
    Escaped,
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
            self.value_once(node, depth);
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

    /// Writes a value into the text of one that a loop generated in the same place.
    fn value_once(&mut self, node: NodeId, depth: usize) {
        let context = [depth as u32, 0, 0, 0, 0];
        match self.molds.write(self.tree, node, context, self.out) {
            Step::Done => {}
            Step::Write => self.value_anew(node, depth),
            Step::Keep(start) => {
                self.value_anew(node, depth);
                self.molds.keep(self.tree, node, context, start, self.out);
            }
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
            View::String(text) => self.out.string(self.tree, node, text, Form::Json),
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
        let (text, symbol) = (self.tree.text(key), self.tree.symbol(key));
        let out = self.out.text_mut();
        match self.keys.get_mut(symbol.number()) {
            Some(Spelling::Plain) => {
                out.reserve(text.len() + 4);
                out.push('"');
                out.push_str(text);
                out.push_str("\": ");
                return outer;
            }
            Some(spelling @ Spelling::Unknown) => {
                let is_plain = plain_len(text.as_bytes()) == text.len();
                *spelling = if is_plain { Spelling::Plain } else { Spelling::Escaped };
            }
            _ => {}
        }
        string(text, out);
        out.push_str(": ");
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
