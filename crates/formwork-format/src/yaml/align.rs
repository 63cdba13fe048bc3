//! Detects values that are aligned on purpose.

use formwork_syntax::lossless::{Entry, Syntax, TokenKind as Kind};

/// An entry whose value begins on the line of its key.
struct Member {
    node: usize,
    /// The number of entries of the mapping in front of it.
    number: usize,
    value: usize,
    column: usize,
    gap: usize,
}

/// For each token, whether it is a value that stays where it is behind its colon: those of adjacent entries that begin in
/// one column, one of them further than a space from its colon.
pub(crate) fn aligned(syntax: &Syntax, text: &str) -> Vec<bool> {
    let member = |entry: &Entry| {
        let at = entry.colon?;
        let (colon, value) = (syntax.tokens.get(at)?, syntax.tokens.get(at + 1)?);
        let gap = text.get(value.gap..value.range.start)?;
        let is_beside =
            value.line == colon.line && !colon.is_first && value.kind != Kind::Comment && !gap.contains('\t');
        let Entry { node, number, .. } = *entry;
        is_beside.then_some(Member { node, number, value: at + 1, column: value.column, gap: gap.len() })
    };
    let mut members: Vec<Member> = syntax.entries.iter().filter_map(member).collect();
    members.sort_by_key(|member| (member.node, member.number));
    let mut aligned = vec![false; syntax.tokens.len()];
    let is_next = |a: &Member, b: &Member| a.node == b.node && a.number + 1 == b.number && a.column == b.column;
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
