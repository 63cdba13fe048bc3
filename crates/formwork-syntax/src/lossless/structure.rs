//! Tokens, and the lists and mappings that they are in.

use super::reader::Reader;
use super::{Entry, Node, Syntax, Token, TokenKind};

/// Reads any text. Only where a bracket has no other half, one that is not closed ends where its lines show it.
pub(super) fn read(text: &str) -> Syntax {
    read_as(text, false).or_else(|| read_as(text, true)).unwrap_or_default()
}

fn read_as(text: &str, is_broken: bool) -> Option<Syntax> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 0,
        column: (0, 0),
        is_fresh: true,
        open: Vec::new(),
        key: None,
        syntax: Syntax::default(),
        is_broken,
        has_odd_bracket: false,
    };
    while reader.token() && (is_broken || !reader.has_odd_bracket) {}
    (is_broken || !reader.has_odd_bracket).then_some(reader.syntax)
}

impl Reader<'_> {
    /// Reads one token. Returns whether there is another one.
    fn token(&mut self) -> bool {
        let gap = self.at;
        self.skip_blanks();
        let Some(&byte) = self.bytes.get(self.at) else {
            self.leave_all();
            self.push(TokenKind::Eof, gap, self.at, None);
            return false;
        };
        let is_first = self.syntax.tokens.last().is_none_or(|last| last.last_line < self.line);
        if byte == b'#' {
            let end = self.line_end(self.at);
            let end = self.at + self.text[self.at..end].trim_end_matches([' ', '\t']).len();
            self.push(TokenKind::Comment, gap, end, None);
            return true;
        }
        let column = self.column_of(self.at);
        if column == 0 && is_first && (self.is_document_mark(self.at) || byte == b'%') {
            let (kind, end) = match byte {
                b'%' => (TokenKind::Directive, self.line_end(self.at)),
                b'-' => (TokenKind::Start, self.at + 3),
                _ => (TokenKind::End, self.at + 3),
            };
            self.leave_all();
            (self.is_fresh, self.key) = (true, None);
            self.push(kind, gap, end, None);
            return true;
        }
        if is_first {
            self.leave_unclosed();
        }
        if self.is_in_brackets() {
            self.in_brackets(byte, gap);
        } else {
            if is_first {
                self.leave(column, byte == b'-' && self.is_separated(self.at + 1));
            }
            self.in_block(byte, gap, column, is_first);
        }
        true
    }

    fn in_brackets(&mut self, byte: u8, gap: usize) {
        let is_behind_key = matches!(self.last_written(), Some(TokenKind::Quoted | TokenKind::Close(_)));
        let is_separated = self.is_separated(self.at + 1);
        match byte {
            b'{' | b'[' => self.open_bracket(byte == b'{', gap),
            b'}' | b']' => {
                self.push(TokenKind::Close(byte == b'}'), gap, self.at + 1, None);
                self.open.pop();
            }
            b',' => {
                if let Some(Entry { node, number, .. }) =
                    self.open.pop().map(|entry| self.syntax.entries[entry].clone())
                {
                    self.begin_entry(node, number + 1, self.syntax.tokens.len());
                }
                self.push(TokenKind::Comma, gap, self.at + 1, None);
            }
            b':' if is_separated || is_behind_key => {
                let colon = self.syntax.tokens.len();
                if let Some(&entry) = self.open.last() {
                    self.syntax.entries[entry].colon.get_or_insert(colon);
                }
                self.push(TokenKind::Colon, gap, self.at + 1, None);
            }
            b'?' if is_separated => self.push(TokenKind::Question, gap, self.at + 1, None),
            b'|' | b'>' => self.push(TokenKind::Error, gap, self.at + 1, None),
            _ => self.scalar(byte, gap),
        }
    }

    fn in_block(&mut self, byte: u8, gap: usize, column: usize, is_first: bool) {
        let may_begin = is_first || self.is_fresh;
        let is_separated = self.is_separated(self.at + 1);
        self.is_fresh = false;
        if may_begin {
            self.key = Some((self.syntax.tokens.len(), self.syntax.nodes.len()));
            let is_dash = byte == b'-' && is_separated;
            let is_mark = is_dash || matches!(byte, b'?' | b':') && is_separated;
            let is_known = is_first && self.node().is_some_and(|node| node.column == column && node.is_map != is_dash);
            let is_value = byte == b':' && is_known && {
                let entry = &self.syntax.entries[*self.open.last().expect("a node is open")];
                entry.colon.is_none()
            };
            if is_mark || is_known {
                if !is_value {
                    self.begin(!is_dash, column, is_known);
                }
                self.is_fresh = is_mark;
                self.key = self.key.filter(|_| !is_mark);
            }
        }
        match byte {
            b'-' if is_separated => self.push(TokenKind::Dash, gap, self.at + 1, None),
            b'?' if is_separated => self.push(TokenKind::Question, gap, self.at + 1, None),
            b':' if is_separated => {
                self.colon();
                self.push(TokenKind::Colon, gap, self.at + 1, None);
            }
            b'{' | b'[' => self.open_bracket(byte == b'{', gap),
            b'}' | b']' | b',' => {
                self.has_odd_bracket |= byte != b',';
                self.push(TokenKind::Error, gap, self.at + 1, None);
            }
            b'|' | b'>' => {
                let (end, content) = self.block_scalar();
                self.push(TokenKind::Block, gap, end, content);
            }
            _ => self.scalar(byte, gap),
        }
    }

    /// Makes what is in front of a colon a key.
    fn colon(&mut self) {
        let colon = self.syntax.tokens.len();
        if let Some((first, nodes)) = self.key.take()
            && let Some((line, column)) = self.syntax.tokens.get(first).map(|token| (token.last_line, token.column))
            && line == self.line
        {
            let outer = self.syntax.tokens[first].entry;
            let begun = self.open.last().is_some_and(|&entry| self.syntax.entries[entry].first == first);
            if !begun {
                self.begin_node(true, column, first, None);
                let (entry, block) = (self.syntax.entries.len() - 1, self.syntax.nodes.len() - 1);
                for token in self.syntax.tokens[first..].iter_mut().filter(|token| token.entry == outer) {
                    token.entry = Some(entry);
                }
                for node in &mut self.syntax.nodes[nodes..block] {
                    node.block = Some(block);
                    node.parent = if node.parent == outer { Some(entry) } else { node.parent };
                }
            }
        }
        if let Some(&entry) = self.open.last() {
            self.syntax.entries[entry].colon.get_or_insert(colon);
        }
    }

    fn scalar(&mut self, byte: u8, gap: usize) {
        let (kind, end) = match byte {
            b'!' => (TokenKind::Tag, self.word_end()),
            b'&' => (TokenKind::Anchor, self.word_end()),
            b'*' => (TokenKind::Alias, self.word_end()),
            b'"' | b'\'' => (TokenKind::Quoted, self.quoted_end()),
            b'@' | b'`' | b'%' => (TokenKind::Error, self.plain_end()),
            _ => (TokenKind::Plain, self.plain_end()),
        };
        self.push(kind, gap, end, None);
    }

    fn begin(&mut self, is_map: bool, column: usize, is_known: bool) {
        let first = self.syntax.tokens.len();
        if !is_known {
            return self.begin_node(is_map, column, first, None);
        }
        if let Some(Entry { node, number, .. }) = self.open.pop().map(|entry| self.syntax.entries[entry].clone()) {
            self.begin_entry(node, number + 1, first);
        }
    }

    fn begin_node(&mut self, is_map: bool, column: usize, first: usize, bracket: Option<usize>) {
        let id = self.syntax.nodes.len();
        let block = if bracket.is_some() { self.node().and_then(|node| node.block) } else { Some(id) };
        self.syntax.nodes.push(Node { is_map, column, parent: self.open.last().copied(), first, bracket, block });
        self.begin_entry(id, 0, first);
    }

    fn begin_entry(&mut self, node: usize, number: usize, first: usize) {
        self.open.push(self.syntax.entries.len());
        self.syntax.entries.push(Entry { node, number, first, colon: None });
    }

    fn open_bracket(&mut self, is_map: bool, gap: usize) {
        let first = self.syntax.tokens.len();
        let bracket = self.node().and_then(|node| node.bracket).unwrap_or(first);
        let column = self.column_of(self.at);
        self.begin_node(is_map, column, first, Some(bracket));
        self.push(TokenKind::Open(is_map), gap, self.at + 1, None);
    }

    /// Ends the nodes that a line at a column further left ends.
    fn leave(&mut self, column: usize, is_dash: bool) {
        while let Some(node) = self.node() {
            if node.column < column || node.column == column && (node.is_map || is_dash) {
                break;
            }
            self.open.pop();
        }
    }

    /// Ends brackets that are not closed: a line that begins with a key, not deeper than the node around them, and
    /// without a comma in front of it, is not in them.
    fn leave_unclosed(&mut self) {
        let continues = matches!(self.last_written(), Some(TokenKind::Comma | TokenKind::Colon | TokenKind::Open(_)));
        if self.is_broken && self.is_in_brackets() && !continues && self.is_outer_key(self.at) {
            while self.is_in_brackets() {
                self.open.pop();
            }
        }
    }

    fn leave_all(&mut self) {
        self.has_odd_bracket |= self.is_in_brackets();
        self.open.clear();
    }

    fn last_written(&self) -> Option<TokenKind> {
        self.syntax.tokens.iter().rev().map(|token| token.kind).find(|&kind| kind != TokenKind::Comment)
    }

    fn skip_blanks(&mut self) {
        let blanks = self.bytes[self.at..].iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.advance(blanks.map_or(self.bytes.len(), |blanks| self.at + blanks));
    }

    fn advance(&mut self, end: usize) {
        for at in memchr::memchr2_iter(b'\n', b'\r', &self.bytes[self.at..end]) {
            let at = self.at + at;
            if self.bytes[at] == b'\n' || self.bytes.get(at + 1) != Some(&b'\n') {
                self.line += 1;
                self.column = (at + 1, 0);
            }
        }
        self.at = end;
    }

    /// The column of an offset in the line, which is not in front of those asked for before.
    fn column_of(&mut self, at: usize) -> usize {
        let (known, column) = self.column;
        let between = &self.text[known..at];
        let width = if between.is_ascii() { between.len() } else { between.chars().count() };
        self.column = (at, column + width);
        column + width
    }

    fn push(&mut self, kind: TokenKind, gap: usize, end: usize, content: Option<usize>) {
        let (start, line) = (self.at, self.line);
        let column = self.column_of(start);
        let is_first = self.syntax.tokens.last().is_none_or(|last| last.last_line < line);
        self.advance(end);
        let (last_line, entry) = (self.line, self.open.last().copied());
        let range = start..end;
        self.syntax.tokens.push(Token { kind, gap, range, line, last_line, column, is_first, content, entry });
    }
}
