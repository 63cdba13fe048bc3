//! Scalars with several lines.

use super::position::{Place, moved, shifted};
use super::token::{Kind, Token};
use crate::lines::{leading_spaces, lines};

/// Appends a scalar whose further lines move; `is_frozen` is set if they are otherwise unchanged.
pub(crate) fn push(out: &mut String, text: &str, token: &Token, place: &Place, is_frozen: bool, ending: &str) {
    let Token { kind, content, .. } = *token;
    for (number, range) in lines(text).into_iter().enumerate() {
        let line = text.get(range).unwrap_or_default();
        if number == 0 {
            out.push_str(if is_frozen || kind == Kind::Quoted { line } else { line.trim_end_matches([' ', '\t']) });
            continue;
        }
        out.push_str(ending);
        let spaces = leading_spaces(line);
        let rest = line.get(spaces..).unwrap_or_default();
        let is_empty = rest.is_empty();
        let column = match kind {
            // An empty line has no spaces, unless it has more than the indentation of the content.
            Kind::Block if is_empty && !is_frozen && content.is_some_and(|content| spaces <= content) => 0,
            Kind::Block if content.is_none() || is_empty && spaces == 0 => spaces,
            Kind::Block => shifted(spaces, place.delta),
            Kind::Plain if is_empty && !is_frozen => 0,
            _ if is_empty || place.delta == 0 => spaces,
            _ => moved(spaces, place),
        };
        out.extend(std::iter::repeat_n(' ', column));
        out.push_str(if kind == Kind::Plain && !is_frozen { rest.trim_end_matches([' ', '\t']) } else { rest });
    }
}
