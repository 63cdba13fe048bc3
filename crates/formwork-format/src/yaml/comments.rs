//! Comments on lines of their own: they move with the next node, or with the open block whose column they have.

use super::blocks::Lead;
use super::position::{Before, Place, Source, bound_behind, difference, moved, shifted};
use super::token::Kind;

/// Sets the columns of comments; all other tokens have their places.
pub(crate) fn place(source: &Source<'_>, columns: &[usize], parts: &[(usize, isize)], places: &mut [Place]) {
    // From the end, so that the next node is known.
    let mut next = None;
    let mut found = Vec::new();
    for (at, token) in source.tokens.iter().enumerate().rev() {
        if token.kind != Kind::Comment {
            if token.is_first {
                next = Some(at);
            }
            continue;
        }
        let Lead::Comment(block, bracket) = source.lead(at) else { continue };
        let follows = next.and_then(|at| Some((source.tokens.get(at)?, places.get(at)?.before)));
        let part = source.frozen.part(token.line);
        let delta = parts.iter().find(|(line, _)| Some(*line) == part).map(|(_, delta)| *delta);
        let column = match (delta, follows, bracket.and_then(|at| places.get(at))) {
            (Some(delta), ..) => shifted(token.column, delta),
            (None, Some((node, Before::Line(column))), _) if node.column == token.column => column,
            (None, _, Some(bracket)) => moved(token.column, bracket),
            (None, follows, None) => match (block.and_then(|id| columns.get(id as usize)), follows) {
                (Some(&column), _) => column,
                (None, Some((node, Before::Line(column)))) => shifted(token.column, difference(column, node.column)),
                _ => token.column,
            },
        };
        found.push((at, column));
    }
    for (at, column) in found {
        let node = source.tokens.get(..at).and_then(|before| before.iter().rposition(|one| one.kind != Kind::Comment));
        let bound = node.and_then(|node| bound_behind(source, node, places));
        let column = bound.map_or(column, |bound| column.min(bound.saturating_sub(1)));
        if let Some(place) = places.get_mut(at) {
            place.before = Before::Line(column);
        }
    }
}
