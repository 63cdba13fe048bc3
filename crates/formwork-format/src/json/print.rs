//! Prints the tokens of JSON with other white space.

use super::lex::{Kind, Token, is_spread};
use super::style::Style;
use crate::options::Options;

struct Open {
    is_spread: bool,
    depth: usize,
}

/// Prints the tokens; `aligned` has the numbers of the values that keep their distance from the colon.
pub(crate) fn print(text: &str, tokens: &[Token], style: &Style, aligned: &[usize], options: &Options) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut open: Vec<Open> = Vec::new();
    let mut depth = 0;
    let mut before: Option<&Token> = None;
    let mut aligned = aligned.iter().copied().peekable();
    for (at, token) in tokens.iter().enumerate() {
        let gap = before.and_then(|before| text.get(before.range.end..token.range.start)).unwrap_or_default();
        let is_aligned = aligned.next_if_eq(&at).is_some();
        let mut line = |out: &mut String, to: usize| {
            let breaks = token.breaks.clamp(1, options.max_empty_lines + 1);
            for _ in 0..breaks {
                out.push_str(style.ending);
            }
            for _ in 0..to {
                out.push_str(&style.step);
            }
            depth = to;
        };
        match (before.map(|before| before.kind), token.kind, open.last()) {
            (Some(Kind::Open(_)), Kind::Close(_), _) => {}
            (_, Kind::Close(_), Some(Open { is_spread: true, depth, .. })) => line(&mut out, *depth),
            (_, Kind::Close(is_brace), _) => out.push_str(style.spaces.inside(is_brace)),
            (Some(Kind::Open(_) | Kind::Comma), _, Some(Open { is_spread: true, depth, .. })) => {
                line(&mut out, depth + 1);
            }
            (Some(Kind::Open(is_brace)), ..) => out.push_str(style.spaces.inside(is_brace)),
            (Some(Kind::Comma), ..) => out.push(' '),
            (Some(Kind::Colon), ..) => out.push_str(if is_aligned { gap } else { " " }),
            // Some files align the colons themselves.
            (_, Kind::Colon, _) if token.breaks == 0 => out.push_str(gap),
            _ => {}
        }
        match token.kind {
            Kind::Open(_) => open.push(Open { is_spread: is_spread(tokens, at), depth }),
            Kind::Close(_) => drop(open.pop()),
            _ => {}
        }
        out.push_str(text.get(token.range.clone()).unwrap_or_default());
        before = Some(token);
    }
    out.push_str(style.ending);
    out
}
