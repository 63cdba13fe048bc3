//! The block collections of a file, by the columns of their first tokens.

use super::token::{Kind, Token};

/// Number of a block: a large file has several of them per token.
pub(crate) type BlockId = u32;

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) is_list: bool,
    /// The column of its dashes or keys.
    pub(crate) column: usize,
    pub(crate) parent: Option<BlockId>,
    /// Set if it begins on a line of its own, not behind a dash.
    pub(crate) is_on_own_line: bool,
    /// The first token of the line in front of it, if that has nothing but its tag or anchor.
    pub(crate) tag: Option<usize>,
}

/// The owner of the first token of a line or of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lead {
    /// A dash or key of this block.
    Member(BlockId),
    /// A value in this block, on a line of its own.
    Value(Option<BlockId>),
    /// A line inside of brackets; the number of the opening one.
    Flow(usize),
    /// A comment on a line of its own; the innermost open block that has its column, and the bracket around it.
    Comment(Option<BlockId>, Option<usize>),
    /// A document marker or directive, which is always in the first column.
    Mark,
    Inside,
}

#[derive(Debug)]
pub(crate) struct Blocks {
    pub(crate) all: Vec<Block>,
    pub(crate) leads: Vec<Lead>,
    /// By token, the innermost block around it.
    pub(crate) owners: Vec<Option<BlockId>>,
    /// By token, the mapping whose key ends with this colon.
    pub(crate) colons: Vec<Option<BlockId>>,
    /// By token, the block that begins here.
    pub(crate) begins: Vec<Option<BlockId>>,
}

impl Blocks {
    pub(crate) fn of(tokens: &[Token]) -> Blocks {
        let count = tokens.len();
        let found = Blocks {
            all: Vec::new(),
            leads: Vec::with_capacity(count),
            owners: Vec::with_capacity(count),
            colons: Vec::with_capacity(count),
            begins: Vec::with_capacity(count),
        };
        let mut reader = Reader { tokens, open: Vec::new(), brackets: Vec::new(), found };
        let mut is_fresh = true;
        for at in 0..count {
            is_fresh = reader.token(at, is_fresh);
        }
        reader.found
    }

    pub(crate) fn block(&self, id: Option<BlockId>) -> Option<&Block> {
        self.all.get(id? as usize)
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    open: Vec<BlockId>,
    brackets: Vec<usize>,
    found: Blocks,
}

impl Reader<'_> {
    /// Reads one token; `is_fresh` is set if a block may begin here. Returns `true` if a block may begin at the next
    /// token.
    fn token(&mut self, at: usize, is_fresh: bool) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let (mut lead, mut begins, mut colon) = (Lead::Inside, None, None);
        let mut next = false;
        match token.kind {
            Kind::Comment => {
                if token.is_first {
                    lead = Lead::Comment(self.open_at(token.column), self.brackets.first().copied());
                }
                next = is_fresh;
            }
            Kind::Directive | Kind::Start | Kind::End => {
                self.open.clear();
                lead = Lead::Mark;
                next = true;
            }
            _ if !self.brackets.is_empty() => {
                if let (true, Some(&first)) = (token.is_first, self.brackets.first()) {
                    lead = Lead::Flow(first);
                }
                self.bracket(at, token.kind);
            }
            _ if token.is_first || is_fresh => {
                if token.is_first {
                    self.leave(token);
                }
                let is_list = token.kind == Kind::Dash;
                let is_entry = matches!(token.kind, Kind::Question | Kind::Colon) || self.is_key(at);
                if is_list || is_entry {
                    let known =
                        self.open.last().copied().filter(|&id| token.is_first && self.is_at(id, token, is_list));
                    let id = known.unwrap_or_else(|| self.begin(is_list, token));
                    begins = known.is_none().then_some(id);
                    if token.is_first {
                        lead = Lead::Member(id);
                    }
                    next = matches!(token.kind, Kind::Dash | Kind::Question | Kind::Colon);
                } else if token.is_first {
                    lead = Lead::Value(self.open.last().copied());
                }
                self.bracket(at, token.kind);
            }
            Kind::Colon => colon = self.open.last().copied(),
            kind => self.bracket(at, kind),
        }
        self.found.leads.push(lead);
        self.found.begins.push(begins);
        self.found.colons.push(colon);
        self.found.owners.push(self.open.last().copied());
        next
    }

    fn bracket(&mut self, at: usize, kind: Kind) {
        match kind {
            Kind::Open(_) => self.brackets.push(at),
            Kind::Close(_) => drop(self.brackets.pop()),
            _ => {}
        }
    }

    /// Closes the blocks that end at a line further left.
    fn leave(&mut self, token: &Token) {
        while let Some(block) = self.found.block(self.open.last().copied()) {
            let is_over = block.column > token.column
                || block.column == token.column && block.is_list && token.kind != Kind::Dash;
            if !is_over {
                break;
            }
            self.open.pop();
        }
    }

    fn is_at(&self, id: BlockId, token: &Token, is_list: bool) -> bool {
        self.found.all.get(id as usize).is_some_and(|block| block.column == token.column && block.is_list == is_list)
    }

    fn begin(&mut self, is_list: bool, token: &Token) -> BlockId {
        let id = self.found.all.len() as BlockId;
        let parent = self.open.last().copied();
        let tag = self.tag_above(token);
        self.found.all.push(Block { is_list, column: token.column, parent, is_on_own_line: token.is_first, tag });
        self.open.push(id);
        id
    }

    /// Returns the first token of the line of tags and anchors in front of a block.
    fn tag_above(&self, token: &Token) -> Option<usize> {
        let at = self.found.leads.len();
        let is_property = |token: &Token| matches!(token.kind, Kind::Tag | Kind::Anchor);
        let last = (0..at).rev().find(|&at| self.tokens.get(at).is_some_and(|token| token.kind != Kind::Comment))?;
        let line = self.tokens.get(last).filter(|last| is_property(last) && last.line != token.line)?.line;
        let first =
            (0..=last).rev().take_while(|&at| self.tokens.get(at).is_some_and(|token| token.line == line)).last()?;
        let is_first = self.tokens.get(first).is_some_and(|token| token.is_first && is_property(token));
        let is_value = matches!(self.found.leads.get(first), Some(Lead::Value(_)));
        (is_first && is_value).then_some(first)
    }

    fn open_at(&self, column: usize) -> Option<BlockId> {
        let is_here = |&&id: &&BlockId| self.found.all.get(id as usize).is_some_and(|block| block.column == column);
        self.open.iter().rev().find(is_here).copied()
    }

    /// Returns `true` if a key begins at a token: a node on one line and a colon.
    fn is_key(&self, at: usize) -> bool {
        let Some(first) = self.tokens.get(at) else { return false };
        let on_line = |at: usize| self.tokens.get(at).filter(|token| token.last_line == first.line);
        let mut at = at;
        while on_line(at).is_some_and(|token| matches!(token.kind, Kind::Tag | Kind::Anchor)) {
            at += 1;
        }
        match on_line(at).map(|token| token.kind) {
            Some(Kind::Plain | Kind::Quoted | Kind::Alias) => at += 1,
            Some(Kind::Open(_)) => {
                let mut depth = 0_usize;
                while let Some(token) = on_line(at) {
                    at += 1;
                    match token.kind {
                        Kind::Open(_) => depth += 1,
                        Kind::Close(_) => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
                if depth > 0 {
                    return false;
                }
            }
            _ => {}
        }
        on_line(at).is_some_and(|token| token.kind == Kind::Colon)
    }
}
