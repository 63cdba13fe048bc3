//! The context of a cursor in TOML, by the lines in front of it: a text is broken while somebody writes it.

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TomlContext {
    /// The names of the table, outermost first.
    pub(super) table: Vec<String>,
    /// Set in the header of a table; `table` has the names before the cursor then.
    pub(super) is_header: bool,
    /// Set after the equals sign of `key`.
    pub(super) is_value: bool,
    /// The key of the line, or of the list that the line continues.
    pub(super) key: String,
    /// The token under the cursor, without quotes.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quote: Option<char>,
    pub(super) siblings: Vec<String>,
    pub(super) has_equals: bool,
}

impl TomlContext {
    pub(super) fn new(text: &str, offset: usize) -> TomlContext {
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = text.get(offset..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| offset + at);
        let head = text.get(line_start..offset).unwrap_or_default();
        let tail = text.get(offset..line_end).unwrap_or_default().trim_end_matches('\r');
        let mut context = TomlContext::default();
        let mut list = None;
        for line in before.get(..line_start).unwrap_or_default().lines() {
            context.take(line, &mut list);
        }
        let own: Vec<String> = context.siblings.clone();
        let mut behind = TomlContext { table: context.table.clone(), ..TomlContext::default() };
        let mut ignored = None;
        for line in text.get(line_end..).unwrap_or_default().lines() {
            if line.trim_start().starts_with('[') {
                break;
            }
            behind.take(line, &mut ignored);
        }
        context.siblings = own.into_iter().chain(behind.siblings).collect();
        let trimmed = head.trim_start();
        if trimmed.starts_with('[') && list.is_none() {
            context.header(head, tail, offset);
            return context;
        }
        let equals = outside_of_quotes(head, '=');
        context.is_value = equals.is_some() || list.is_some();
        context.key = match (equals, list) {
            (Some(at), _) => plain(head.get(..at).unwrap_or_default()),
            (None, Some(key)) => key,
            (None, None) => String::new(),
        };
        context.quote = open_quote(head.get(equals.map_or(0, |at| at + 1)..).unwrap_or_default());
        context.token(head, tail, offset);
        context
    }

    /// Reads a line in front of the cursor. `list` is the key of a list that is open.
    fn take(&mut self, line: &str, list: &mut Option<String>) {
        let line = line.trim();
        if let Some(key) = list.take() {
            if !line.starts_with(']') && !line.ends_with(']') {
                *list = Some(key);
            }
            return;
        }
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_start_matches('[').split(']').next().unwrap_or_default();
            self.table = header.split('.').map(plain).collect();
            self.siblings.clear();
        } else if let Some(at) = outside_of_quotes(line, '=') {
            let (key, value) = line.split_at(at);
            let key = plain(key);
            let value = value.trim_start_matches('=').trim();
            if value.starts_with('[') && !value.contains(']') {
                *list = Some(key.clone());
            }
            self.siblings.push(key);
        }
    }

    fn header(&mut self, head: &str, tail: &str, offset: usize) {
        self.is_header = true;
        let inner = head.trim_start().trim_start_matches('[');
        let (names, token) = inner.rsplit_once('.').unwrap_or(("", inner));
        self.table = names.split('.').map(plain).filter(|name| !name.is_empty()).collect();
        self.start = offset - token.len();
        self.end = offset + tail.find([']', '.']).unwrap_or(tail.len());
        self.siblings.clear();
    }

    fn token(&mut self, head: &str, tail: &str, offset: usize) {
        let is_end = |c: char| match self.quote {
            Some(quote) => c == quote || c.is_whitespace() || c == ',',
            None => c.is_whitespace() || matches!(c, '=' | '[' | ']' | '{' | '}' | ',' | '"' | '\''),
        };
        let back = head.char_indices().rev().find(|(_, c)| is_end(*c)).map_or(0, |(at, c)| at + c.len_utf8());
        self.start = offset - head.len() + back;
        let length = tail.find(is_end).unwrap_or(tail.len());
        self.end = offset + length;
        let behind = tail.get(length..).unwrap_or_default().trim_start_matches(['"', '\'', ' ']);
        self.has_equals = !self.is_value && behind.starts_with('=');
    }
}

fn plain(key: &str) -> String {
    key.trim().trim_matches(['"', '\'']).to_owned()
}

fn outside_of_quotes(line: &str, wanted: char) -> Option<usize> {
    let mut quote = None;
    line.char_indices().find_map(|(at, c)| {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == wanted => return Some(at),
            None => {}
        }
        None
    })
}

/// The quote that is open at the end of a text.
fn open_quote(text: &str) -> Option<char> {
    let (mut quote, mut is_escaped) = (None, false);
    for c in text.chars() {
        match quote {
            Some('"') if is_escaped => is_escaped = false,
            Some('"') if c == '\\' => is_escaped = true,
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
    }
    quote
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> String {
        let offset = text.find('‸').expect("a cursor");
        let text = text.replace('‸', "");
        let context = TomlContext::new(&text, offset);
        let token = &text[context.start..context.end];
        let place = if context.is_header {
            "header"
        } else if context.is_value {
            "value"
        } else {
            "key"
        };
        format!("{} {place} {}={token:?} {:?}", context.table.join("."), context.key, context.siblings)
    }

    #[test]
    fn keys_values_and_headers() {
        assert_eq!(at("st‸"), " key =\"st\" []");
        assert_eq!(at("a = 1\n[fmt]\nind‸ent = 2\nx = 3\n[b]\ny = 1\n"), "fmt key =\"indent\" [\"x\"]");
        assert_eq!(at("[a.b]\nx = ‸"), "a.b value x=\"\" []");
        assert_eq!(at("[a]\nx = \"b c‸d\"\n"), "a value x=\"cd\" []");
        assert_eq!(at("[a.‸]\n"), "a header =\"\" []");
        assert_eq!(at("[a]\nx = [\n  \"b\",\n  \"‸"), "a value x=\"\" [\"x\"]");
        assert_eq!(at("[a]\nx = [\n  \"b\"\n]\ny‸"), "a key =\"y\" [\"x\"]");
    }
}
