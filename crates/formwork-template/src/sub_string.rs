//! The string of `Fn::Sub`.

use std::borrow::Cow;

/// A part of the string of `Fn::Sub`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'t> {
    /// A literal part.
    Text(&'t str),
    /// `${Name}` or `${Name.Attribute}`: the string between the braces, without spaces around it.
    Variable(&'t str),
    /// `${!Name}`, which becomes `${Name}`: the string behind the mark. Spaces in front of the mark have no meaning.
    Literal(&'t str),
}

impl<'t> Part<'t> {
    /// Returns the string between the braces of a variable.
    pub fn variable(self) -> Option<&'t str> {
        if let Part::Variable(name) = self { Some(name) } else { None }
    }

    /// Returns the number of bytes that [`Part::write`] adds.
    pub fn plain_len(self) -> usize {
        match self {
            Part::Text(text) => text.len(),
            Part::Variable(name) => name.len() + "${}".len(),
            Part::Literal(name) => name.len() + "${!}".len(),
        }
    }

    /// Adds the source of the part without spaces in its braces.
    pub fn write(self, out: &mut String) {
        match self {
            Part::Text(text) => out.push_str(text),
            Part::Variable(name) => in_braces("${", name, out),
            Part::Literal(name) => in_braces("${!", name, out),
        }
    }

    /// Adds the part as `Fn::Sub` returns it: `${!Name}` becomes `${Name}`, and a variable is kept.
    pub fn write_plain(self, out: &mut String) {
        match self {
            Part::Literal(name) => Part::Variable(name).write(out),
            part => part.write(out),
        }
    }
}

fn in_braces(open: &str, name: &str, out: &mut String) {
    out.reserve(open.len() + name.len() + 1);
    out.push_str(open);
    out.push_str(name);
    out.push('}');
}

/// Replaces variables of `text` with the results of `value`, which receives their names and their offsets in the
/// result. For `None` a variable is kept.
pub fn fill(text: &str, mut value: impl FnMut(&str, usize) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    for (part, written) in written_parts(text) {
        match part.variable().and_then(|name| value(name, filled.len())) {
            Some(value) => filled.push_str(&value),
            None => filled.push_str(written),
        }
    }
    filled
}

/// Returns `text` without the spaces in the braces of its variables.
pub fn plain(text: &str) -> Cow<'_, str> {
    let has_spaces = |(part, written): (Part<'_>, &str)| part.plain_len() != written.len();
    if !has_variables(text) || !written_parts(text).any(has_spaces) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    parts(text).for_each(|part| part.write(&mut plain));
    Cow::Owned(plain)
}

/// Splits the string of `Fn::Sub`. A `${` that is never closed is literal.
pub fn parts(text: &str) -> Parts<'_> {
    Parts { rest: text }
}

/// Like [`parts`], with the source of each part, spaces in its braces included.
pub fn written_parts(text: &str) -> impl Iterator<Item = (Part<'_>, &str)> {
    let mut parts = parts(text);
    std::iter::from_fn(move || {
        let before = parts.rest;
        let part = parts.next()?;
        Some((part, &before[..before.len() - parts.rest.len()]))
    })
}

/// Iterator over the parts of the string of `Fn::Sub`.
#[derive(Clone, Debug)]
pub struct Parts<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Parts<'t> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        if !self.rest.starts_with("${") {
            let (text, rest) = self.rest.split_at(find_open(self.rest).unwrap_or(self.rest.len()));
            self.rest = rest;
            return Some(Part::Text(text));
        }
        let Some(close) = memchr::memchr(b'}', self.rest.as_bytes()) else {
            return Some(Part::Text(std::mem::take(&mut self.rest)));
        };
        let inner = &self.rest[2..close];
        self.rest = &self.rest[close + 1..];
        Some(match inner.as_bytes() {
            // Most names have no spaces around them.
            [b'!', ..] => Part::Literal(&inner[1..]),
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => Part::Variable(inner),
            _ => match inner.trim_start().strip_prefix('!') {
                Some(literal) => Part::Literal(literal),
                None => Part::Variable(inner.trim()),
            },
        })
    }
}

pub(crate) fn find_open(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'$', &bytes[from..]) {
        let at = from + found;
        if bytes.get(at + 1) == Some(&b'{') {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Returns the rest of a string from a `${` that is never closed.
pub fn unclosed(text: &str) -> Option<&str> {
    let open = memchr::memmem::rfind(text.as_bytes(), b"${")?;
    // A `${` may be between two braces, too: only one behind the last closing brace is open.
    let closed = memchr::memrchr(b'}', text.as_bytes()).map_or(0, |at| at + 1);
    (open >= closed).then(|| text.split_at(closed + find_open(&text[closed..]).unwrap_or_default()).1)
}

/// Returns `true` when a string, such as the content of a file, has a `${` without a name and `}` behind it. Most have
/// none, which is checked quickly.
pub fn may_be_unclosed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| OF_NAMES[usize::from(*byte)] || matches!(byte, b'!' | b' ');
    memchr::memmem::find_iter(bytes, b"${")
        .any(|at| bytes[at + 2..].iter().find(|byte| !is_inner(byte)).is_none_or(|&end| end != b'}'))
}

/// Returns `true` if the string has anything to substitute or to unescape.
pub fn has_variables(text: &str) -> bool {
    find_open(text).is_some()
}

/// Characters of variable names, by their codes: several stages read the same strings.
const OF_NAMES: [bool; 256] = {
    let (mut table, mut code) = ([false; 256], 0);
    while code < table.len() {
        let byte = code as u8;
        table[code] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':');
        code += 1;
    }
    table
};

/// Returns `true` for a variable name of the characters that CloudFormation allows: letters, digits, underscores,
/// periods and colons (reference/functions.md#sub).
pub fn is_variable_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| OF_NAMES[usize::from(byte)])
}

/// Renames what the variables of a string refer to. `new_name` returns the new name of one, if it gets one; those for
/// which `is_own` is true keep theirs.
pub fn renamed<'t>(
    text: &'t str,
    is_own: &dyn Fn(&str) -> bool,
    new_name: &dyn Fn(&'t str) -> Option<Cow<'t, str>>,
) -> Cow<'t, str> {
    let mut out = String::with_capacity(text.len());
    let mut has_changed = false;
    for part in parts(text) {
        let Part::Variable(name) = part else {
            part.write(&mut out);
            continue;
        };
        let id = name.split('.').next().unwrap_or(name);
        let new = if is_own(name) { None } else { new_name(id) };
        has_changed |= new.is_some();
        out.extend(["${", new.as_deref().unwrap_or(id), name.get(id.len()..).unwrap_or_default(), "}"]);
    }
    if has_changed { out.into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits() {
        let found: Vec<_> = parts("a${B}${!C}d${E.F}$ {x}${open").collect();
        assert_eq!(
            found,
            [
                Part::Text("a"),
                Part::Variable("B"),
                Part::Literal("C"),
                Part::Text("d"),
                Part::Variable("E.F"),
                Part::Text("$ {x}"),
                Part::Text("${open"),
            ]
        );
        let text = "a${B}${!C}d${E.F}$ {x}${open";
        assert_eq!(parts(text).map(Part::plain_len).sum::<usize>(), text.len());
        assert_eq!(parts("${A${B}}").collect::<Vec<_>>(), [Part::Variable("A${B"), Part::Text("}")]);
    }

    #[test]
    fn what_is_open_ends_the_text() {
        for text in ["", "a", "${a}", "${a${b}", "${a}b", "$", "{", "$ {a", "${!a}"] {
            assert_eq!(unclosed(text), None, "{text}");
        }
        for (text, rest) in
            [("a${b", "${b"), ("${a}${b", "${b"), ("a${b${c", "${b${c"), ("}${", "${"), ("${!a", "${!a")]
        {
            assert_eq!(unclosed(text), Some(rest), "{text}");
            assert_eq!(parts(text).last(), Some(Part::Text(rest)), "{text}");
        }
    }

    #[test]
    fn spaces_in_braces_have_no_meaning() {
        let text = "${ A }${\tB.C\n}${ !D }${  }";
        let found: Vec<_> = written_parts(text).collect();
        assert_eq!(plain(text), "${A}${B.C}${!D }${}");
        assert_eq!(
            found,
            [
                (Part::Variable("A"), "${ A }"),
                (Part::Variable("B.C"), "${\tB.C\n}"),
                (Part::Literal("D "), "${ !D }"),
                (Part::Variable(""), "${  }"),
            ]
        );
    }

    #[test]
    fn fill_replaces_what_is_known() {
        let filled = fill("${ A }b${!A}${B}${A}", |name, at| (name == "A").then(|| at.to_string()));
        assert_eq!(filled, "0b${!A}${B}11");
    }

    #[test]
    fn names() {
        assert!(is_variable_name("AWS::Region"));
        assert!(is_variable_name("A.B_c"));
        for bad in ["", " ", "A${B", "a-b", "A B"] {
            assert!(!is_variable_name(bad), "{bad:?}");
        }
    }
}
