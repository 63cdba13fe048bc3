//! Values that are aligned on purpose.

use super::lex::{Kind, Token};
use crate::lines::width;

/// A member of an object that begins its line.
struct Member {
    object: usize,
    value: usize,
    key_column: usize,
    column: usize,
    gap: usize,
}

/// The numbers of the values, in order, that stay where they are behind their colons: those of adjacent members that begin
/// in one column, one of them further than a space from its colon.
pub(crate) fn aligned(text: &str, tokens: &[Token]) -> Vec<usize> {
    let mut members: Vec<Member> = Vec::new();
    let mut open: Vec<(usize, Vec<Member>)> = Vec::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open(_) => open.push((at, Vec::new())),
            Kind::Close(_) => members.extend(open.pop().map(|(_, members)| members).unwrap_or_default()),
            Kind::Colon => {
                if let Some((object, members)) = open.last_mut() {
                    members.extend(member(text, tokens, at, *object));
                }
            }
            _ => {}
        }
    }
    members.sort_by_key(|member| (member.object, member.value));
    for run in members.chunk_by(|a, b| (a.object, a.key_column, a.column) == (b.object, b.key_column, b.column)) {
        if run.len() > 1 && run.iter().any(|member| member.gap > 1) {
            found.extend(run.iter().map(|member| member.value));
        }
    }
    found.sort_unstable();
    found
}

fn member(text: &str, tokens: &[Token], colon: usize, object: usize) -> Option<Member> {
    let (key, sign, value) = (tokens.get(colon.checked_sub(1)?)?, tokens.get(colon)?, tokens.get(colon + 1)?);
    let gap = text.get(sign.range.end..value.range.start)?;
    if key.breaks == 0 || sign.breaks > 0 || value.breaks > 0 || gap.contains('\t') {
        return None;
    }
    let column = |at: usize| {
        let before = text.get(..at)?;
        Some(width(before.get(before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..)?))
    };
    let (key_column, column) = (column(key.range.start)?, column(value.range.start)?);
    Some(Member { object, value: colon + 1, key_column, column, gap: gap.len() })
}
