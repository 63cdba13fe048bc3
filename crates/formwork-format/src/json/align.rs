//! Detects values that are aligned on purpose.

use super::lex::{Kind, Token, is_spread};
use crate::lines::width;

/// An entry of an object at the beginning of its line.
struct Member {
    object: usize,
    number: usize,
    value: usize,
    key_column: usize,
    column: usize,
    gap: usize,
}

/// Returns the numbers of the values, in order, that keep their distance from the colon: those of adjacent entries that
/// begin in one column, one of them with more than a space behind its colon.
pub(crate) fn aligned(text: &str, tokens: &[Token]) -> Vec<usize> {
    let mut members: Vec<Member> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open(_) => open.push((at, 0)),
            Kind::Close(_) => drop(open.pop()),
            Kind::Colon => {
                if let Some((object, number)) = open.last_mut() {
                    *number += 1;
                    members.extend(member(text, tokens, at, *object, *number));
                }
            }
            _ => {}
        }
    }
    members.sort_by_key(|member| (member.object, member.number));
    let is_next = |a: &Member, b: &Member| {
        (a.object, a.number + 1, a.key_column, a.column) == (b.object, b.number, b.key_column, b.column)
    };
    for run in members.chunk_by(is_next) {
        if run.len() > 1 && run.iter().any(|member| member.gap > 1) {
            found.extend(run.iter().map(|member| member.value));
        }
    }
    found.sort_unstable();
    found
}

fn member(text: &str, tokens: &[Token], colon: usize, object: usize, number: usize) -> Option<Member> {
    let (key, sign, value) = (tokens.get(colon.checked_sub(1)?)?, tokens.get(colon)?, tokens.get(colon + 1)?);
    let gap = text.get(sign.range.end..value.range.start)?;
    if !is_spread(tokens, object) || key.breaks == 0 || sign.breaks > 0 || value.breaks > 0 || gap.contains('\t') {
        return None;
    }
    let column = |at: usize| {
        let before = text.get(..at)?;
        Some(width(before.get(before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..)?))
    };
    let (key_column, column) = (column(key.range.start)?, column(value.range.start)?);
    Some(Member { object, number, value: colon + 1, key_column, column, gap: gap.len() })
}
