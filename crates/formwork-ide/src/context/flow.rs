//! Parses collections in brackets and braces, as in JSON.

use super::{Context, Place, Step, long_name};

struct Open {
    is_map: bool,
    keys: Vec<String>,
    key: Option<String>,
    index: usize,
    /// Short tags in front of the current value.
    tags: Vec<String>,
}

/// Scans collections up to a cursor, and on to their ends.
pub(super) struct Scanner {
    open: Vec<Open>,
    /// The steps in front of the first collection.
    base: Vec<Step>,
    quote: Option<char>,
    is_escaped: bool,
    token: String,
    was_quoted: bool,
    is_comment: bool,
}

impl Scanner {
    pub(super) fn new(base: Vec<Step>) -> Scanner {
        Scanner {
            open: Vec::new(),
            base,
            quote: None,
            is_escaped: false,
            token: String::new(),
            was_quoted: false,
            is_comment: false,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty() || self.quote.is_some()
    }

    /// Scans a text with the following character of each one.
    pub(super) fn read(&mut self, text: &str) {
        let mut chars = text.chars().peekable();
        let mut last = ' ';
        while let Some(c) = chars.next() {
            self.take(c, chars.peek().copied(), last);
            last = c;
        }
    }

    fn take(&mut self, c: char, next: Option<char>, last: char) {
        if self.is_comment {
            self.is_comment = c != '\n';
            return;
        }
        if let Some(quote) = self.quote {
            if self.is_escaped {
                self.is_escaped = false;
                self.token.push(c);
            } else if c == '\\' && quote == '"' {
                self.is_escaped = true;
            } else if c == quote {
                self.quote = None;
                self.was_quoted = true;
            } else {
                self.token.push(c);
            }
            return;
        }
        match c {
            '"' | '\'' if self.token.is_empty() => self.quote = Some(c),
            '#' if last.is_whitespace() => self.is_comment = true,
            '{' | '[' if self.token.is_empty() || self.token.starts_with('!') => {
                self.end_token();
                let (is_map, keys) = (c == '{', Vec::new());
                self.open.push(Open { is_map, keys, key: None, index: 0, tags: Vec::new() });
            }
            '}' | ']' => {
                self.end_token();
                self.open.pop();
                self.clear();
            }
            ',' => {
                self.end_token();
                if let Some(open) = self.open.last_mut() {
                    open.index += 1;
                    open.key = None;
                    open.tags.clear();
                }
                self.clear();
            }
            ':' if self.is_key(next) => {
                let key = std::mem::take(&mut self.token);
                if let Some(open) = self.open.last_mut() {
                    open.keys.push(key.clone());
                    open.key = Some(key);
                    open.tags.clear();
                }
                self.was_quoted = false;
            }
            c if c.is_whitespace() => {
                if self.token.starts_with('!') {
                    self.end_token();
                    self.clear();
                }
            }
            c => self.token.push(c),
        }
    }

    /// Returns `true` if a colon ends a key.
    fn is_key(&self, next: Option<char>) -> bool {
        let in_map = self.open.last().is_some_and(|open| open.is_map && open.key.is_none());
        in_map && (self.was_quoted || next.is_none_or(|next| next.is_whitespace() || matches!(next, '[' | '{' | '"')))
    }

    fn end_token(&mut self) {
        if let Some(long) = long_name(&self.token) {
            match self.open.last_mut() {
                Some(open) => open.tags.push(long),
                None => self.base.push(Step::Key(long)),
            }
        }
        if self.token.starts_with('!') {
            self.token.clear();
        }
    }

    fn clear(&mut self) {
        self.token.clear();
        self.was_quoted = false;
    }

    /// The context at the end of the scanned text. `rest` is the text after it.
    pub(super) fn context(mut self, rest: &str) -> Context {
        let quote = self.quote;
        let mut path = std::mem::take(&mut self.base);
        let depth = self.open.len();
        for open in &self.open {
            match (&open.key, open.is_map) {
                (Some(key), true) => path.push(Step::Key(key.clone())),
                (None, true) => {}
                (_, false) => path.push(Step::Index(open.index)),
            }
            path.extend(open.tags.iter().map(|tag| Step::Key(tag.clone())));
        }
        let is_key = self.open.last().is_some_and(|open| open.is_map && open.key.is_none());
        let place = match (self.is_comment, is_key) {
            (true, _) => Place::Nothing,
            (false, true) => Place::Key,
            (false, false) => Place::Value,
        };
        let mut siblings = self.open.last().map_or_else(Vec::new, |open| open.keys.clone());
        if is_key {
            siblings.extend(self.keys_behind(rest, depth));
        }
        Context { is_flow: true, ..Context::at(path, place, quote, siblings, 0) }
    }

    /// The keys of the innermost collection after the cursor, without the one under it.
    fn keys_behind(mut self, rest: &str, depth: usize) -> Vec<String> {
        let known = self.open.last().map_or(0, |open| open.keys.len());
        // The key under the cursor is not one of the others.
        let ends = rest.find([',', '}', '\n']).unwrap_or(rest.len());
        self.quote = None;
        self.clear();
        let mut keys = Vec::new();
        let mut chars = rest.get(ends..).unwrap_or_default().chars().peekable();
        let mut last = ' ';
        while let Some(c) = chars.next() {
            self.take(c, chars.peek().copied(), last);
            last = c;
            if self.open.len() < depth {
                break;
            }
            if self.open.len() == depth
                && let Some(open) = self.open.last()
            {
                keys.clone_from(&open.keys);
            }
        }
        keys.drain(..known.min(keys.len()));
        keys
    }
}

pub(super) fn document(text: &str, offset: usize) -> Context {
    let mut scanner = Scanner::new(Vec::new());
    scanner.read(text.get(..offset).unwrap_or_default());
    scanner.context(text.get(offset..).unwrap_or_default())
}
