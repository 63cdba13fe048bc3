//! Placeholders of loops in keys and strings: `${Name}` and `&{Name}` (reference/for-each.md#substitution). Strings of
//! `Fn::Sub` are parsed by [`crate::sub_string`].

use std::borrow::Cow;

/// A placeholder, possibly without its closing brace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placeholder<'t> {
    /// `$`, or `&` for the letters and digits of the item.
    pub mark: char,
    /// The name between the braces; `None` when they are never closed.
    pub name: Option<&'t str>,
    /// The whole placeholder; the rest of the string when the braces are never closed.
    pub written: &'t str,
}

impl Placeholder<'_> {
    /// Returns whether it is this variable and, in the second place, whether it is an attribute of this variable.
    pub fn names(&self, variable: &str) -> (bool, bool) {
        let rest = self.name.and_then(|name| name.strip_prefix(variable));
        (rest == Some(""), rest.is_some_and(|rest| rest.starts_with('.')))
    }
}

/// Finds placeholders in linear time, however many of them are open.
#[derive(Clone, Debug)]
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The first closing brace behind the last placeholder's mark: the same for all that are open in front of it.
    close: Close,
}

#[derive(Clone, Copy, Debug)]
enum Close {
    /// The brace is here, or further on if the scanner is past this offset.
    At(usize),
    /// The string has no further brace.
    Never,
}

impl<'t> Scanner<'t> {
    /// Starts at the beginning of a string.
    pub fn new(text: &'t str) -> Scanner<'t> {
        Scanner { text, at: 0, close: Close::At(0) }
    }

    /// Returns the next placeholder and the string in front of it, and moves behind it.
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

    /// Returns the first closing brace behind a mark, which is searched once for all marks in front of it.
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

    /// Moves back to the end of the mark of the last placeholder, which may contain others.
    pub fn enter(&mut self, placeholder: &Placeholder<'t>) {
        self.at -= placeholder.written.len() - 1;
    }

    /// Returns the string after the last placeholder.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
}

/// Returns all placeholders of a string, nested ones included.
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let mut scanner = Scanner::new(text);
    std::iter::from_fn(move || {
        let (_, placeholder) = scanner.next_placeholder()?;
        scanner.enter(&placeholder);
        Some(placeholder)
    })
}

/// Replaces placeholders with the results of `value`. For `None` the mark is kept, and the search continues behind the
/// mark.
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
    fn placeholders_have_names_and_attributes() {
        let found: Vec<_> =
            placeholders("${A.b}&{A}${Ab}${open").map(|found| (found.names("A"), found.written)).collect();
        assert_eq!(
            found,
            [((false, true), "${A.b}"), ((true, false), "&{A}"), ((false, false), "${Ab}"), ((false, false), "${open")]
        );
    }
}
