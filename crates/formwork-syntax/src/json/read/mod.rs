//! A JSON reader by ECMA-404 with a span for every node and key.
//!
//! A reader of our own, because templates need several features that no library combines: byte spans, the written form
//! of numbers, duplicate keys, CloudFormation's place of an error, recovery after an error, and no recursion
//! (docs/decisions.md).

mod layout;
mod report;
mod string;
#[cfg(test)]
mod tests;

use formwork_base::{Diagnostics, Limits, LineIndex, Span};

use crate::document::{MOST_ERRORS, check_duplicate, depth_error, node_error};
use crate::function::{Function, Known};
use crate::json::slips::{self, Habit, Slip};
use crate::tree::{Entry, Kind, NodeId, Origin, Style, Tree};
use layout::Layout;

/// Reads `text`, whose first byte has the position `base`, into `tree`. Always returns a root: broken parts are left
/// out and reported.
pub(crate) fn read(tree: &mut Tree, text: &str, base: u32, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
    let before = tree.node_count();
    tree.reserve(text.len());
    Reader {
        tree,
        before,
        text,
        bytes: text.as_bytes(),
        at: 0,
        base,
        limits,
        diagnostics,
        stack: Vec::new(),
        items: Vec::new(),
        entries: Vec::new(),
        lines: None,
        layout: Layout::of(text),
        comma: 0,
        habits: Vec::new(),
        slips: 0,
        last_comment: None,
        keys: SeenKeys::default(),
        stop: false,
    }
    .document()
}

struct Open {
    start: usize,
    /// Index of the first element or entry in the reader's scratch lists.
    first: usize,
    /// Key whose value is expected, in an object.
    key: Option<NodeId>,
    is_object: bool,
}

#[derive(Default)]
struct SeenKeys {
    /// By symbol, the number of the last object that has a key of this name.
    last: Vec<u32>,
    /// Number of objects so far.
    objects: u32,
}

struct Reader<'r> {
    tree: &'r mut Tree,
    before: usize,
    text: &'r str,
    bytes: &'r [u8],
    at: usize,
    base: u32,
    limits: &'r Limits,
    diagnostics: &'r mut Diagnostics,
    stack: Vec<Open>,
    items: Vec<NodeId>,
    entries: Vec<Entry>,
    /// Computed at the first error.
    lines: Option<LineIndex>,
    /// The layout of a file that is written as new JSON is, so far.
    layout: Option<Layout<'r>>,
    comma: usize,
    /// Ways of writing that are reported at their first use, and the number of further uses.
    habits: Vec<(Habit, Slip, usize)>,
    slips: usize,
    /// Offset of the last `*/`, searched for at the first comment; 0 without one.
    last_comment: Option<usize>,
    keys: SeenKeys,
    /// Set after an error after which nothing can be read.
    stop: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    Item,
    /// A value or the end of a list, right after `[`.
    ValueOrEnd,
    KeyOrEnd,
    Key,
    CommaOrEnd,
}

impl Reader<'_> {
    fn document(mut self) -> NodeId {
        let mut expect = Expect::Value;
        let mut root = None;
        while root.is_none() && !self.stop {
            if self.diagnostics.is_cancelled() {
                break;
            }
            let spaces = self.at;
            let are_spaces = self.skip_white_space();
            if self.comment() {
                continue;
            }
            let Some(byte) = self.bytes.get(self.at).copied() else {
                let open: Vec<_> = self.stack.iter().map(|open| (open.start, open.is_object)).collect();
                self.slip(slips::too_early(self.at, &open));
                break;
            };
            self.check_white_space(spaces, are_spaces, expect, byte);
            let next = match expect {
                Expect::Key | Expect::KeyOrEnd => self.at_key(expect, byte, &mut root),
                Expect::CommaOrEnd => self.behind_value(byte, &mut root),
                Expect::ValueOrEnd if byte == b']' => Some(self.close(&mut root)),
                Expect::Item if byte == b']' => {
                    self.slip(slips::trailing_comma(self.comma, self.at, ']'));
                    Some(self.close(&mut root))
                }
                Expect::Value | Expect::Item | Expect::ValueOrEnd => Some(self.value(&mut root)),
            };
            match next {
                Some(next) => expect = next,
                None => break,
            }
        }
        while root.is_none() && !self.stack.is_empty() {
            self.close(&mut root);
        }
        if !self.stop
            && let Some(root) = root
            && !self.diagnostics.is_cancelled()
        {
            self.note_layout(root);
            self.skip_white_space();
            while self.comment() {
                self.skip_white_space();
            }
            if self.at < self.bytes.len() {
                self.fatal(slips::behind_the_end(self.at, self.text));
            }
        }
        for (habit, slip, more) in std::mem::take(&mut self.habits) {
            self.slip(habit.slip(slip, more));
        }
        root.unwrap_or_else(|| {
            let span = self.span(self.at, self.at);
            self.tree.scalar(Kind::Null, Style::Flow, "", Origin::Authored(span))
        })
    }

    fn at_key(&mut self, expect: Expect, byte: u8, root: &mut Option<NodeId>) -> Option<Expect> {
        match byte {
            b'"' => Some(self.member_key()),
            b'}' => {
                if expect == Expect::Key {
                    self.slip(slips::trailing_comma(self.comma, self.at, '}'));
                }
                Some(self.close(root))
            }
            b',' => {
                self.slip(slips::two_commas(self.at));
                self.at += 1;
                Some(expect)
            }
            _ => self.other_key(),
        }
    }

    fn behind_value(&mut self, byte: u8, root: &mut Option<NodeId>) -> Option<Expect> {
        let in_object = self.in_object();
        match byte {
            b',' => {
                self.comma = self.at;
                self.at += 1;
                Some(if in_object { Expect::Key } else { Expect::Item })
            }
            b'}' if in_object => Some(self.close(root)),
            b']' if !in_object => Some(self.close(root)),
            b';' => {
                self.slip(slips::semicolon(self.at));
                self.comma = self.at;
                self.at += 1;
                Some(if in_object { Expect::KeyOrEnd } else { Expect::ValueOrEnd })
            }
            _ if slips::begins_another(self.text, self.at, in_object) => {
                // The search takes as long as the line.
                if self.slips < MOST_ERRORS {
                    let end = self.text[..self.at].trim_end().len();
                    self.slip(slips::missing_comma(end, self.at, self.text));
                }
                Some(if in_object { Expect::Key } else { Expect::Value })
            }
            _ => {
                self.fatal(slips::neither(self.at, byte, in_object));
                None
            }
        }
    }

    fn in_object(&self) -> bool {
        self.stack.last().is_some_and(|open| open.is_object)
    }

    fn value(&mut self, root: &mut Option<NodeId>) -> Expect {
        let start = self.at;
        match self.bytes[start] {
            open @ (b'{' | b'[') => {
                if self.stack.len() >= self.limits.depth {
                    self.diagnostics.push(depth_error(self.limits.depth, self.span(start, start + 1)));
                    self.stop = true;
                    return Expect::Value;
                }
                self.at += 1;
                let is_object = open == b'{';
                let first = if is_object { self.entries.len() } else { self.items.len() };
                self.stack.push(Open { start, first, key: None, is_object });
                if is_object { Expect::KeyOrEnd } else { Expect::ValueOrEnd }
            }
            b'"' => {
                let text = self.string();
                self.text_value(start, &text, root)
            }
            // YAML has a null there.
            b',' | b'}' if self.stack.last().is_some_and(|open| open.key.is_some()) => {
                self.slip(slips::no_value(start));
                let span = self.span(start, start);
                let node = self.tree.scalar(Kind::Null, Style::Flow, "", Origin::Authored(span));
                self.done(node, root)
            }
            _ => {
                if let Some((text, end)) = slips::quoted(self.text, start) {
                    self.habit(Habit::Quotes, slips::quotes(start..end, &text));
                    self.at = end;
                    return self.text_value(start, &text, root);
                }
                let end = start
                    + self.bytes[start..]
                        .iter()
                        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte))
                        .count();
                let word = &self.text[start..end];
                let kind = match word {
                    "null" => Kind::Null,
                    "true" | "false" => Kind::Bool,
                    word if is_json_number(word) => Kind::Number,
                    _ => {
                        let Some((slip, text)) = slips::bare_value(self.text, start) else {
                            self.fatal(slips::no_value(start));
                            return Expect::Value;
                        };
                        self.at = slip.at.end;
                        self.slip(slip);
                        return self.text_value(start, &text, root);
                    }
                };
                self.at = end;
                let span = self.span(start, end);
                let word = if kind == Kind::Null { "" } else { word }; // a null has an empty string
                let node = self.tree.scalar(kind, Style::Flow, word, Origin::Authored(span));
                self.done(node, root)
            }
        }
    }

    fn text_value(&mut self, start: usize, text: &str, root: &mut Option<NodeId>) -> Expect {
        let span = self.span(start, self.at);
        let node = self.tree.scalar(Kind::String, Style::Double, text, Origin::Authored(span));
        self.done(node, root)
    }

    fn member_key(&mut self) -> Expect {
        let start = self.at;
        let text = self.string();
        if self.bytes.get(self.at) != Some(&b':')
            && let Some(colon) = slips::colon_inside(&self.text[start..self.at])
        {
            self.at = start + colon;
            let name = self.text[start + 1..self.at].trim_end();
            self.slip(slips::unclosed_key(start..self.at, name));
            return self.key(start, name);
        }
        self.key(start, &text)
    }

    fn other_key(&mut self) -> Option<Expect> {
        let start = self.at;
        let quoted = slips::quoted(self.text, start);
        let found = quoted.map(|(text, end)| (Habit::Quotes, text, end));
        let found = found.or_else(|| slips::bare_key(self.text, start).map(|(text, end)| (Habit::Keys, text, end)));
        let Some((habit, text, end)) = found else {
            self.fatal(slips::no_key(start));
            return None;
        };
        self.habit(habit, slips::quotes(start..end, &text));
        self.at = end;
        Some(self.key(start, &text))
    }

    fn key(&mut self, start: usize, text: &str) -> Expect {
        let span = self.span(start, self.at);
        let key = self.tree.key(text, Style::Double, Origin::Authored(span));
        let end = self.at;
        self.skip_white_space();
        if self.at > end {
            self.layout = None;
        }
        match self.bytes.get(self.at) {
            Some(b':') => self.at += 1,
            Some(b'=') => {
                let slip = slips::equals_sign(self.at, self.text, text);
                self.at = slip.at.end;
                self.slip(slip);
            }
            Some(_) => self.fatal(slips::no_colon(self.at, start, text)),
            None => {}
        }
        if let Some(open) = self.stack.last_mut() {
            open.key = Some(key);
        }
        Expect::Value
    }

    fn done(&mut self, node: NodeId, root: &mut Option<NodeId>) -> Expect {
        if self.tree.node_count() - self.before > self.limits.nodes {
            self.diagnostics.push(node_error(self.limits.nodes, self.span(self.at, self.at)));
            self.stop = true;
        }
        match self.stack.last_mut() {
            None => *root = Some(node),
            Some(open) => match open.key.take() {
                Some(key) => self.entries.push(Entry { key, value: node }),
                None => self.items.push(node),
            },
        }
        Expect::CommaOrEnd
    }

    fn close(&mut self, root: &mut Option<NodeId>) -> Expect {
        let Some(open) = self.stack.pop() else { return Expect::CommaOrEnd };
        if matches!(self.bytes.get(self.at), Some(b'}' | b']')) && !self.stop {
            self.at += 1;
        }
        let origin = Origin::Authored(self.span(open.start, self.at.max(open.start)));
        let node = if open.is_object {
            let mut lost = Vec::new();
            if self.has_duplicate(open.first) {
                let mut entries = self.entries.split_off(open.first);
                lost = check_duplicate(self.tree, &mut entries, self.diagnostics);
                self.entries.append(&mut entries);
            }
            let node = match &self.entries[open.first..] {
                &[Entry { key, value }] if call_name(self.tree.text(key)) => {
                    let function = match Known::from_long(self.tree.text(key)) {
                        Some(known) => Function::Known(known),
                        None => Function::Other(self.tree.symbol(key)),
                    };
                    self.tree.add_call(function, key, value, Style::Flow, origin)
                }
                entries => self.tree.map(entries, Style::Flow, origin),
            };
            self.tree.set_lost(node, lost);
            self.entries.truncate(open.first);
            node
        } else {
            let node = self.tree.list(&self.items[open.first..], Style::Flow, origin);
            self.items.truncate(open.first);
            node
        };
        self.done(node, root)
    }

    fn has_duplicate(&mut self, first: usize) -> bool {
        let SeenKeys { last, objects } = &mut self.keys;
        *objects += 1;
        last.resize(self.tree.symbols().count(), 0);
        self.entries[first..].iter().any(|entry| {
            let last = &mut last[self.tree.symbol(entry.key).number()];
            std::mem::replace(last, *objects) == *objects
        })
    }

    /// Skips white space. Returns `true` for spaces, behind a line break or alone.
    fn skip_white_space(&mut self) -> bool {
        const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
        // Most of them are the indentation of a line.
        if self.bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
            while let Some(word) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
                let others = u64::from_le_bytes(*word) ^ SPACES;
                self.at += others.trailing_zeros() as usize / 8;
                if others != 0 {
                    break;
                }
            }
        }
        let mut are_spaces = true;
        while let Some(byte @ (b' ' | b'\t' | b'\n' | b'\r')) = self.bytes.get(self.at) {
            are_spaces &= *byte == b' ';
            self.at += 1;
        }
        are_spaces
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    #[inline]
    fn comment(&mut self) -> bool {
        matches!(self.bytes.get(self.at), Some(b'/' | b'#')) && self.skip_comment()
    }

    #[cold]
    fn skip_comment(&mut self) -> bool {
        let last = *self.last_comment.get_or_insert_with(|| self.text.rfind("*/").unwrap_or(0));
        let Some(end) = slips::comment_end(self.text, self.at, last) else { return false };
        self.habit(Habit::Comments, slips::comment(self.at..end));
        self.at = end;
        true
    }
}

/// Returns `true` for a sole key that makes its object a call: `Ref` or `Fn::` anything, except loops.
pub(crate) fn call_name(key: &str) -> bool {
    key == "Ref" || key.starts_with("Fn::") && crate::function::loop_name(key).is_none()
}

fn is_json_number(text: &str) -> bool {
    // Nearly all are whole numbers.
    if let [b'1'..=b'9', rest @ ..] = text.as_bytes()
        && rest.iter().all(u8::is_ascii_digit)
    {
        return true;
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = digits.split_once(['e', 'E']).map_or((digits, None), |(m, e)| (m, Some(e)));
    let exponent_ok = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    crate::scalar::is_plain_number(mantissa) && !mantissa.starts_with('-') && exponent_ok
}
