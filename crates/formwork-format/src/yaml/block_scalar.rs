//! The lines and spaces that are part of a block scalar.

use std::ops::Range;

use super::blocks::Blocks;
use super::token::{Kind, Token};
use crate::lines::leading_spaces;

/// Sets the ends of block scalars, and the columns of their lines: empty lines behind the content may be a part of the
/// value, and so may spaces at the end of lines.
pub(crate) fn settle(text: &str, lines: &[Range<usize>], tokens: &mut [Token], blocks: &Blocks) {
    for (token, owner) in tokens.iter_mut().zip(&blocks.owners) {
        if token.kind != Kind::Block {
            continue;
        }
        let outer = blocks.block(*owner).map_or(0, |block| block.column);
        let header = header(text.get(token.range.clone()).unwrap_or_default());
        let digit = header.bytes().find(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'));
        let is_text =
            |line: &Range<usize>| text.get(line.clone()).is_some_and(|line| line.bytes().any(|byte| byte != b' '));
        let own = lines.get(token.line + 1..=token.last_line).unwrap_or_default();
        let first = own.iter().find(|line| is_text(line)).and_then(|line| text.get(line.clone()));
        token.content = first.map(|first| digit.map_or(leading_spaces(first), |digit| outer + digit));
        // Nothing behind the last line break is a line.
        let behind = lines.get(token.last_line + 1..lines.len().saturating_sub(1)).unwrap_or_default();
        let is_value =
            |line: &Range<usize>| header.contains('+') || token.content.is_some_and(|content| line.len() > content);
        let more = behind.iter().take_while(|line| !is_text(line)).collect::<Vec<_>>();
        let count = more.iter().rposition(|line| is_value(line)).map_or(0, |last| last + 1);
        token.last_line += count;
        token.range.end = lines.get(token.last_line).map_or(token.range.end, |line| line.end);
    }
}

/// Returns the first line of a block scalar without its comment.
pub(crate) fn header(text: &str) -> &str {
    let end = text.find(['\n', '\r', '#']).unwrap_or(text.len());
    text.get(..end).filter(|header| header.starts_with(['|', '>'])).unwrap_or_default()
}
