//! Lexer of YAML: the scalars are known, and the source between them is split into tokens.

use std::ops::Range;

use super::token::{Kind, Token};
use crate::lines::width;
use crate::reading::Written;

/// Returns the tokens of a file, comments included. `None` if something is not recognized.
pub(crate) fn tokens(text: &str, lines: &[Range<usize>], scalars: &[Written]) -> Option<Vec<Token>> {
    let mut lexer = Lexer { text, lines, line: 0, at: 0, depth: 0, tokens: Vec::with_capacity(scalars.len() * 3) };
    for scalar in scalars {
        if scalar.range.start < lexer.at {
            // A part of a scalar that was read, such as the lines of a block scalar.
            continue;
        }
        lexer.between(scalar.range.start)?;
        // A tag may be a part of the scalar.
        while matches!(lexer.byte(), Some(b'!' | b'&')) {
            let end = lexer.word_end();
            lexer.push(if lexer.byte() == Some(b'!') { Kind::Tag } else { Kind::Anchor }, end, false);
            lexer.skip_blanks();
            if lexer.byte() == Some(b'#') {
                lexer.comment();
                lexer.skip_blanks();
            }
        }
        if lexer.at >= scalar.range.end {
            continue;
        }
        let kind = match lexer.byte()? {
            b'|' | b'>' if scalar.is_block => Kind::Block,
            b'"' | b'\'' => Kind::Quoted,
            _ => Kind::Plain,
        };
        lexer.push(kind, scalar.range.end, scalar.ends_with_break);
    }
    lexer.between(text.len())?;
    Some(lexer.tokens)
}

struct Lexer<'t> {
    text: &'t str,
    lines: &'t [Range<usize>],
    line: usize,
    at: usize,
    depth: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn line_start(&self) -> usize {
        self.lines.get(self.line).map_or(0, |line| line.start)
    }

    fn line_end(&self) -> usize {
        self.lines.get(self.line).map_or(self.text.len(), |line| line.end)
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.find_line();
    }

    fn find_line(&mut self) {
        while self.lines.get(self.line + 1).is_some_and(|next| next.start <= self.at) {
            self.line += 1;
        }
    }

    fn push(&mut self, kind: Kind, end: usize, ends_with_break: bool) {
        let (start, line) = (self.at, self.line);
        let before = self.text.get(self.line_start()..start).unwrap_or_default();
        let is_first = self.tokens.last().is_none_or(|last| last.last_line < line);
        let column = width(before);
        self.at = end;
        self.find_line();
        let last_line = self.line;
        self.tokens.push(Token {
            kind,
            range: start..end,
            line,
            last_line,
            column,
            is_first,
            ends_with_break,
            content: None,
        });
    }

    fn comment(&mut self) {
        let line = self.text.get(self.at..self.line_end()).unwrap_or_default();
        self.push(Kind::Comment, self.at + line.trim_end_matches([' ', '\t']).len(), false);
    }

    /// Returns the end of a tag, an anchor or an alias.
    fn word_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_verbatim = rest.starts_with(b"!<");
        let is_end = |byte: &u8| match byte {
            b' ' | b'\t' | b'\n' | b'\r' => true,
            b',' | b'[' | b']' | b'{' | b'}' => !is_verbatim,
            _ => false,
        };
        self.at + rest.iter().position(is_end).unwrap_or(rest.len())
    }

    /// Splits the source between two scalars, up to `end`.
    fn between(&mut self, end: usize) -> Option<()> {
        loop {
            self.skip_blanks();
            if self.at >= end {
                return (self.at == end || end == self.text.len()).then_some(());
            }
            let is_line_start = self.at == self.line_start();
            let rest = self.text.as_bytes().get(self.at..)?;
            let is_mark = |mark: &[u8]| {
                is_line_start && rest.starts_with(mark) && rest.get(3).is_none_or(u8::is_ascii_whitespace)
            };
            let (kind, len) = match *rest.first()? {
                b'#' => {
                    self.comment();
                    continue;
                }
                b'%' if is_line_start => (Kind::Directive, self.line_end() - self.at),
                b'-' if is_mark(b"---") => (Kind::Start, 3),
                b'.' if is_mark(b"...") => (Kind::End, 3),
                b'-' => (Kind::Dash, 1),
                b'?' => (Kind::Question, 1),
                b':' => (Kind::Colon, 1),
                b',' => (Kind::Comma, 1),
                open @ (b'{' | b'[') => {
                    self.depth += 1;
                    (Kind::Open(open == b'{'), 1)
                }
                close @ (b'}' | b']') => {
                    self.depth = self.depth.checked_sub(1)?;
                    (Kind::Close(close == b'}'), 1)
                }
                b'!' => (Kind::Tag, self.word_end() - self.at),
                b'&' => (Kind::Anchor, self.word_end() - self.at),
                b'*' => (Kind::Alias, self.word_end() - self.at),
                _ => return None,
            };
            self.push(kind, self.at + len, false);
        }
    }
}
