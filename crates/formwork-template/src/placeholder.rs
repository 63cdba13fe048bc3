//! Placeholders of loops in keys and strings: `${Name}` and `&{Name}`
//! (reference/for-each.md#substitution). The text of `Fn::Sub` is read by [`crate::sub_string`].

use std::borrow::Cow;

/// A placeholder, or what begins like one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placeholder<'t> {
    /// `$`, or `&` for the letters and digits of the item.
    pub mark: char,
    /// What is between the braces; `None` when they are never closed.
    pub name: Option<&'t str>,
    /// The whole of it; the rest of the text when the braces are never closed.
    pub written: &'t str,
}

impl Placeholder<'_> {
    /// Whether it stands for this variable or, in the second place, for an attribute of it.
    pub fn names(&self, variable: &str) -> (bool, bool) {
        let rest = self.name.and_then(|name| name.strip_prefix(variable));
        (rest == Some(""), rest.is_some_and(|rest| rest.starts_with('.')))
    }
}

/// Reads a text from placeholder to placeholder, in time that grows with its length however many of them are open.
#[derive(Clone, Debug)]
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The first closing brace behind the last placeholder's mark: the same for all that are open in front of it.
    close: Close,
}

/// What is known of the next closing brace.
#[derive(Clone, Copy, Debug)]
enum Close {
    /// It is here, or behind it if the scanner is past this place.
    At(usize),
    /// The text has no further one.
    Never,
}

impl<'t> Scanner<'t> {
    /// Begins at the start of a text.
    pub fn new(text: &'t str) -> Scanner<'t> {
        Scanner { text, at: 0, close: Close::At(0) }
    }

    /// The next placeholder and the text in front of it; the scanner is after it then.
    pub fn next_placeholder(&mut self) -> Option<(&'t str, Placeholder<'t>)> {
        let bytes = self.text.as_bytes();
        let is_open = |at: &usize| bytes.get(self.at + at + 1) == Some(&b'{');
        let open = self.at + memchr::memchr2_iter(b'$', b'&', &bytes[self.at..]).find(is_open)?;
        let before = &self.text[self.at..open];
        let close = self.close_behind(open);
        let name = close.map(|close| &self.text[open + 2..close]);
        self.at = close.map_or(self.text.len(), |close| close + 1);
        Some((before, Placeholder { mark: bytes[open].into(), name, written: &self.text[open..self.at] }))
    }

    /// The first closing brace behind a mark, which is looked for once for all marks in front of it.
    fn close_behind(&mut self, open: usize) -> Option<usize> {
        match self.close {
            Close::Never => None,
            Close::At(close) if close > open => Some(close),
            Close::At(_) => {
                let found = memchr::memchr(b'}', &self.text.as_bytes()[open..]).map(|close| open + close);
                self.close = found.map_or(Close::Never, Close::At);
                found
            }
        }
    }

    /// Returns to what is after the mark of the placeholder that was read last: another one may be in it.
    pub fn enter(&mut self, placeholder: &Placeholder<'t>) {
        self.at -= placeholder.written.len() - 1;
    }

    /// The text after the placeholder that was read last.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
}

/// All placeholders of a text, those inside of others too.
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let mut scanner = Scanner::new(text);
    std::iter::from_fn(move || {
        let (_, placeholder) = scanner.next_placeholder()?;
        scanner.enter(&placeholder);
        Some(placeholder)
    })
}

/// `text` with what `value` returns for its placeholders. Where it returns nothing the mark stays, and the
/// text after the mark is read on.
pub fn fill<'t, 'v>(text: &'t str, mut value: impl FnMut(Placeholder<'t>) -> Option<Cow<'v, str>>) -> String {
    let mut filled = String::with_capacity(text.len() + 32);
    let mut scanner = Scanner::new(text);
    while let Some((before, placeholder)) = scanner.next_placeholder() {
        filled.push_str(before);
        if let Some(value) = value(placeholder) {
            filled.push_str(&value);
        } else {
            filled.push(placeholder.mark);
            scanner.enter(&placeholder);
        }
    }
    filled.push_str(scanner.rest());
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_replaces_known_names_and_reads_inside_of_others() {
        let filled = |text| {
            fill(text, |placeholder| match (placeholder.mark, placeholder.name) {
                ('$', Some("A")) => Some("a-1".into()),
                ('&', Some("A")) => Some("a1".into()),
                _ => None,
            })
        };
        assert_eq!(filled("x${A}&{A}$A{A}y"), "xa-1a1$A{A}y");
        assert_eq!(filled("${B${A}}${A"), "${Ba-1}${A");
        assert_eq!(filled("$&${A}"), "$&a-1");
    }

    #[test]
    fn placeholders_tell_names_and_attributes() {
        let found: Vec<_> =
            placeholders("${A.b}&{A}${Ab}${open").map(|found| (found.names("A"), found.written)).collect();
        assert_eq!(
            found,
            [((false, true), "${A.b}"), ((true, false), "&{A}"), ((false, false), "${Ab}"), ((false, false), "${open")]
        );
    }
}
