//! Output of new JSON: whole documents, and new parts of a document that is otherwise kept (reference/layout.md#json,
//! reference/layout.md#other-format).

use super::copies::Copies;
use super::json_string::string;
use super::out::{Out, Part, Recorder};
use crate::function::Function;
use crate::json::lines::Lines;
use crate::tree::{FrameId, NodeId, Style, Tree, View};
use crate::value;

pub(super) fn write<R: Recorder>(tree: &Tree, node: NodeId, out: &mut Out<'_, R>) {
    document(tree, node, "  ", None, out);
    out.push_char('\n');
}

/// Writes the tree below `node` with the layout of the document that it came from, without a line break at its end.
pub(super) fn write_as<R: Recorder>(tree: &Tree, node: NodeId, source: DocumentLines<'_>, out: &mut Out<'_, R>) {
    document(tree, node, source.step, Some(source), out);
}

fn document<R: Recorder>(
    tree: &Tree,
    node: NodeId,
    step: &str,
    source: Option<DocumentLines<'_>>,
    out: &mut Out<'_, R>,
) {
    // A recorder receives every node at each of its places.
    let shared = (!R::ON && tree.may_share()).then(|| Shared::new(tree));
    let (frame, lines) = (FrameId::NONE, Some(Lines::new("\n", step)));
    let keeps_spelling = source.is_some();
    Writer { tree, out, frame, lines, source, keeps_spelling, is_authored: true, shared }.value(node, 0);
}

/// A document with each entry and each element on its own line (see [`flags::IN_LINES`](crate::tree::flags::IN_LINES)).
#[derive(Clone, Copy)]
pub(super) struct DocumentLines<'d> {
    pub(super) text: &'d str,
    pub(super) base: u32,
    pub(super) step: &'d str,
}

impl<'d> DocumentLines<'d> {
    /// Returns the text of an authored collection at this level in the document.
    fn text_of(&self, tree: &Tree, node: NodeId, depth: usize) -> Option<&'d str> {
        let span = if tree.is_generated(node) { return None } else { tree.span(node) };
        let start = span.start().checked_sub(self.base)? as usize;
        let line = self.text.get(..start)?.rsplit('\n').next()?;
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let text = self.text.get(start..(span.end() - self.base) as usize)?;
        (indent == depth * self.step.len()).then_some(text)
    }
}

pub(super) struct Writer<'w, 's, R> {
    tree: &'w Tree,
    out: &'w mut Out<'s, R>,
    frame: FrameId,
    /// Line breaks and indentation; `None` when everything is on one line.
    lines: Option<Lines<'w>>,
    /// The document that is written again: nodes at their level in it are copied.
    source: Option<DocumentLines<'w>>,
    /// Set when `Fn::GetAtt` keeps a string as its argument.
    keeps_spelling: bool,
    /// Set when the surrounding node is authored.
    is_authored: bool,
    shared: Option<Shared>,
}

struct Shared {
    /// A bit per node, by its number: most nodes that a loop generated are written once, and need nothing more.
    written: Vec<u64>,
    copies: Copies,
}

impl Shared {
    fn new(tree: &Tree) -> Shared {
        Shared { written: vec![0; tree.node_count() / 64 + 1], copies: Copies::default() }
    }

    /// Records that a node is written; returns `true` when it was written before.
    fn is_again(&mut self, node: NodeId) -> bool {
        let bit = 1 << (node.index() % 64);
        let word = &mut self.written[node.index() / 64];
        let is_again = *word & bit != 0;
        *word |= bit;
        is_again
    }
}

impl<'w, 's, R: Recorder> Writer<'w, 's, R> {
    pub(super) fn inside(
        tree: &'w Tree,
        out: &'w mut Out<'s, R>,
        frame: FrameId,
        lines: Option<Lines<'w>>,
    ) -> Writer<'w, 's, R> {
        Writer { tree, out, frame, lines, source: None, keeps_spelling: true, is_authored: true, shared: None }
    }

    pub(super) fn value(&mut self, node: NodeId, depth: usize) {
        let Some(shared) = &mut self.shared else { return self.generated_value(node, depth) };
        // Everything below a shared authored node, except aliases, is shared as a part of it.
        let is_authored = !self.tree.is_generated(node);
        if self.is_authored && is_authored || !self.tree.is_collection(node) {
            return self.generated_value(node, depth);
        }
        let outer = std::mem::replace(&mut self.is_authored, is_authored);
        if shared.is_again(node) {
            self.value_again(node, depth);
        } else {
            self.generated_value(node, depth);
        }
        self.is_authored = outer;
    }

    fn value_again(&mut self, node: NodeId, depth: usize) {
        let key = (node.index() as u32, depth as u64);
        if let Some(text) = self.shared.as_ref().and_then(|shared| shared.copies.known(key)) {
            return self.out.push(text);
        }
        let start = self.out.position();
        self.generated_value(node, depth);
        if let Some(text) = self.out.since(start)
            && let Some(shared) = &mut self.shared
        {
            shared.copies.keep(key, text);
        }
    }

    fn line(&mut self, depth: usize) {
        if let Some(lines) = &mut self.lines {
            self.out.push(lines.at(depth));
        }
    }

    fn begin(&mut self, is_first: bool, depth: usize) {
        if !is_first {
            self.out.push(if self.lines.is_some() { "," } else { ", " });
        }
        self.line(depth);
    }

    fn generated_value(&mut self, node: NodeId, depth: usize) {
        let source = self.source.filter(|_| !R::ON && self.tree.is_collection(node));
        if let Some(text) = source.and_then(|source| source.text_of(self.tree, node, depth)) {
            return self.out.push(text);
        }
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
                    self.begin(at == 0, depth + 1);
                    self.value(item, depth + 1);
                }
                self.line(depth);
                self.out.push_char(']');
            }
            View::Map if self.tree.is_empty(node) => self.out.push("{}"),
            View::Map => {
                self.out.push_char('{');
                for (at, entry) in self.tree.entries(node).enumerate() {
                    if depth < 3 {
                        self.out.drain();
                    }
                    self.begin(at == 0, depth + 1);
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
                self.argument(node, (function, argument), depth + 1);
                self.line(depth);
                self.out.push_char('}');
            }
        }
        self.frame = outer;
    }

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

    /// Writes the argument of a call. The string of `Fn::GetAtt` becomes a list in the long spelling; a call with a tag was not
    /// written in JSON.
    fn argument(&mut self, call: NodeId, (function, argument): (Function, NodeId), depth: usize) {
        let is_kept = self.keeps_spelling && self.tree.style(call) != Style::Tag;
        let attribute = if is_kept { None } else { value::attribute(self.tree, function, argument) };
        let Some((name, attribute)) = attribute else {
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
