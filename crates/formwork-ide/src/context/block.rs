//! Parses documents in block style, line by line.

use super::flow::Scanner;
use super::{Context, Place, Step, long_name};

struct Level {
    column: usize,
    step: Step,
    /// The short tag of its value.
    tag: Option<String>,
    /// The keys so far of the mapping around it.
    keys: Vec<String>,
}

#[derive(Default)]
struct Reader {
    levels: Vec<Level>,
    /// The column of the key whose value is a block scalar.
    scalar: Option<usize>,
    flow: Option<Scanner>,
    /// Set when the next line certainly continues the open collection: it was just opened, or follows a comma or colon.
    continues: bool,
}

pub(super) fn document(text: &str, offset: usize) -> Context {
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let mut reader = Reader::default();
    for line in text.get(..start).unwrap_or_default().split_inclusive('\n') {
        reader.line(line);
    }
    reader.last(text, start, offset)
}

/// The key in front of a line's value, and the offset of the value.
fn key_of(line: &str) -> Option<(String, usize)> {
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote {
        let end = line.get(1..)?.find(quote)? + 1;
        let rest = line.get(end + 1..)?;
        let colon = rest.trim_start_matches(' ').strip_prefix(':')?;
        return Some((line.get(1..end)?.to_owned(), line.len() - colon.len()));
    }
    let mut from = 0;
    while let Some(at) = line.get(from..)?.find(':') {
        let at = from + at;
        let behind = line.get(at + 1..)?;
        if behind.is_empty() || behind.starts_with([' ', '\n', '\r', '\t']) {
            let key = line.get(..at)?.trim_end();
            let is_key = !key.starts_with(['!', '{', '[', '#', '&', '*', '|', '>']) && !key.contains(" #");
            return is_key.then(|| (key.to_owned(), at + 1));
        }
        from = at + 1;
    }
    None
}

/// The value of a line without its tags and anchor, and the long name of a function's tag.
fn without_tag(value: &str) -> (&str, Option<String>) {
    let value = value.trim_start_matches(' ');
    let Some(word) = value.strip_prefix('!').and(value.split([' ', '\n', '\r']).next()) else { return (value, None) };
    let rest = value.get(word.len()..).unwrap_or_default();
    (rest.trim_start_matches(' '), long_name(word))
}

/// Returns `true` if the next line certainly belongs to the collection in brackets of this one.
fn continues(line: &str, before: bool) -> bool {
    let text = line.split(" #").next().unwrap_or_default().trim();
    if text.is_empty() || text.starts_with('#') { before } else { text.ends_with([',', ':', '[', '{']) }
}

impl Reader {
    /// Leaves an unclosed collection or string: a line that begins with a key, not deeper than the key of the
    /// collection, and not after a comma, is not in it.
    fn leave_unclosed(&mut self, line: &str) {
        let column = line.len() - line.trim_start_matches(' ').len();
        let is_outer = self.levels.last().is_some_and(|level| column <= level.column);
        let is_key = || line.trim_start().starts_with(char::is_alphabetic) && key_of(line.trim_start()).is_some();
        if self.flow.is_some() && !self.continues && is_outer && is_key() {
            self.flow = None;
        }
    }

    fn path(&self) -> Vec<Step> {
        let mut path = Vec::new();
        for level in &self.levels {
            path.push(level.step.clone());
            path.extend(level.tag.clone().map(Step::Key));
        }
        path
    }

    /// Leaves the levels that a line at a column ends, and returns the keys of the mapping that continues there.
    fn leave(&mut self, column: usize, is_dash: bool) -> Vec<String> {
        let mut keys = Vec::new();
        // A list may be in the column of its key.
        let is_left = |level: &mut Level| level.column > column || level.column == column && !is_dash;
        while let Some(level) = self.levels.pop_if(is_left) {
            keys = if level.column == column { level.keys } else { Vec::new() };
        }
        keys
    }

    /// Enters the dashes of a line: returns the column and the text after them.
    fn dashes<'l>(&mut self, line: &'l str) -> (usize, &'l str) {
        let mut column = line.len() - line.trim_start_matches(' ').len();
        let mut rest = line.get(column..).unwrap_or_default();
        loop {
            let is_dash = rest.starts_with("- ") || rest.trim_end() == "-";
            if !is_dash {
                return (column, rest);
            }
            let index = self.next_index(column);
            self.levels.push(Level { column, step: Step::Index(index), tag: None, keys: Vec::new() });
            let behind = rest.get(1..).unwrap_or_default();
            let spaces = behind.len() - behind.trim_start_matches(' ').len();
            column += 1 + spaces;
            rest = behind.get(spaces..).unwrap_or_default();
        }
    }

    /// The index of the element that a dash at a column begins.
    fn next_index(&mut self, column: usize) -> usize {
        let mut index = 0;
        while let Some(level) = self.levels.last() {
            match level.step {
                Step::Index(at) if level.column == column => index = at + 1,
                _ if level.column > column => {}
                Step::Key(_) if level.column == column => return index,
                _ => return index,
            }
            self.levels.pop();
        }
        index
    }

    fn line(&mut self, line: &str) {
        self.leave_unclosed(line);
        if let Some(flow) = &mut self.flow {
            flow.read(line);
            if !flow.is_open() {
                self.flow = None;
            }
            self.continues = continues(line, self.continues);
            return;
        }
        let trimmed = line.trim_start_matches(' ');
        let column = line.len() - trimmed.len();
        if trimmed.trim_end().is_empty() || self.scalar.is_some_and(|scalar| column > scalar) {
            return;
        }
        self.scalar = None;
        if trimmed.starts_with('#') || line.starts_with("---") || line.starts_with('%') {
            return;
        }
        let is_dash = trimmed.starts_with("- ") || trimmed.trim_end() == "-";
        let mut keys = self.leave(column, is_dash);
        let (column, rest) = self.dashes(line);
        if is_dash {
            keys = Vec::new();
        }
        let value = match key_of(rest) {
            Some((key, at)) => {
                keys.push(key.clone());
                self.levels.push(Level { column, step: Step::Key(key), tag: None, keys });
                rest.get(at..).unwrap_or_default()
            }
            None => rest,
        };
        let (value, tag) = without_tag(value);
        if let Some(level) = self.levels.last_mut() {
            level.tag = tag.or(level.tag.take());
        }
        match value.chars().next() {
            Some('|' | '>') => self.scalar = self.levels.last().map(|level| level.column),
            Some('[' | '{' | '"' | '\'') => {
                let mut flow = Scanner::new(self.path());
                flow.read(value);
                self.flow = flow.is_open().then_some(flow);
                self.continues = continues(value, true);
            }
            _ => {}
        }
    }

    fn last(mut self, text: &str, start: usize, offset: usize) -> Context {
        let (line, rest) = (text.get(start..offset).unwrap_or_default(), text.get(offset..).unwrap_or_default());
        self.leave_unclosed(text.get(start..).and_then(|line| line.lines().next()).unwrap_or_default());
        if let Some(mut flow) = self.flow.take() {
            flow.read(line);
            return flow.context(rest);
        }
        let trimmed = line.trim_start_matches(' ');
        let column = line.len() - trimmed.len();
        let in_scalar = self.scalar.is_some_and(|scalar| column > scalar);
        if in_scalar || trimmed.starts_with('#') || line.contains(" #") {
            let key = key_of(trimmed).filter(|_| !in_scalar);
            if !in_scalar {
                self.leave(column, false);
            }
            let mut path = self.path();
            path.extend(key.map(|(key, _)| Step::Key(key)));
            return Context::at(path, Place::Nothing, None, Vec::new(), column);
        }
        let is_dash = trimmed.starts_with("- ") || trimmed == "-";
        let mut keys = self.leave(column, is_dash);
        let (column, value) = self.dashes(line);
        if is_dash {
            keys = Vec::new();
        }
        if let Some((key, at)) = key_of(value) {
            self.levels.push(Level { column, step: Step::Key(key), tag: None, keys });
            return self.value(value.get(at..).unwrap_or_default(), rest, column);
        }
        if value.starts_with(['!', '{', '[']) {
            return self.value(value, rest, column);
        }
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        keys.extend(keys_behind(rest, column));
        let place = if is_dash { Place::Element } else { Place::Key };
        Context::at(self.path(), place, quote, keys, column)
    }

    fn value(mut self, value: &str, rest: &str, column: usize) -> Context {
        let (plain, tag) = without_tag(value);
        // A tag is complete when something follows it.
        let is_whole = !value.trim_start().starts_with('!') || value.trim_start().contains(' ');
        if let (Some(level), true) = (self.levels.last_mut(), is_whole) {
            level.tag = tag;
        }
        let path = self.path();
        if plain.starts_with(['[', '{']) {
            let mut flow = Scanner::new(path);
            flow.read(plain);
            return flow.context(rest);
        }
        let quote = plain.chars().next().filter(|c| matches!(c, '"' | '\''));
        Context::at(path, Place::Value, quote, Vec::new(), column)
    }
}

/// The keys in a column after the line of the cursor, up to the first line further left.
fn keys_behind(rest: &str, column: usize) -> Vec<String> {
    let mut keys = Vec::new();
    for line in rest.split('\n').skip(1) {
        let trimmed = line.trim_start_matches(' ');
        if trimmed.trim_end().is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let own = line.len() - trimmed.len();
        if own < column {
            break;
        }
        if own == column {
            keys.extend(key_of(trimmed).map(|(key, _)| key));
        }
    }
    keys
}
