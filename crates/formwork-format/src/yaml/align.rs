//! Detects values that are aligned on purpose.

use super::blocks::Blocks;
use super::token::{Kind, Token};

/// An entry whose value begins on the line of its key.
struct Member {
    /// The number of its mapping: of the block, or of the opening bracket.
    owner: (bool, usize),
    number: usize,
    value: usize,
    column: usize,
    gap: usize,
}

/// Returns for each token whether it is a value that keeps its distance from the colon: those of adjacent entries that
/// begin in one column, one of them with more than a space behind its colon.
pub(crate) fn aligned(text: &str, tokens: &[Token], blocks: &Blocks) -> Vec<bool> {
    let mut members: Vec<Member> = Vec::new();
    let mut counts: Vec<usize> = vec![0; blocks.all.len()];
    let mut brackets: Vec<(usize, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let (owner, count) = match (token.kind, brackets.last_mut(), blocks.colons.get(at)) {
            (Kind::Open(_), ..) => {
                brackets.push((at, 0));
                continue;
            }
            (Kind::Close(_), ..) => {
                brackets.pop();
                continue;
            }
            (Kind::Colon, Some((bracket, count)), _) => ((false, *bracket), count),
            (Kind::Colon, None, Some(&Some(block))) => match counts.get_mut(block as usize) {
                Some(count) => ((true, block as usize), count),
                None => continue,
            },
            _ => continue,
        };
        *count += 1;
        let number = *count;
        let Some(value) = tokens.get(at + 1) else { continue };
        let gap = text.get(token.range.end..value.range.start).unwrap_or_default();
        if value.line == token.line && value.kind != Kind::Comment && !gap.contains('\t') {
            members.push(Member { owner, number, value: at + 1, column: value.column, gap: gap.len() });
        }
    }
    members.sort_by_key(|member| (member.owner, member.number));
    let mut aligned = vec![false; tokens.len()];
    let is_next = |a: &Member, b: &Member| a.owner == b.owner && a.number + 1 == b.number && a.column == b.column;
    for run in members.chunk_by(is_next) {
        if run.len() > 1 && run.iter().any(|member| member.gap > 1) {
            for member in run {
                if let Some(one) = aligned.get_mut(member.value) {
                    *one = true;
                }
            }
        }
    }
    aligned
}
