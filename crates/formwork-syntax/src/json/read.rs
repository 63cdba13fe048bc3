//! Reading JSON as ECMA-404 has it, with a span for every node and key.
//!
//! Our own reader, because templates need what libraries leave out together: byte spans, the
//! written text of numbers, duplicate keys, CloudFormation's place of an error, going on after an
//! error, and no recursion. (Measured choices: docs/architecture.md, "Reading".)

use std::borrow::Cow;

use formwork_base::{Diagnostic, Diagnostics, Limits, LineIndex, Span, codes};

use super::plain_len;
use super::slips::{self, Habit, Slip};
use crate::document::{MOST_ERRORS, check_duplicate, depth_error, node_error};
use crate::function::{Function, Known};
use crate::tree::{Entry, Kind, NodeId, Origin, Style, Tree};

/// Reads `text`, whose first byte has the position `base`, into `tree`. There is always a root:
/// what is broken is left out and reported.
pub(crate) fn read(tree: &mut Tree, text: &str, base: u32, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
    read_far(tree, text, base, limits, diagnostics).0
}

/// The same, and whether it was read to its end: behind some errors nothing can be read.
pub(crate) fn read_far(
    tree: &mut Tree,
    text: &str,
    base: u32,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> (NodeId, bool) {
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
        comma: 0,
        habits: Vec::new(),
        slips: 0,
        last_comment: None,
        seen: Vec::new(),
        objects: 0,
        stop: false,
    }
    .document()
}

/// An open list or object.
struct Open {
    start: usize,
    /// Where its elements or keys begin in the reader's scratch lists.
    first: usize,
    /// Key that waits for its value, in an object.
    key: Option<NodeId>,
    is_object: bool,
}

struct Reader<'r> {
    tree: &'r mut Tree,
    /// Nodes of other files.
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
    /// Where lines begin, once an error asked for it.
    lines: Option<LineIndex>,
    /// Where the last comma is.
    comma: usize,
    /// Ways of writing that are reported at their first use, and how many more there are.
    habits: Vec<(Habit, Slip, usize)>,
    /// How many errors were reported.
    slips: usize,
    /// Where the last `*/` begins, once a comment asked for it; 0 without one.
    last_comment: Option<usize>,
    /// By symbol, the number of the last object that has a key of this name.
    seen: Vec<u32>,
    /// Number of objects that were closed.
    objects: u32,
    /// Set after an error after which nothing can be read.
    stop: bool,
}

/// What is expected next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A value.
    Value,
    /// A value, after a comma.
    Item,
    /// A value or the end of a list, right after `[`.
    ValueOrEnd,
    /// A key or the end of an object, right after `{`.
    KeyOrEnd,
    /// A key, after a comma.
    Key,
    /// A comma or the end of the open list or object.
    CommaOrEnd,
}

impl<'r> Reader<'r> {
    fn document(mut self) -> (NodeId, bool) {
        let mut expect = Expect::Value;
        let mut root = None;
        while root.is_none() && !self.stop {
            if self.diagnostics.is_cancelled() {
                break;
            }
            self.skip_blanks();
            if self.comment() {
                continue;
            }
            let Some(byte) = self.bytes.get(self.at).copied() else {
                let open: Vec<_> = self.stack.iter().map(|open| (open.start, open.is_object)).collect();
                self.slip(slips::too_early(self.at, &open));
                break;
            };
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
        if !self.stop && root.is_some() && !self.diagnostics.is_cancelled() {
            self.skip_blanks();
            while self.comment() {
                self.skip_blanks();
            }
            if self.at < self.bytes.len() {
                self.fatal(slips::behind_the_end(self.at, self.text));
            }
        }
        for (habit, slip, more) in std::mem::take(&mut self.habits) {
            self.slip(habit.slip(slip, more));
        }
        let root = root.unwrap_or_else(|| {
            let span = self.span(self.at, self.at);
            self.tree.scalar(Kind::Null, Style::Flow, "", Origin::Authored(span))
        });
        (root, !self.stop)
    }

    /// Where a key is expected. `None` after an error after which nothing can be read.
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

    /// Where a comma or the end is expected. `None` after an error after which nothing can be read.
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
                // Looking for the line takes as long as it is.
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

    /// A string as a value, which began at `start`.
    fn text_value(&mut self, start: usize, text: &str, root: &mut Option<NodeId>) -> Expect {
        let span = self.span(start, self.at);
        let node = self.tree.scalar(Kind::String, Style::Double, text, Origin::Authored(span));
        self.done(node, root)
    }

    fn member_key(&mut self) -> Expect {
        let start = self.at;
        let text = self.string();
        if let Some(colon) = slips::colon_inside(&self.text[start..self.at]) {
            self.at = start + colon;
            let name = self.text[start + 1..self.at].trim_end();
            self.slip(slips::unclosed_key(start..self.at, name));
            return self.key(start, name);
        }
        self.key(start, &text)
    }

    /// A key that is not in double quotes; `None` after an error after which nothing can be read.
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

    /// A key, which began at `start`, and the colon behind it.
    fn key(&mut self, start: usize, text: &str) -> Expect {
        let span = self.span(start, self.at);
        let key = self.tree.key(text, Style::Double, Origin::Authored(span));
        self.skip_blanks();
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

    /// Puts a finished value where it belongs.
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

    /// Whether the object that is closed has a duplicate key.
    fn has_duplicate(&mut self, first: usize) -> bool {
        self.objects += 1;
        self.seen.resize(self.tree.symbols().count(), 0);
        self.entries[first..].iter().any(|entry| {
            let last = &mut self.seen[self.tree.symbol(entry.key).number()];
            std::mem::replace(last, self.objects) == self.objects
        })
    }

    /// Reads a string; the reader is at its opening quote.
    fn string(&mut self) -> Cow<'r, str> {
        let start = self.at + 1;
        let end = start + plain_len(&self.bytes[start..]);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Cow::Borrowed(&self.text[start..end]);
        }
        self.at = start;
        let mut text = String::new();
        let mut has_lines = false;
        loop {
            let plain = plain_len(&self.bytes[self.at..]);
            text.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.bytes.get(self.at) {
                None => {
                    self.fatal(Slip::at(start - 1, "the string is never closed").help("add the closing `\"`"));
                    break;
                }
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => self.escape(&mut text),
                // The first line decides: the next quote is the same one in all lines of the string.
                Some(b'\n' | b'\r') if !std::mem::replace(&mut has_lines, true) && self.is_unclosed() => {
                    self.error(self.at, "the string of this line has no closing quote");
                    let written = self.unclosed(&self.text[start..self.at]);
                    self.at = start + written.len();
                    return written.into();
                }
                Some(_) => {
                    // Both characters of a line break of Windows are one mistake.
                    if !self.bytes[start..=self.at].ends_with(b"\r\n") {
                        self.error(
                            self.at,
                            "line breaks, tabs and other control characters in a string must be escaped, as in `\\n`",
                        );
                    }
                    text.push(char::from(self.bytes[self.at]));
                    self.at += 1;
                }
            }
        }
        text.into()
    }

    /// Whether the next quote begins another string, so that the one that is read was to end in this line.
    fn is_unclosed(&self) -> bool {
        let rest = &self.text[self.at..];
        let behind = rest.find('"').map_or("", |quote| rest[quote + 1..].trim_start());
        !behind.starts_with([',', ':', '}', ']'])
    }

    /// What a string was to be that has no closing quote in its line, of what is `written` there.
    fn unclosed<'t>(&self, written: &'t str) -> &'t str {
        if self.stack.last().is_some_and(|open| open.is_object && open.key.is_none()) {
            return written.find(": ").map_or(written, |colon| &written[..colon]);
        }
        let has_variable = written.contains("${");
        let is_end = |c: char| c == ',' || c == ' ' || !has_variable && "]}".contains(c);
        written.trim_end_matches(is_end)
    }

    /// Reads an escape; the reader is at its backslash.
    fn escape(&mut self, text: &mut String) {
        let start = self.at;
        let plain = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 2;
                return self.unicode_escape(start, text);
            }
            _ => {
                self.slip(
                    Slip::at(start, "the string has an unknown escape sequence").help("write `\\\\` for a backslash"),
                );
                self.at += 1;
                return;
            }
        };
        text.push(plain);
        self.at += 2;
    }

    fn unicode_escape(&mut self, start: usize, text: &mut String) {
        let Some(first) = self.four_digits() else {
            self.error(start, "`\\u` needs four hexadecimal digits");
            return;
        };
        let mut code = first;
        if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            let before = self.at;
            self.at += 2;
            match self.four_digits() {
                Some(second) if (0xdc00..0xe000).contains(&second) => {
                    code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                }
                _ => self.at = before,
            }
        }
        if let Some(c) = char::from_u32(code) {
            text.push(c);
        } else {
            self.error(start, "half of a surrogate pair is not a character");
            text.push('\u{fffd}');
        }
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn skip_blanks(&mut self) {
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
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// Skips a comment, which JSON does not have.
    fn comment(&mut self) -> bool {
        if !matches!(self.bytes.get(self.at), Some(b'/' | b'#')) {
            return false;
        }
        let last = *self.last_comment.get_or_insert_with(|| self.text.rfind("*/").unwrap_or(0));
        let Some(end) = slips::comment_end(self.text, self.at, last) else { return false };
        self.habit(Habit::Comments, slips::comment(self.at..end));
        self.at = end;
        true
    }

    /// A way of writing: reported once.
    fn habit(&mut self, habit: Habit, slip: Slip) {
        match self.habits.iter_mut().find(|(known, ..)| *known == habit) {
            Some((.., more)) => *more += 1,
            None => self.habits.push((habit, slip, 0)),
        }
    }

    /// An error after which reading goes on.
    fn error(&mut self, at: usize, why: &'static str) {
        self.slip(Slip::at(at, why));
    }

    /// The same with what to do. No more than the first ones are reported.
    fn slip(&mut self, slip: Slip) {
        if self.slips == MOST_ERRORS {
            return;
        }
        self.slips += 1;
        let lines = self.lines.get_or_insert_with(|| LineIndex::new(self.text));
        let (line, column) = lines.line_column(self.text, slip.met as u32);
        let start = slip.at.start;
        // Nobody sees it.
        let is_mark = self.text[start..].starts_with('\u{feff}');
        let why =
            if is_mark { "a byte order mark is in the middle of the file, outside a string".into() } else { slip.why };
        let help = if is_mark { Some("remove it".to_owned()) } else { slip.help };
        let end = self.text[start..].chars().next().map_or(start, |c| start + c.len_utf8()).max(slip.at.end);
        // CloudFormation counts one column past the offending character (recorded).
        let sentence = format!("Template format error: JSON not well-formed. (line {line}, column {})", column + 1);
        let diagnostic =
            Diagnostic::titled(codes::NOT_WELL_FORMED, why).quoting(&sentence).at(self.span(start, end)).label("here");
        let diagnostic = slip.note.into_iter().fold(diagnostic, Diagnostic::note);
        self.diagnostics.push(help.into_iter().fold(diagnostic, Diagnostic::help));
    }

    /// An error after which nothing can be read.
    fn fatal(&mut self, slip: Slip) {
        self.slip(slip);
        self.stop = true;
    }
}

/// Whether an object with this sole key is a call: `Ref` or `Fn::` anything, loops excepted.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> (Tree, NodeId, Vec<String>) {
        let mut tree = Tree::new();
        let mut diagnostics = Diagnostics::new();
        let root = read(&mut tree, text, 1, &Limits::default(), &mut diagnostics);
        let messages =
            diagnostics.iter().map(|d| [vec![d.message.clone()], d.notes.clone()].concat().join(": ")).collect();
        (tree, root, messages)
    }

    #[test]
    fn reads_values_with_spans() {
        let text = r#"{ "a": [1, -2.5e3, true, null, "x\u00e9\n"], "b": {"Ref": "P"} }"#;
        let (tree, root, errors) = check(text);
        assert_eq!(errors, [""; 0]);
        let a = tree.get_text(root, "a").expect("a");
        let texts: Vec<_> = tree.items(a).iter().map(|&item| (tree.kind(item), tree.text(item))).collect();
        assert_eq!(
            texts,
            [
                (Kind::Number, "1"),
                (Kind::Number, "-2.5e3"),
                (Kind::Bool, "true"),
                (Kind::Null, ""),
                (Kind::String, "xé\n")
            ]
        );
        let b = tree.get_text(root, "b").expect("b");
        assert!(tree.argument_of(b, Known::Ref).is_some());
        let span = tree.span(b);
        assert_eq!(&text[span.start() as usize - 1..span.end() as usize - 1], r#"{"Ref": "P"}"#);
    }

    #[test]
    fn errors_have_the_place_of_the_service() {
        let (.., errors) = check("{\"this is invalid JSON\"=\"bobbins\"}");
        assert_eq!(
            errors,
            [
                "the key \"this is invalid JSON\" is followed by `=`, not by `:`: CloudFormation: `Template format error: JSON not well-formed. (line 1, column 25)`"
            ]
        );
    }

    #[test]
    fn goes_on_behind_small_errors() {
        let (tree, root, errors) = check("{\"a\": 1 \"b\": [1,], \"c\": \"\\q\", }");
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert_eq!(tree.len(root), 3);
    }

    #[test]
    fn deep_nesting_is_refused() {
        let (.., errors) = check(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)));
        assert_eq!(errors.len(), 1);
        assert!(errors[0].contains("nested deeper than the limit of 200 levels"), "{errors:?}");
    }

    #[test]
    fn broken_text_never_panics() {
        let text = r#"{"a": ["é", {"b": -1.5e+3}, "\u12"], "c": tru}"#;
        for end in 0..=text.len() {
            if text.is_char_boundary(end) {
                check(&text[..end]);
            }
        }
    }
}
