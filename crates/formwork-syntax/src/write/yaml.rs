//! Output of new YAML: whole documents, and new parts of a document that is otherwise kept
//! (reference/layout.md#scalars, reference/layout.md#line-breaks, reference/layout.md#collections,
//! reference/layout.md#other-format).

use super::out::{BlockEnd, Out, Part, Recorder};
use super::scalar;
use crate::function::Function;
use crate::tree::{Entry, FrameId, Kind, NodeId, Style, Tree, View};
use crate::value;

#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'l> {
    pub(super) newline: &'l str,
    pub(super) step: usize,
    /// Set when the dashes of a list under a key are in the key's column.
    pub(super) dash_in_column: bool,
    /// Set when calls keep the spelling of their authors; else all have their long names.
    pub(super) keep_spelling: bool,
}

impl Layout<'_> {
    /// Layout of a document in the other format than its source.
    pub(super) const NEW: Layout<'static> =
        Layout { newline: "\n", step: 2, dash_in_column: false, keep_spelling: false };
}

/// The key or dash that a value belongs to, with its column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Host {
    /// A key: the dashes of a list may be in its column.
    Key(usize),
    /// A dash: everything below it is deeper.
    Dash(usize),
}

impl Host {
    pub(super) fn column(self) -> usize {
        match self {
            Host::Key(column) | Host::Dash(column) => column,
        }
    }
}

pub(super) fn write<R: Recorder>(tree: &Tree, node: NodeId, out: &mut Out<'_, R>) {
    let mut writer = Writer { tree, out, layout: Layout::NEW, frame: FrameId::NONE, trailing: String::new() };
    match tree.kind(node) {
        Kind::Map if !tree.is_empty(node) => writer.members(node, 0),
        Kind::List if !tree.is_empty(node) => writer.items(node, 0),
        Kind::Call => writer.long_call(node, 0),
        _ => writer.inline(node, false),
    }
    writer.out.push("\n");
}

pub(super) struct Writer<'w, 's, R> {
    pub(super) tree: &'w Tree,
    pub(super) out: &'w mut Out<'s, R>,
    pub(super) layout: Layout<'w>,
    pub(super) frame: FrameId,
    /// Text for the end of the line being written: an authored comment.
    pub(super) trailing: String,
}

impl<'w, R: Recorder> Writer<'w, '_, R> {
    fn line(&mut self, column: usize) {
        self.flush_trailing();
        self.out.push(self.layout.newline);
        self.out.spaces(column);
    }

    pub(super) fn flush_trailing(&mut self) {
        if !self.trailing.is_empty() {
            self.out.push(&self.trailing);
            self.trailing.clear();
        }
    }

    fn enter(&mut self, node: NodeId) -> FrameId {
        let inner = self.out.enter(self.tree, self.frame, node);
        std::mem::replace(&mut self.frame, inner)
    }

    fn mark(&mut self, node: NodeId) {
        self.out.mark(node, Part::Value, self.frame);
    }

    pub(super) fn is_tagged(&self, node: NodeId) -> bool {
        self.layout.keep_spelling && self.tree.kind(node) == Kind::Call && self.tree.style(node) == Style::Tag
    }

    /// Writes the value of a key, dash or tag: a scalar beside it, entries and elements on the lines below. `host` is
    /// the key or dash that the lines belong to; a tag belongs to the one before it.
    pub(super) fn below(&mut self, node: NodeId, host: Host) {
        let column = host.column();
        let outer = self.enter(node);
        match self.tree.kind(node) {
            Kind::Map if !self.tree.is_empty(node) => {
                self.out.trim_spaces();
                let column = column + self.layout.step;
                self.line(column);
                self.members(node, column);
            }
            Kind::List if !self.tree.is_empty(node) => {
                self.out.trim_spaces();
                let column = self.dashes(host);
                self.line(column);
                self.items(node, column);
            }
            Kind::Call if self.is_tagged(node) => {
                self.space();
                self.mark(node);
                self.tag(node);
                let (_, argument) = self.tree.call(node);
                let flow = self.tree.style(argument) == Style::Flow;
                if self.is_tagged(argument) {
                    self.untagged(argument, host);
                } else if flow || !matches!(self.tree.kind(argument), Kind::List | Kind::Map | Kind::Call) {
                    if !self.is_empty_text(argument) {
                        self.beside(argument, column);
                    }
                } else {
                    self.below(argument, host);
                }
            }
            Kind::Call => {
                self.out.trim_spaces();
                let column = column + self.layout.step;
                self.line(column);
                self.long_call(node, column);
            }
            _ => self.beside(node, column),
        }
        self.frame = outer;
    }

    /// Returns the column of the dashes of a list below a key or dash. Below a dash they cannot be in its column, where
    /// they would be its siblings.
    fn dashes(&self, host: Host) -> usize {
        match host {
            Host::Key(column) if self.layout.dash_in_column => column,
            host => host.column() + self.layout.step,
        }
    }

    /// Writes a call after a tag: a node has one tag, so that the inner call has its long name in any case.
    pub(super) fn untagged(&mut self, node: NodeId, host: Host) {
        let outer = self.enter(node);
        self.out.trim_spaces();
        let column = host.column() + self.layout.step;
        self.line(column);
        self.long_call(node, column);
        self.frame = outer;
    }

    fn is_empty_text(&self, argument: NodeId) -> bool {
        self.tree.kind(argument) == Kind::String
            && self.tree.style(argument) == Style::Plain
            && self.tree.text(argument).is_empty()
    }

    fn space(&mut self) {
        if !self.out.ends_in_space() {
            self.out.push_char(' ');
        }
    }

    fn beside(&mut self, node: NodeId, column: usize) {
        self.space();
        if let View::String(text) = self.tree.view(node)
            && scalar::is_block(text)
        {
            self.mark(node);
            self.out.push(scalar::block_header(text));
            self.block_lines(node, column + self.layout.step);
            return;
        }
        self.inline(node, false);
    }

    pub(super) fn block_lines(&mut self, node: NodeId, column: usize) {
        let text = self.tree.text(node);
        let body = text.strip_suffix('\n').unwrap_or(text);
        for line in body.split('\n') {
            self.flush_trailing();
            self.out.push(self.layout.newline);
            if !line.is_empty() {
                self.out.spaces(column);
                self.out.push(line);
            }
        }
        let (keeps_breaks, needs_break) = (text.ends_with("\n\n"), text.ends_with('\n'));
        self.out.end_block(BlockEnd { indent: column, keeps_breaks, needs_break });
    }

    fn members(&mut self, node: NodeId, column: usize) {
        self.mark(node);
        for (at, entry) in self.tree.entries(node).enumerate() {
            if at > 0 {
                if column <= 2 * self.layout.step {
                    self.out.drain();
                }
                self.line(column);
            }
            self.member(entry, column);
        }
    }

    pub(super) fn member(&mut self, entry: Entry, column: usize) {
        let outer = self.key(entry.key, false);
        self.out.push_char(':');
        self.below(entry.value, Host::Key(column));
        self.out.end(entry.key);
        self.frame = outer;
    }

    /// Writes a key without its colon. Enters its context and returns the context around it.
    pub(super) fn key(&mut self, key: NodeId, flow: bool) -> FrameId {
        let outer = self.enter(key);
        self.out.mark(key, Part::Key, self.frame);
        scalar::text(self.tree.text(key), flow, self.out.text_mut());
        outer
    }

    fn items(&mut self, node: NodeId, column: usize) {
        self.mark(node);
        for (at, &item) in self.tree.items(node).iter().enumerate() {
            if at > 0 {
                self.line(column);
            }
            self.item(item, column);
        }
    }

    pub(super) fn item(&mut self, item: NodeId, column: usize) {
        self.out.push_char('-');
        self.after_dash(item, column);
    }

    pub(super) fn after_dash(&mut self, item: NodeId, column: usize) {
        let outer = self.enter(item);
        let is_long_call = self.tree.kind(item) == Kind::Call && !self.is_tagged(item);
        let is_collection = matches!(self.tree.kind(item), Kind::Map | Kind::List) && !self.tree.is_empty(item);
        if is_long_call || is_collection {
            self.space();
            // The author may have more than one space there.
            let inner = column + 1 + self.out.trailing_spaces();
            match self.tree.kind(item) {
                Kind::Map => self.members(item, inner),
                Kind::List => self.items(item, inner),
                _ => self.long_call(item, inner),
            }
        } else {
            self.below(item, Host::Dash(column));
        }
        self.frame = outer;
    }

    fn tag(&mut self, node: NodeId) {
        let (function, _) = self.tree.call(node);
        let Function::Known(known) = function else { return };
        self.out.push_char('!');
        self.out.push(known.short());
    }

    fn long_call(&mut self, node: NodeId, column: usize) {
        self.mark(node);
        let (function, argument) = self.tree.call(node);
        self.out.push(self.tree.function_name(function));
        self.out.push_char(':');
        if let Some((name, attribute)) = self.long_attribute(function, argument) {
            let dash = self.dashes(Host::Key(column));
            self.line(dash);
            self.mark(argument);
            self.out.push("- ");
            scalar::text(name, false, self.out.text_mut());
            self.line(dash);
            self.out.push("- ");
            scalar::text(attribute, false, self.out.text_mut());
            return;
        }
        self.below(argument, Host::Key(column));
    }

    /// Returns the parts of the string of `!GetAtt`, which is a list in the long spelling.
    fn long_attribute(&self, function: Function, argument: NodeId) -> Option<(&'w str, &'w str)> {
        if self.layout.keep_spelling { None } else { value::attribute(self.tree, function, argument) }
    }

    /// Writes a node on one line, collections in flow style. `flow` is `true` inside a flow collection.
    pub(super) fn inline(&mut self, node: NodeId, flow: bool) {
        let outer = self.enter(node);
        self.mark(node);
        match self.tree.view(node) {
            View::Null => self.out.push("null"),
            View::Bool(_) => self.out.push(self.tree.text(node)),
            View::Number(text) => self.out.push(&scalar::number(text)),
            View::String(text) => scalar::text(text, flow, self.out.text_mut()),
            View::List(items) => {
                self.out.push_char('[');
                for (at, &item) in items.iter().enumerate() {
                    if at > 0 {
                        self.out.push(", ");
                    }
                    self.inline(item, true);
                }
                self.out.push_char(']');
            }
            View::Map => {
                self.out.push_char('{');
                for (at, entry) in self.tree.entries(node).enumerate() {
                    if at > 0 {
                        self.out.push(", ");
                    }
                    let outer = self.key(entry.key, true);
                    self.out.push(": ");
                    self.inline(entry.value, true);
                    self.frame = outer;
                }
                self.out.push_char('}');
            }
            View::Call(..) if self.is_tagged(node) => {
                self.tag(node);
                let (_, argument) = self.tree.call(node);
                if self.is_tagged(argument) {
                    self.out.push_char(' ');
                    self.inline_untagged(argument);
                } else if !self.is_empty_text(argument) {
                    self.out.push_char(' ');
                    self.inline(argument, flow);
                }
            }
            View::Call(..) => self.inline_long_call(node),
        }
        self.frame = outer;
    }

    pub(super) fn inline_untagged(&mut self, node: NodeId) {
        let outer = self.enter(node);
        self.mark(node);
        self.inline_long_call(node);
        self.frame = outer;
    }

    fn inline_long_call(&mut self, node: NodeId) {
        let (function, argument) = self.tree.call(node);
        self.out.push_char('{');
        self.out.push(self.tree.function_name(function));
        self.out.push(": ");
        self.inline(argument, true);
        self.out.push_char('}');
    }
}
