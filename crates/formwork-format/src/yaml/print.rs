//! Prints the tokens of YAML with other white space.

use std::ops::Range;

use super::block_scalar;
use super::position::{Before, Place, Source};
use super::scalar_lines;
use super::token::{Kind, Token};

pub(crate) fn print(
    source: &Source<'_>,
    lines: &[Range<usize>],
    places: &[Place],
    ending: &str,
    max_empty_lines: usize,
) -> String {
    let mut out = String::with_capacity(source.text.len() + source.text.len() / 8);
    let mut printer = Printer { source, lines, ending, max_empty_lines };
    let mut last: Option<&Token> = None;
    for (at, (token, place)) in source.tokens.iter().zip(places).enumerate() {
        match place.before {
            Before::Line(column) => {
                printer.breaks(&mut out, last, token);
                out.extend(std::iter::repeat_n(' ', column));
            }
            Before::Spaces(count) => out.extend(std::iter::repeat_n(' ', count)),
            Before::Written => out.push_str(source.gap(at)),
        }
        printer.token(&mut out, token, place);
        last = Some(token);
    }
    if let Some(last) = last {
        printer.end(&mut out, last);
    }
    out
}

struct Printer<'s> {
    source: &'s Source<'s>,
    lines: &'s [Range<usize>],
    ending: &'s str,
    max_empty_lines: usize,
}

impl Printer<'_> {
    fn line(&self, number: usize) -> &str {
        self.lines.get(number).and_then(|range| self.source.text.get(range.clone())).unwrap_or_default()
    }

    fn is_frozen(&self, line: usize) -> bool {
        self.source.frozen.part(line).is_some()
    }

    fn token(&mut self, out: &mut String, token: &Token, place: &Place) {
        let text = self.source.text.get(token.range.clone()).unwrap_or_default();
        if token.line == token.last_line && token.kind != Kind::Block {
            out.push_str(text);
        } else {
            scalar_lines::push(out, text, token, place, self.is_frozen(token.line), self.ending);
        }
        // The white space at the end of a frozen line.
        let end = self.lines.get(token.last_line).map_or(token.range.end, |line| line.end);
        if self.is_frozen(token.last_line) {
            let rest = self.source.text.get(token.range.end..end).unwrap_or_default();
            if rest.bytes().all(|byte| byte == b' ' || byte == b'\t') {
                out.push_str(rest);
            }
        }
    }

    /// Writes the line breaks between two tokens, empty lines included.
    fn breaks(&self, out: &mut String, last: Option<&Token>, token: &Token) {
        let first = last.map_or(0, |last| last.last_line + 1);
        if last.is_some() {
            out.push_str(self.ending);
        }
        let mut empty = 0;
        for line in first..token.line {
            if self.is_frozen(line) {
                out.push_str(self.line(line));
            } else {
                empty += 1;
                if empty > self.max_empty_lines || last.is_none() {
                    continue;
                }
            }
            out.push_str(self.ending);
        }
    }

    /// Writes a line break, unless it would be a part of the last value.
    fn end(&self, out: &mut String, last: &Token) {
        let text = self.source.text;
        let is_open = !text.ends_with(['\n', '\r']);
        let header = block_scalar::header(text.get(last.range.clone()).unwrap_or_default());
        if last.kind == Kind::Block && is_open && !last.ends_with_break && !header.contains('-') {
            return;
        }
        out.push_str(self.ending);
    }
}
