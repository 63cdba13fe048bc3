//! Computes the places of tokens.

use formwork_syntax::lossless::{Node, Token, TokenKind as Kind};

use super::comments;
use super::position::{Before, Lead, Place, Source, difference, moved, shifted};
use super::style::Style;
use crate::lines::width;
use crate::options::{CommentSpaces, Options};

pub(crate) fn places(source: &Source<'_>, style: &Style, options: &Options) -> Vec<Place> {
    let mut placer = Placer {
        source,
        style,
        options,
        columns: vec![0; source.syntax.nodes.len()],
        begun: vec![false; source.syntax.nodes.len()],
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
        if let Some(id) = self.source.begins(at) {
            self.set(id, column);
        }
        let owner = self.source.owner(token);
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

    fn set(&mut self, id: usize, column: usize) {
        if let (Some(known), Some(begun)) = (self.columns.get_mut(id), self.begun.get_mut(id)) {
            (*known, *begun) = (column, true);
        }
    }

    /// The new and the old column of the block around a node.
    fn owner_columns(&self, owner: Option<usize>) -> (usize, usize) {
        match owner.and_then(|id| Some((self.columns.get(id)?, self.source.syntax.nodes.get(id)?))) {
            Some((&new, block)) => (new, block.column),
            None => (0, 0),
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
            Lead::Member(id) => match (self.begun.get(id), self.columns.get(id)) {
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

    /// The column of a block that begins on a line of its own.
    fn begin(&self, id: usize, token: &Token) -> usize {
        let Some(block) = self.source.syntax.nodes.get(id) else { return token.column };
        // Below a tag on a line of its own it keeps its distance from the tag.
        if let Some(tag) = self.source.tag_above(block)
            && let (Some(place), Some(above)) = (self.places.get(tag), self.source.tokens.get(tag))
            && let Before::Line(column) = place.before
        {
            return shifted(column, difference(token.column, above.column));
        }
        let parent = self.source.parent(block);
        let (new, old) = self.owner_columns(parent.and_then(|parent| parent.block));
        match parent {
            None => token.column,
            Some(Node { is_map: false, .. }) => shifted(token.column, difference(new, old)),
            Some(_) if !block.is_map => new + self.style.list_indent,
            Some(_) => new + self.style.indent,
        }
    }

    /// The column of a value on a line of its own: one step behind its key where that is the author's step.
    fn value(&self, owner: Option<usize>, token: &Token) -> usize {
        let (new, old) = self.owner_columns(owner);
        let is_below_key = owner.and_then(|id| self.source.syntax.nodes.get(id)).is_some_and(|block| block.is_map);
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
