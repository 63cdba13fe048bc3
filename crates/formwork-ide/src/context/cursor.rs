//! The place of a cursor in the lists and mappings of a file.

use formwork_syntax::lossless::{Entry, Node, Syntax, Token, TokenKind};

use super::{Context, Place, Step, long_name};

/// The syntax that may be written at an offset.
pub(super) fn context(text: &str, offset: usize) -> Context {
    let syntax = Syntax::of(text);
    let at = syntax.tokens.partition_point(|token| token.range.start < offset);
    Cursor { text, syntax: &syntax, offset, at }.context()
}

struct Cursor<'t> {
    text: &'t str,
    syntax: &'t Syntax,
    offset: usize,
    /// The number of the first token that does not begin in front of the cursor.
    at: usize,
}

impl Cursor<'_> {
    fn context(&self) -> Context {
        let start = self.text.get(..self.offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let written = self.text.get(start..self.offset).unwrap_or_default();
        let (is_line_start, column) = (written.trim_start_matches(' ').is_empty(), written.len());
        let number = self.at.saturating_sub(1);
        let Some(token) = self.syntax.tokens.get(number).filter(|_| self.at > 0) else {
            return self.line(None, column, None);
        };
        // In the line of a plain scalar that begins above, a key may be written.
        let is_within = self.offset <= token.range.end && !(token.kind == TokenKind::Plain && is_line_start);
        let (id, node) = (token.entry, self.syntax.node(token));
        let in_brackets = node.is_some_and(|node| node.bracket.is_some());
        let is_deeper = node.is_none_or(|node| column > node.column);
        match token.kind {
            TokenKind::Comment if is_within || !is_line_start => self.nothing(token),
            TokenKind::Block if is_within || is_line_start && is_deeper => self.nothing(token),
            TokenKind::Close(_) => {
                let outer = node.and_then(|node| node.parent);
                let in_brackets = outer.and_then(|at| self.node(at)).is_some_and(|node| node.bracket.is_some());
                match outer.filter(|_| in_brackets || !is_line_start) {
                    Some(outer) => self.inside(number, token, outer),
                    None => self.line(outer, column, None),
                }
            }
            _ => match id.filter(|_| in_brackets || is_within || !is_line_start) {
                Some(id) => self.inside(number, token, id),
                None if is_within || !is_line_start => self.line(id, token.column, None),
                None => self.line(id, column, None),
            },
        }
    }

    fn node(&self, entry: usize) -> Option<&Node> {
        self.syntax.nodes.get(self.syntax.entries.get(entry)?.node)
    }

    fn nothing(&self, token: &Token) -> Context {
        Context::at(self.path(token.entry, self.at), Place::Nothing, None, Vec::new(), token.column)
    }

    /// At the place of a key in a column, in front of which the entry `inner` is open; `own` is the entry of that key.
    fn line(&self, inner: Option<usize>, column: usize, own: Option<usize>) -> Context {
        let (mut around, mut map) = (inner, None);
        while let Some(id) = around
            && let Some(node) = self.node(id).filter(|node| node.bracket.is_some() || node.column >= column)
        {
            map = Some(id).filter(|_| node.column == column && node.is_map);
            around = node.parent;
        }
        // No key is in front of a template in braces, or behind it.
        let is_root = |node: &Node| node.bracket.is_some() && node.parent.is_none();
        let is_outside = around.is_none() && self.syntax.nodes.first().is_some_and(is_root);
        let place = if is_outside { Place::Value } else { Place::Key };
        Context::at(self.path(around, self.at), place, None, self.keys(map, column, own), column)
    }

    /// The keys of a mapping in a column, but for that of the entry `own`: of the one that the entry `map` is in, or else of
    /// the one that is begun behind the cursor.
    fn keys(&self, map: Option<usize>, column: usize, own: Option<usize>) -> Vec<String> {
        let mut behind = self.syntax.tokens.get(self.at..).unwrap_or_default().iter();
        let next = behind.find(|next| next.is_first && next.kind != TokenKind::Comment && next.column <= column);
        let own = own.or(next.filter(|next| next.range.start == self.offset).and_then(|next| next.entry));
        let next = next.filter(|next| next.column == column).and_then(|next| next.entry);
        let next = next.filter(|&at| self.node(at).is_some_and(|node| node.is_map && node.column == column));
        map.or(next).map_or_else(Vec::new, |entry| self.siblings(entry, own))
    }

    /// At or behind a token, in an entry.
    fn inside(&self, number: usize, token: &Token, id: usize) -> Context {
        let is_within = self.offset <= token.range.end;
        let (Some(entry), Some(node)) = (self.syntax.entries.get(id), self.node(id)) else {
            return self.line(None, token.column, None);
        };
        let is_flow = node.bracket.is_some();
        let is_value = !node.is_map || entry.colon.is_some_and(|colon| colon <= number);
        let is_text = matches!(token.kind, TokenKind::Plain | TokenKind::Quoted | TokenKind::Error);
        let written = self.text.get(token.range.clone()).filter(|_| is_within && token.kind == TokenKind::Quoted);
        let quote = written.and_then(|written| {
            let quote = written.chars().next()?;
            let is_closed = written.len() > 1 && written.ends_with(quote) && self.offset == token.range.end;
            (!is_closed).then_some(quote)
        });
        let is_key = !is_value || is_text && token.is_first && entry.first != number;
        if is_key && !is_flow {
            return Context { quote, ..self.line(Some(id), token.column, Some(id)) };
        }
        // A tag is one when something is behind it.
        let path = self.path(if is_value { Some(id) } else { node.parent }, number + usize::from(!is_within));
        let is_dash = token.kind == TokenKind::Dash;
        let is_item = !node.is_map && !is_flow && (is_dash || is_text && number == entry.first + 1);
        let place = if !is_value {
            Place::Key
        } else if is_item {
            Place::Element
        } else {
            Place::Value
        };
        let head = self.syntax.tokens.get(entry.first + 1).filter(|_| !node.is_map);
        let column = match head {
            _ if is_flow => 0,
            _ if is_dash => token.column + self.offset - token.range.start,
            Some(head) => head.column,
            None => node.column,
        };
        let keys = match is_item {
            _ if is_flow => self.siblings(id, Some(id).filter(|_| !is_value)),
            true => self.keys(None, column, None),
            false => Vec::new(),
        };
        Context { is_flow, ..Context::at(path, place, quote, keys, column) }
    }

    /// The way to the value of an entry; tags in front of token `end` belong to it.
    fn path(&self, entry: Option<usize>, end: usize) -> Vec<Step> {
        let (mut around, mut end, mut path) = (entry, end, Vec::new());
        while let Some(entry) = around.and_then(|at| self.syntax.entries.get(at)) {
            let Some(node) = self.syntax.nodes.get(entry.node) else { break };
            let from = entry.colon.filter(|_| node.is_map).unwrap_or(entry.first);
            let own = self.syntax.tokens.get(from..end).unwrap_or_default();
            let tags = own.iter().filter(|token| token.kind == TokenKind::Tag && token.entry == around);
            let names = tags.filter_map(|tag| long_name(self.text.get(tag.range.clone())?));
            path.extend(names.collect::<Vec<_>>().into_iter().rev().map(Step::Key));
            path.extend(if node.is_map { self.key(entry).map(Step::Key) } else { Some(Step::Index(entry.number)) });
            (around, end) = (node.parent, node.first);
        }
        path.reverse();
        path
    }

    /// The keys of the mapping that an entry is in, but that of the entry `but`.
    fn siblings(&self, entry: usize, but: Option<usize>) -> Vec<String> {
        let node = self.syntax.entries.get(entry).map(|entry| entry.node);
        let entries = self.syntax.entries.iter().enumerate();
        let others = entries.filter(|&(at, entry)| Some(entry.node) == node && Some(at) != but);
        others.filter_map(|(_, entry)| self.key(entry)).collect()
    }

    /// The key of an entry, without quotes.
    fn key(&self, entry: &Entry) -> Option<String> {
        let token = self.syntax.tokens.get(entry.colon?.checked_sub(1)?)?;
        let text = self.text.get(token.range.clone())?;
        let inner = text.get(1..text.len().max(2) - 1).filter(|_| token.kind == TokenKind::Quoted);
        Some(inner.unwrap_or(text).to_owned())
    }
}
