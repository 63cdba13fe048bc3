//! Lines that are not formatted: `# formwork: fmt off`, `on` and `skip`.

use super::token::{Kind, Token};

/// For each line, the first line of the part that moves only as a whole.
#[derive(Debug)]
pub(crate) struct Frozen(Vec<Option<usize>>);

impl Frozen {
    pub(crate) fn of(text: &str, tokens: &[Token], lines: usize) -> Frozen {
        let mut frozen = Frozen(Vec::new());
        if !text.contains("formwork: fmt") {
            return frozen;
        }
        frozen.0.resize(lines, None);
        let word = |token: &Token| {
            let text = text.get(token.range.clone()).filter(|_| token.kind == Kind::Comment)?;
            text.trim_start_matches('#').trim().strip_prefix("formwork: fmt ").map(str::trim_start)
        };
        let mut line = 0;
        for (at, token) in tokens.iter().enumerate() {
            if token.line < line {
                continue;
            }
            let rest = tokens.get(at + 1..).unwrap_or_default();
            let end = match word(token) {
                Some("off") if token.is_first => {
                    let Some(node) = rest.iter().find(|next| next.is_first && next.kind != Kind::Comment) else {
                        continue;
                    };
                    rest.iter()
                        .find(|next| {
                            let is_on = next.column <= token.column.max(node.column) && word(next) == Some("on");
                            next.is_first && (is_behind(node, next) || is_on)
                        })
                        .map(|next| next.line + usize::from(next.kind == Kind::Comment))
                }
                Some("skip") if !token.is_first => {
                    let before = tokens.get(..at).unwrap_or_default();
                    let Some(first) = before.iter().rev().find(|first| first.is_first) else { continue };
                    line = first.line;
                    let end = rest.iter().position(|next| is_next(first, next));
                    // Comments in front of an entry are a part of it.
                    let kept = end.map_or(rest, |end| rest.get(..end).unwrap_or_default());
                    let last = kept.iter().rev().find(|kept| kept.kind != Kind::Comment || !kept.is_first);
                    Some(last.map_or(token.line, |last| last.last_line) + 1)
                }
                _ => continue,
            };
            let first = if token.is_first { token.line } else { line };
            line = end.unwrap_or(lines);
            for kept in frozen.0.iter_mut().take(line).skip(first) {
                *kept = Some(first);
            }
        }
        frozen
    }

    /// Returns the first line of the frozen part that contains `line`.
    pub(crate) fn part(&self, line: usize) -> Option<usize> {
        self.0.get(line).copied().flatten()
    }
}

/// Returns `true` if the first token of a line is no longer in the block that another line begins, or is a later entry
/// in a mapping.
fn is_behind(first: &Token, next: &Token) -> bool {
    let is_list = first.kind == Kind::Dash;
    let is_outer = next.column < first.column || next.column == first.column && is_list && next.kind != Kind::Dash;
    next.is_first && next.kind != Kind::Comment && is_outer
}

/// Returns `true` if the first token of a line is not a part of the entry that begins with another line.
fn is_next(first: &Token, next: &Token) -> bool {
    let is_below = next.column > first.column
        || next.column == first.column && next.kind == Kind::Dash && first.kind != Kind::Dash;
    next.is_first && next.kind != Kind::Comment && !is_below
}
