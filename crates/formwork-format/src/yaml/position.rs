//! Positions of tokens, and the input for computing them.

use formwork_syntax::lossless::{Entry, Node, Syntax, Token, TokenKind as Kind};

use super::frozen::Frozen;

pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: &'t [Token],
    pub(crate) syntax: &'t Syntax,
    pub(crate) frozen: &'t Frozen,
    /// By token, set if a value keeps its distance from the colon.
    pub(crate) aligned: &'t [bool],
}

/// What the first token of a line, or of a node, belongs to. Blocks are nodes without brackets, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lead {
    /// A dash or key of this block.
    Member(usize),
    /// A value in this block, on a line of its own.
    Value(Option<usize>),
    /// A line inside of brackets; the number of the opening one.
    Flow(usize),
    /// A comment on a line of its own; the innermost open block that has its column, and the bracket it is in.
    Comment(Option<usize>, Option<usize>),
    /// A mark or directive, which is always in the first column.
    Mark,
    /// Not the first token of a line.
    Inside,
}

impl Source<'_> {
    pub(crate) fn lead(&self, at: usize) -> Lead {
        let Some(token) = self.tokens.get(at).filter(|token| token.is_first) else { return Lead::Inside };
        let bracket = self.syntax.node(token).and_then(|node| node.bracket);
        match (token.kind, bracket) {
            (Kind::Comment, _) => Lead::Comment(self.open_at(token), bracket),
            (Kind::Directive | Kind::Start | Kind::End, _) => Lead::Mark,
            (_, Some(bracket)) if bracket != at => Lead::Flow(bracket),
            _ => match self.outer(at).filter(|entry| entry.first == at || token.kind == Kind::Colon) {
                Some(entry) => Lead::Member(entry.node),
                None => Lead::Value(self.owner(token)),
            },
        }
    }

    /// The innermost entry that a token is in, and that it does not open with a bracket.
    fn outer(&self, at: usize) -> Option<&Entry> {
        let entry = self.syntax.entry(self.tokens.get(at)?)?;
        let node = self.syntax.nodes.get(entry.node)?;
        if node.first == at && node.bracket.is_some() { self.syntax.entries.get(node.parent?) } else { Some(entry) }
    }

    /// The innermost block around a token.
    pub(crate) fn owner(&self, token: &Token) -> Option<usize> {
        self.syntax.node(token)?.block
    }

    /// The block that begins at a token.
    pub(crate) fn begins(&self, at: usize) -> Option<usize> {
        let Entry { node, first, .. } = *self.outer(at)?;
        let is_begun = self.syntax.nodes.get(node).is_some_and(|node| node.first == at && node.bracket.is_none());
        (first == at && is_begun).then_some(node)
    }

    /// The block around a block.
    pub(crate) fn parent(&self, block: &Node) -> Option<&Node> {
        let entry = self.syntax.entries.get(block.parent?)?;
        self.syntax.nodes.get(self.syntax.nodes.get(entry.node)?.block?)
    }

    /// The innermost block that is open in front of a token and has its column.
    fn open_at(&self, token: &Token) -> Option<usize> {
        let mut block = self.owner(token);
        while let Some(id) = block {
            let node = self.syntax.nodes.get(id)?;
            if node.column == token.column {
                return Some(id);
            }
            block = self.parent(node)?.block;
        }
        None
    }

    /// The first token of the line in front of a block, when that has nothing but its tag or anchor.
    pub(crate) fn tag_above(&self, block: &Node) -> Option<usize> {
        let is_property = |token: &Token| matches!(token.kind, Kind::Tag | Kind::Anchor);
        let before = self.tokens.get(..block.first)?;
        let last = before.iter().rposition(|token| token.kind != Kind::Comment)?;
        let line = before.get(last).filter(|last| is_property(last))?.line;
        let first = (0..=last).rev().take_while(|&at| before.get(at).is_some_and(|token| token.line == line)).last()?;
        let is_above = self.tokens.get(block.first)?.line != line && before.get(first).is_some_and(is_property);
        (is_above && matches!(self.lead(first), Lead::Value(_))).then_some(first)
    }

    pub(crate) fn gap(&self, at: usize) -> &str {
        let gap = self.tokens.get(at).filter(|_| at > 0).map(|token| token.gap..token.range.start);
        gap.and_then(|gap| self.text.get(gap)).unwrap_or_default()
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
