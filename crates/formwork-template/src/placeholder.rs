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

/// Reads a text from placeholder to placeholder.
#[derive(Clone, Debug)]
pub struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    /// Begins at the start of a text.
    pub fn new(text: &'t str) -> Scanner<'t> {
        Scanner { rest: text }
    }

    /// The next placeholder and the text in front of it; the scanner is after it then.
    pub fn next_placeholder(&mut self) -> Option<(&'t str, Placeholder<'t>)> {
        let bytes = self.rest.as_bytes();
        let at = memchr::memchr2_iter(b'$', b'&', bytes).find(|&at| bytes.get(at + 1) == Some(&b'{'))?;
        let (before, rest) = self.rest.split_at(at);
        let close = rest.find('}');
        let (written, behind) = rest.split_at(close.map_or(rest.len(), |close| close + 1));
        self.rest = behind;
        let name = close.map(|close| &rest[2..close]);
        Some((before, Placeholder { mark: bytes[at].into(), name, written }))
    }

    /// Returns to what is after the mark of the placeholder that was read last: another one may be in it.
    pub fn enter(&mut self, text: &'t str, placeholder: &Placeholder<'t>) {
        self.rest = &text[text.len() - self.rest.len() - placeholder.written.len() + 1..];
    }

    /// The text after the placeholder that was read last.
    pub fn rest(&self) -> &'t str {
        self.rest
    }
}

/// All placeholders of a text, those inside of others too.
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let mut scanner = Scanner::new(text);
    std::iter::from_fn(move || {
        let (_, placeholder) = scanner.next_placeholder()?;
        scanner.enter(text, &placeholder);
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
            scanner.enter(text, &placeholder);
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
