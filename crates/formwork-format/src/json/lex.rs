//! Lexer of JSON.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `{` or `[`; `true` for the brace.
    Open(bool),
    /// `}` or `]`; `true` for the brace.
    Close(bool),
    Comma,
    Colon,
    /// A string, a number or a word.
    Scalar,
}

/// A token and the white space in front of it.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
    /// Number of line breaks between the previous token and this one.
    pub(crate) breaks: usize,
    /// For an opening bracket, the number of its closing one.
    pub(crate) end: usize,
}

pub(crate) fn tokens(text: &str) -> Option<Vec<Token>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut open, mut at, mut breaks) = (Vec::<Token>::new(), Vec::new(), 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        let kind = match byte {
            b' ' | b'\t' => continue,
            b'\n' | b'\r' => {
                at += usize::from(byte == b'\r' && bytes.get(at) == Some(&b'\n'));
                breaks += 1;
                continue;
            }
            b'{' | b'[' => Kind::Open(byte == b'{'),
            b'}' | b']' => Kind::Close(byte == b'}'),
            b',' => Kind::Comma,
            b':' => Kind::Colon,
            b'"' => {
                at = string_end(bytes, at)?;
                Kind::Scalar
            }
            _ => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
                at += bytes.get(at..)?.iter().take_while(|byte| is_word(byte)).count();
                Kind::Scalar
            }
        };
        match kind {
            Kind::Open(_) => open.push(tokens.len()),
            Kind::Close(_) => {
                let end = tokens.len();
                tokens.get_mut(open.pop()?)?.end = end;
            }
            _ => {}
        }
        tokens.push(Token { kind, range: start..at, breaks: std::mem::take(&mut breaks), end: 0 });
    }
    open.is_empty().then_some(tokens)
}

/// Returns the offset behind the closing quote of a string whose first character is at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns `true` if the entries of the collection that opens at token `at` are on lines of their own: a line break
/// follows its bracket, and it is not empty.
pub(crate) fn is_spread(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|next| next.breaks > 0 && !matches!(next.kind, Kind::Close(_)))
}
