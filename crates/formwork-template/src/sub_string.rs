//! The text of `Fn::Sub`.

/// A part of the text of `Fn::Sub`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'t> {
    /// A literal part.
    Text(&'t str),
    /// `${Name}` or `${Name.Attribute}`: what is between the braces.
    Variable(&'t str),
    /// `${!Name}`, which becomes `${Name}`: what follows the mark.
    Literal(&'t str),
}

impl<'t> Part<'t> {
    /// What is between the braces of a variable.
    pub fn variable(self) -> Option<&'t str> {
        if let Part::Variable(name) = self { Some(name) } else { None }
    }

    /// The number of bytes that the part has in the text, with its braces.
    pub fn written_len(self) -> usize {
        match self {
            Part::Text(text) => text.len(),
            Part::Variable(name) => name.len() + "${}".len(),
            Part::Literal(name) => name.len() + "${!}".len(),
        }
    }

    /// Adds the part as it is written.
    pub fn write(self, out: &mut String) {
        match self {
            Part::Text(text) => out.push_str(text),
            Part::Variable(name) => out.extend(["${", name, "}"]),
            Part::Literal(name) => out.extend(["${!", name, "}"]),
        }
    }

    /// Adds the part as `Fn::Sub` returns it: `${!Name}` becomes `${Name}`, and a variable stays.
    pub fn write_plain(self, out: &mut String) {
        match self {
            Part::Literal(name) => Part::Variable(name).write(out),
            part => part.write(out),
        }
    }
}

/// `text` with what `value` returns for its variables, from their names without the spaces around them and where
/// they begin in the result. A variable stays where it returns nothing.
pub fn fill(text: &str, mut value: impl FnMut(&str, usize) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    for part in parts(text) {
        match part.variable().and_then(|name| value(name.trim(), filled.len())) {
            Some(value) => filled.push_str(&value),
            None => part.write(&mut filled),
        }
    }
    filled
}

/// Splits the string of `Fn::Sub`. A `${` that is never closed is literal.
pub fn parts(text: &str) -> Parts<'_> {
    Parts { rest: text }
}

/// Iterator over the parts of the text of `Fn::Sub`.
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
        Some(match inner.strip_prefix('!') {
            Some(literal) => Part::Literal(literal),
            None => Part::Variable(inner),
        })
    }
}

/// Offset of the first `${`.
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

/// Whether the text has anything to substitute or to unescape.
pub fn has_variables(text: &str) -> bool {
    find_open(text).is_some()
}

/// The characters of variable names, by their codes: a text is read again by several stages.
const OF_NAMES: [bool; 256] = {
    let (mut table, mut code) = ([false; 256], 0);
    while code < table.len() {
        let byte = code as u8;
        table[code] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':');
        code += 1;
    }
    table
};

/// Whether a variable name has the characters that CloudFormation allows: letters, digits,
/// underscores, periods and colons (reference/functions.md#sub).
pub fn is_variable_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| OF_NAMES[usize::from(byte)])
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
        assert_eq!(parts(text).map(Part::written_len).sum::<usize>(), text.len());
        assert_eq!(parts("${A${B}}").collect::<Vec<_>>(), [Part::Variable("A${B"), Part::Text("}")]);
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
