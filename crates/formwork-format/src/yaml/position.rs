//! Positions of tokens, and the input for computing them.

use super::blocks::{Blocks, Lead};
use super::frozen::Frozen;
use super::token::Token;

pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: &'t [Token],
    pub(crate) blocks: &'t Blocks,
    pub(crate) frozen: &'t Frozen,
    /// By token, set if a value keeps its distance from the colon.
    pub(crate) aligned: &'t [bool],
}

impl Source<'_> {
    pub(crate) fn lead(&self, at: usize) -> Lead {
        self.blocks.leads.get(at).copied().unwrap_or(Lead::Inside)
    }

    pub(crate) fn gap(&self, at: usize) -> &str {
        let token = |at: usize| self.tokens.get(at).map(|token| token.range.clone());
        match (at.checked_sub(1).and_then(token), token(at)) {
            (Some(before), Some(token)) => self.text.get(before.end..token.start).unwrap_or_default(),
            _ => "",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Before {
    /// The token is the first one of its line, at this column.
    Line(usize),
    Spaces(usize),
    /// The original white space.
    Written,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) before: Before,
    /// Number of columns by which its further lines move to the right.
    pub(crate) delta: isize,
    /// The minimum column of its further lines that have at least this column now.
    pub(crate) floor: usize,
    /// The maximum column of its further lines that have less now.
    pub(crate) outer: usize,
}

/// Returns the column `by` further to the right.
pub(crate) fn shifted(column: usize, by: isize) -> usize {
    column.saturating_add_signed(by)
}

pub(crate) fn difference(new: usize, old: usize) -> isize {
    new as isize - old as isize
}

/// Returns the column of a further line of a node.
pub(crate) fn moved(column: usize, place: &Place) -> usize {
    let new = shifted(column, place.delta);
    if column > place.outer { new.max(place.floor) } else { new }
}

/// Returns the column in front of which a comment behind a block scalar has to begin.
pub(crate) fn bound_behind(source: &Source<'_>, at: usize, places: &[Place]) -> Option<usize> {
    let (token, place) = (source.tokens.get(at)?, places.get(at)?);
    Some(shifted(token.content?, place.delta))
}
