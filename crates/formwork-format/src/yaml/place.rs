//! Computes the places of tokens.

use super::blocks::{Block, BlockId, Lead};
use super::comments;
use super::position::{Before, Place, Source, difference, moved, shifted};
use super::style::Style;
use super::token::{Kind, Token};
use crate::lines::width;
use crate::options::{CommentSpaces, Options};

pub(crate) fn places(source: &Source<'_>, style: &Style, options: &Options) -> Vec<Place> {
    let mut placer = Placer {
        source,
        style,
        options,
        columns: vec![0; source.blocks.all.len()],
        begun: vec![false; source.blocks.all.len()],
        parts: Vec::new(),
        places: Vec::with_capacity(source.tokens.len()),
        column: 0,
    };
    for (at, token) in source.tokens.iter().enumerate() {
        placer.place(at, token);
    }
    let Placer { columns, parts, mut places, .. } = placer;
    comments::place(source, &columns, &parts, &mut places);
    places
}

struct Placer<'s> {
    source: &'s Source<'s>,
    style: &'s Style,
    options: &'s Options,
    /// The columns of blocks, as far as they are known.
    columns: Vec<usize>,
    begun: Vec<bool>,
    /// The first line of each frozen part, and the number of columns by which it moves.
    parts: Vec<(usize, isize)>,
    places: Vec<Place>,
    column: usize,
}

impl Placer<'_> {
    fn place(&mut self, at: usize, token: &Token) {
        let part = self.source.frozen.part(token.line);
        let before = match self.source.lead(at) {
            // Comments are placed later, when the next node has its place.
            Lead::Comment(..) => Before::Line(token.column),
            lead if token.is_first => Before::Line(self.first(lead, token, part)),
            _ if part.is_some() => Before::Written,
            _ => self.inside(at, token),
        };
        let column = match before {
            Before::Line(column) => column,
            Before::Spaces(count) => self.column + count,
            Before::Written => self.column + width(self.source.gap(at)),
        };
        if let Some(&Some(id)) = self.source.blocks.begins.get(at) {
            self.set(id, column);
        }
        let owner = self.source.blocks.owners.get(at).copied().flatten();
        let (new, old) = self.owner_columns(owner);
        let is_block = token.kind == Kind::Block;
        let delta = match (self.part_delta(part), before) {
            (Some(delta), _) => delta,
            (None, Before::Line(column)) if !is_block => difference(column, token.column),
            _ => difference(new, old),
        };
        let floor = if owner.is_some() { new + 1 } else { 0 };
        let outer = if owner.is_some() { old } else { 0 };
        self.places.push(Place { before, delta, floor, outer });
        let text = self.source.text.get(token.range.clone()).unwrap_or_default();
        self.column = match text.rfind(['\n', '\r']) {
            Some(end) => shifted(width(text.get(end + 1..).unwrap_or_default()), delta),
            None => column + width(text),
        };
    }

    fn set(&mut self, id: BlockId, column: usize) {
        if let (Some(known), Some(begun)) = (self.columns.get_mut(id as usize), self.begun.get_mut(id as usize)) {
            (*known, *begun) = (column, true);
        }
    }

    /// Returns the new and the old column of the block around a node.
    fn owner_columns(&self, owner: Option<BlockId>) -> (usize, usize) {
        match (owner.and_then(|id| self.columns.get(id as usize)), self.source.blocks.block(owner)) {
            (Some(&new), Some(block)) => (new, block.column),
            _ => (0, 0),
        }
    }

    fn part_delta(&self, part: Option<usize>) -> Option<isize> {
        self.parts.iter().rev().find(|(line, _)| Some(*line) == part).map(|(_, delta)| *delta)
    }

    fn first(&mut self, lead: Lead, token: &Token, part: Option<usize>) -> usize {
        if let Some(delta) = self.part_delta(part) {
            return shifted(token.column, delta);
        }
        let column = match lead {
            Lead::Member(id) => match (self.begun.get(id as usize), self.columns.get(id as usize)) {
                (Some(true), Some(&column)) => column,
                _ => self.begin(id, token),
            },
            Lead::Value(owner) => self.value(owner, token),
            Lead::Flow(bracket) => match self.places.get(bracket) {
                Some(place) => moved(token.column, place),
                None => token.column,
            },
            _ => 0,
        };
        if let Some(line) = part {
            self.parts.push((line, difference(column, token.column)));
        }
        column
    }

    /// Returns the column of a block that begins on a line of its own.
    fn begin(&self, id: BlockId, token: &Token) -> usize {
        let Some(block) = self.source.blocks.block(Some(id)) else { return token.column };
        // Below a tag on a line of its own, a block keeps its distance from the tag.
        if let Some(tag) = block.tag
            && let (Some(place), Some(above)) = (self.places.get(tag), self.source.tokens.get(tag))
            && let Before::Line(column) = place.before
        {
            return shifted(column, difference(token.column, above.column));
        }
        let (new, old) = self.owner_columns(block.parent);
        match self.source.blocks.block(block.parent) {
            None => token.column,
            Some(Block { is_list: true, .. }) => shifted(token.column, difference(new, old)),
            Some(_) if block.is_list => new + self.style.list_indent,
            Some(_) => new + self.style.indent,
        }
    }

    /// Returns the column of a value on a line of its own: one step behind its key if that is the author's step.
    fn value(&self, owner: Option<BlockId>, token: &Token) -> usize {
        let (new, old) = self.owner_columns(owner);
        let is_below_key = self.source.blocks.block(owner).is_some_and(|block| !block.is_list);
        if is_below_key && self.style.own_indent == Some(token.column.saturating_sub(old)) {
            return new + self.style.indent;
        }
        shifted(token.column, difference(new, old))
    }

    fn inside(&self, at: usize, token: &Token) -> Before {
        let Some(before) = at.checked_sub(1).and_then(|at| self.source.tokens.get(at)) else {
            return Before::Spaces(token.column);
        };
        let is_written = !self.source.gap(at).is_empty();
        let at_least_one = if is_written { Before::Written } else { Before::Spaces(1) };
        let inside = |is_brace: bool| Before::Spaces(self.style.spaces.inside(is_brace).len());
        match (before.kind, token.kind) {
            (_, Kind::Comment) => match self.options.comment_spaces {
                CommentSpaces::Keep => at_least_one,
                CommentSpaces::Count(count) => Before::Spaces(usize::from(count).max(1)),
            },
            (Kind::Tag | Kind::Anchor, Kind::Comma | Kind::Close(_)) => Before::Written,
            (_, Kind::Comma) | (Kind::Open(_), Kind::Close(_)) => Before::Spaces(0),
            (Kind::Comma, _) => Before::Spaces(1),
            (Kind::Open(is_brace), _) | (_, Kind::Close(is_brace)) => inside(is_brace),
            (_, Kind::Colon) => Before::Written,
            (Kind::Colon, _) if before.is_first => at_least_one,
            (Kind::Colon, _) if self.source.aligned.get(at) == Some(&true) => Before::Written,
            (Kind::Dash, _) => Before::Spaces(self.style.dash_spaces.max(1)),
            (Kind::Colon | Kind::Tag | Kind::Anchor, _) => Before::Spaces(1),
            (Kind::Question | Kind::Start, _) => at_least_one,
            _ => Before::Written,
        }
    }
}
