//! Editing JSON whose new tree has entry for entry what the authored one has: most of what a stage re-creates is on the
//! way to a few values below. The text between these is copied in one piece, however many nodes are in it.

use formwork_base::Span;

use super::copy::{is_token, lines};
use super::repeated::Piece;
use super::{Context, Editor};
use crate::tree::{Entry, Kind, NodeId, flags};
use crate::write::json_string;
use crate::write::out::Recorder;

impl<R: Recorder> Editor<'_, '_, R> {
    /// Whether [`Editor::parallel`] can write the children of `new`, which keeps the shape of `old`. A recorder receives
    /// every node.
    pub(super) fn is_parallel(&mut self, old: NodeId, new: NodeId, context: Context) -> bool {
        self.is_json
            && !R::ON
            && !self.tree.has(old, flags::HAS_LOST)
            && self.matches(old, new)
            && self.copies_whole(context)
    }

    /// Whether each child of a node is in the place of the same child of another one.
    fn matches(&self, old: NodeId, new: NodeId) -> bool {
        let tree = self.tree;
        let follows = |old: NodeId, new: NodeId| new == old || tree.authored(new) == old;
        match (tree.kind(old), tree.kind(new)) {
            (Kind::List, Kind::List) => {
                let (old, new) = (tree.items(old), tree.items(new));
                old.len() == new.len() && old.iter().zip(new).all(|(&old, &new)| follows(old, new))
            }
            (Kind::Map, Kind::Map) => {
                tree.len(old) == tree.len(new)
                    && tree.entries(old).zip(tree.entries(new)).all(|(old, new)| follows(old.key, new.key))
            }
            (Kind::Call, Kind::Call) => follows(tree.call_name(old), tree.call_name(new)),
            _ => false,
        }
    }

    /// Whether text is copied as it is but for the indentation of its lines. Between tokens, lines without anything on
    /// them are not indented; inside of what is copied whole they are.
    fn copies_whole(&mut self, context: Context) -> bool {
        if context.shift == 0 && context.comments {
            return true;
        }
        *self.shifts_whole.get_or_insert_with(|| {
            let bytes = self.text.as_bytes();
            let follows_blank = |at: usize| at > 0 && matches!(bytes[at - 1], b' ' | b'\t');
            !memchr::memchr2_iter(b'\n', b'\r', bytes).any(follows_blank)
        })
    }

    /// Writes a list, map or call where `old` is.
    pub(super) fn parallel(&mut self, old: NodeId, new: NodeId, context: Context) {
        let span = self.tree.span(old);
        let from = self.parallel_from(span.start(), old, new, context);
        self.between(Span::new(from, span.end()), context);
    }

    /// Writes it from the position `from` on, and returns from where on text was not written yet.
    fn parallel_from(&mut self, mut from: u32, old: NodeId, new: NodeId, context: Context) -> u32 {
        let tree = self.tree;
        match tree.kind(old) {
            Kind::List => {
                for (&old, &new) in tree.items(old).iter().zip(tree.items(new)) {
                    if new != old {
                        from = self.changed(from, None, old, new, context);
                    }
                }
            }
            Kind::Map => {
                for (old, new) in tree.entries(old).zip(tree.entries(new)) {
                    from = self.parallel_entry(from, old, new, context);
                }
            }
            _ => {
                let entry = |call: NodeId| Entry { key: tree.call_name(call), value: tree.call(call).1 };
                from = self.parallel_entry(from, entry(old), entry(new), context);
            }
        }
        from
    }

    fn parallel_entry(&mut self, mut from: u32, old: Entry, new: Entry, context: Context) -> u32 {
        let key = self.tree.span(old.key);
        if new.key != old.key && self.tree.text(new.key) != self.tree.text(old.key) {
            self.between(Span::new(from, key.start()), context);
            json_string::string(self.tree.text(new.key), self.out.text_mut());
            from = key.end();
        }
        if new.value == old.value { from } else { self.changed(from, Some(key), old.value, new.value, context) }
    }

    /// Writes what is in the place of an entry or element, whose key is at `key`.
    fn changed(&mut self, from: u32, key: Option<Span>, old: NodeId, new: NodeId, context: Context) -> u32 {
        self.out.drain();
        let span = self.tree.span(old);
        if self.keeps_shape(old, new) {
            if self.matches(old, new) {
                return self.parallel_from(from, old, new, context);
            }
            self.between(Span::new(from, span.start()), context);
            self.flow_by_units(old, new, context);
            return span.end();
        }
        let lead = key.map(|key| Span::new(key.end(), span.start()));
        match lead.map(|lead| (lead, self.slice(lead))) {
            // A scalar moves up to the line of its key.
            Some((lead, text)) if text.contains(['\n', '\r']) || text.trim().is_empty() => {
                self.between(Span::new(from, lead.start()), context);
                self.out.push(": ");
            }
            Some((lead, text)) => {
                self.between(Span::new(from, lead.end()), context);
                if text.ends_with(':') {
                    self.out.push_char(' ');
                }
            }
            None => self.between(Span::new(from, span.start()), context),
        }
        self.json_inline(new);
        span.end()
    }

    /// Copies text from one place that changed to the next.
    fn between(&mut self, span: Span, context: Context) {
        let text = self.slice(span);
        if context.shift == 0 || is_token(text) {
            self.out.push(text);
        } else {
            self.repeated(Piece::Between(span), context, |editor| editor.push_between(text, context.shift));
        }
    }

    /// Copies text up to what follows on its last line, each line but the first shifted.
    fn push_between(&mut self, text: &str, shift: i32) {
        let mut before = None;
        for (line, line_break) in lines(text) {
            if let Some(before) = before {
                self.out.push(before);
                if !line.is_empty() || line_break.is_empty() {
                    self.push_indent(line, shift);
                    self.out.push(line.trim_start_matches([' ', '\t']));
                }
            } else {
                self.out.push(line);
            }
            before = Some(line_break);
        }
    }
}
