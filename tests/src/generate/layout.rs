//! Data as YAML in every layout that the language has: lists indented below their keys or not, dashes in
//! dashes, explicit keys, flow style on one line and on several, tags and long names, all styles of
//! scalars with all ways to end them, comments and empty lines anywhere.

use std::fmt::Write as _;

use formwork_syntax::scalar;
use formwork_syntax::value::Value;

use super::choices::Choices;
use super::render::tagged;

/// YAML with the data of `value`, in a layout at random.
pub fn layout(value: &Value, choices: &mut Choices<'_>) -> String {
    let newline = if choices.one_in(8) { "\r\n" } else { "\n" };
    let mut writer = Writer { choices, out: String::new(), guard: Guard::NONE };
    if writer.choices.one_in(6) {
        writer.out.push_str("# a comment before everything\n");
    }
    if writer.choices.one_in(6) {
        writer.out.push_str("---\n");
    }
    match value {
        Value::Map(members) if !members.is_empty() => writer.members(members, 0),
        Value::List(items) if !items.is_empty() => writer.items(items, 0),
        other => writer.flow(other, 0),
    }
    let is_bare = writer.guard.column == usize::MAX && writer.choices.one_in(6);
    if !is_bare {
        writer.between(0);
        writer.out.push('\n');
    }
    if newline == "\n" { writer.out } else { writer.out.replace('\n', newline) }
}

/// Text of the marks and words of YAML in any order.
pub fn tokens(choices: &mut Choices<'_>) -> String {
    const TOKENS: [&str; 44] = [
        "\n", "\n", "\n  ", "\n    ", " ", "  ", "a", "b: ", "c:", "'", "\"", "''", "\\", "\\n", "#", " # c", "- ",
        "-", "? ", ": ", ":", "[", "]", "{", "}", ",", ", ", "|", "|+\n", ">-\n", "&x ", "*x", "!Sub ", "!Ref",
        "!!str ", "<<: ", "~", "1", "---\n", "...\n", "\t", "\r\n", "\u{feff}", "é",
    ];
    let mut text = String::new();
    for _ in 0..choices.below(120) {
        text.push_str(choices.of(&TOKENS));
    }
    text
}

/// What the last block scalar forbids after it.
#[derive(Clone, Copy)]
struct Guard {
    /// Comments have to be left of this column.
    column: usize,
    /// Empty lines would be a part of it.
    no_blank_lines: bool,
}

impl Guard {
    const NONE: Guard = Guard { column: usize::MAX, no_blank_lines: false };
}

/// The key or dash that a value belongs to.
#[derive(Clone, Copy)]
enum Host {
    Key(usize),
    Dash(usize),
}

struct Writer<'c, 'b> {
    choices: &'c mut Choices<'b>,
    out: String,
    guard: Guard,
}

impl Writer<'_, '_> {
    /// Comment lines and empty lines before a line that begins in `column`; the line before is not ended.
    fn between(&mut self, column: usize) {
        let guard = std::mem::replace(&mut self.guard, Guard::NONE);
        let mut no_blank_lines = guard.no_blank_lines;
        if !no_blank_lines && self.choices.one_in(10) {
            self.out.push('\n');
        }
        if self.choices.one_in(10) {
            let indent = self.choices.of(&[column, 0, column + 1, column + 3]).min(guard.column.saturating_sub(1));
            let _ = write!(self.out, "\n{:indent$}# a comment", "");
            no_blank_lines = false;
            if self.choices.one_in(3) {
                self.out.push('\n');
            }
        }
        // Directly after a text that keeps its line breaks nothing may be added.
        let _ = no_blank_lines;
    }

    fn line(&mut self, column: usize) {
        self.between(column);
        let _ = write!(self.out, "\n{:column$}", "");
    }

    fn members(&mut self, members: &[(String, Value)], column: usize) {
        for (at, (name, value)) in members.iter().enumerate() {
            if at > 0 {
                self.line(column);
            }
            if self.choices.one_in(15) {
                self.out.push_str("? ");
                let key = self.one_line(name, false);
                self.out.push_str(&key);
                self.line(column);
                self.out.push(':');
            } else {
                let key = self.one_line(name, false);
                self.out.push_str(&key);
                self.out.push_str(self.choices.of(&[":", ":", ":", " :"]));
            }
            self.value(value, Host::Key(column), false);
        }
    }

    fn items(&mut self, items: &[Value], column: usize) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.line(column);
            }
            self.out.push('-');
            let blanks = self.choices.of(&[1, 1, 1, 3]);
            let inner = column + 1 + blanks;
            match item {
                Value::Map(members) if !members.is_empty() && self.choices.below(4) < 2 => {
                    let _ = write!(self.out, "{:blanks$}", "");
                    self.members(members, inner);
                }
                Value::List(items) if !items.is_empty() && self.choices.below(4) < 2 => {
                    let _ = write!(self.out, "{:blanks$}", "");
                    self.items(items, inner);
                }
                item => self.value(item, Host::Dash(column), false),
            }
        }
    }

    /// What follows a key, dash or tag.
    fn value(&mut self, value: &Value, host: Host, behind_tag: bool) {
        if !behind_tag && let Some((tag, argument)) = tagged(value, self.choices) {
            let (Host::Key(column) | Host::Dash(column)) = host;
            if self.choices.one_in(10) {
                // The tag on a line of its own.
                self.line(column + 2);
                let _ = write!(self.out, "!{tag}");
            } else {
                let _ = write!(self.out, " !{tag}");
            }
            return self.value(argument, host, true);
        }
        let (Host::Key(column) | Host::Dash(column)) = host;
        match value {
            Value::Map(members) if !members.is_empty() && !self.choices.one_in(5) => {
                self.beside();
                let column = column + self.choices.of(&[2, 4, 1, 3]);
                self.line(column);
                self.members(members, column);
            }
            Value::List(items) if !items.is_empty() && !self.choices.one_in(5) => {
                self.beside();
                let column = match host {
                    Host::Key(column) if self.choices.below(2) == 0 => column,
                    _ => column + self.choices.of(&[2, 4, 1, 3]),
                };
                self.line(column);
                self.items(items, column);
            }
            Value::String(text) if self.choices.below(3) > 0 && is_block(text) => self.block(text, column),
            Value::Null if !behind_tag && matches!(host, Host::Key(_)) && self.choices.one_in(3) => {}
            other => {
                if self.choices.one_in(12) {
                    self.line(column + 2);
                } else {
                    self.out.push(' ');
                }
                let start = self.out.len();
                self.flow(other, column + 1);
                let ends_token = self.out[start..].starts_with(['[', '{', '"', '\'']);
                if ends_token && self.choices.one_in(10) {
                    self.out.push_str("#direct");
                } else {
                    self.beside();
                }
            }
        }
    }

    /// A comment at the end of a line.
    fn beside(&mut self) {
        if self.choices.one_in(12) {
            self.out.push_str(self.choices.of(&[" # beside", "   # it's \"beside\": [x"]));
        }
    }

    /// A literal or folded block below something in `column`.
    fn block(&mut self, text: &str, column: usize) {
        let body = text.trim_end_matches('\n');
        let breaks = text.len() - body.len();
        let lines: Vec<&str> = body.split('\n').collect();
        let can_fold = lines.iter().all(|line| !line.is_empty() && !line.starts_with([' ', '\t']));
        let is_folded = can_fold && self.choices.one_in(3);
        let end = match breaks {
            0 => "-",
            1 if self.choices.below(2) == 0 => "",
            _ => "+",
        };
        let step = self.choices.of(&[2, 1, 4]);
        self.out.push(' ');
        self.out.push(if is_folded { '>' } else { '|' });
        // The step has to be explicit where the content begins with a space.
        if body.starts_with(' ') || column == 0 && self.choices.one_in(5) {
            let _ = write!(self.out, "{step}");
        }
        self.out.push_str(end);
        self.beside();
        let column = column + step;
        for (at, line) in lines.iter().enumerate() {
            self.out.push_str(if at > 0 && is_folded { "\n\n" } else { "\n" });
            if line.is_empty() {
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            let wraps = is_folded && words.iter().all(|word| !word.is_empty()) && self.choices.one_in(2);
            let _ = write!(self.out, "{:column$}", "");
            if wraps {
                self.out.push_str(&words.join(&format!("\n{:column$}", "")));
            } else {
                self.out.push_str(line);
            }
        }
        let blank_lines = match end {
            "+" => breaks - 1,
            _ if self.choices.one_in(5) => 2,
            _ => 0,
        };
        self.out.extend(std::iter::repeat_n('\n', blank_lines));
        self.guard = Guard { column, no_blank_lines: end == "+" };
    }

    /// A value in flow style, on lines that begin in `column` or deeper.
    fn flow(&mut self, value: &Value, column: usize) {
        match value {
            Value::List(items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    self.separator(at, column);
                    self.flow_item(item, column);
                }
                self.close(items.len(), ']', column);
            }
            Value::Map(members) => {
                self.out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    self.separator(at, column);
                    let key = self.one_line(name, true);
                    self.out.push_str(&key);
                    self.out.push_str(": ");
                    self.flow_item(value, column);
                }
                self.close(members.len(), '}', column);
            }
            Value::String(text) => {
                let text = self.scalar(text, column);
                self.out.push_str(&text);
            }
            Value::Number(number) if number.starts_with('0') && number.len() > 1 => {
                self.out.push_str(number.trim_start_matches('0'));
            }
            Value::Number(number) => self.out.push_str(number),
            Value::Null => self.out.push_str(self.choices.of(&["null", "~", "Null"])),
            Value::Bool(true) => self.out.push_str(self.choices.of(&["true", "yes", "On", "TRUE"])),
            Value::Bool(false) => self.out.push_str(self.choices.of(&["false", "no", "Off", "FALSE"])),
        }
    }

    fn flow_item(&mut self, value: &Value, column: usize) {
        match tagged(value, self.choices) {
            Some((tag, argument)) => {
                let _ = write!(self.out, "!{tag} ");
                self.flow(argument, column);
            }
            None => self.flow(value, column),
        }
    }

    fn separator(&mut self, at: usize, column: usize) {
        if at > 0 {
            self.out.push(',');
        }
        match self.choices.below(10) {
            0 => {
                let _ = write!(self.out, "\n{:1$}", "", column + 2);
            }
            1 => {
                let _ = write!(self.out, " # it's [in\n\n{:column$}", "");
            }
            _ if at > 0 => self.out.push(' '),
            _ => {}
        }
    }

    fn close(&mut self, count: usize, bracket: char, column: usize) {
        if count > 0 && self.choices.one_in(10) {
            self.out.push(',');
        }
        if self.choices.one_in(10) {
            let _ = write!(self.out, "\n{:column$}", "");
        }
        self.out.push(bracket);
    }

    /// A text, possibly on several lines that begin in `column`.
    fn scalar(&mut self, text: &str, column: usize) -> String {
        let words: Vec<&str> = text.split(' ').collect();
        let can_wrap = words.len() > 1
            && words.iter().all(|word| !word.is_empty() && !word.contains(['#', '\t', '\n', ':', '-', '?', '.']));
        let one = self.one_line(text, true);
        if can_wrap && self.choices.one_in(3) {
            // The spaces of the string are line breaks of the source, before all others when it has quotes.
            let column = if one.starts_with(['"', '\'']) { self.choices.of(&[column, 0]) } else { column };
            return one.replace(' ', &format!("{}\n{:column$}", self.choices.of(&["", " "]), ""));
        }
        one
    }

    /// A text on one line: plain where every reader takes it for a text, else in quotes.
    fn one_line(&mut self, text: &str, flow: bool) -> String {
        let has_control = text.chars().any(scalar::needs_escape);
        match self.choices.below(4) {
            0 | 1 if scalar::plain_is_safe(text, flow) => text.to_owned(),
            2 if !has_control => format!("'{}'", text.replace('\'', "''")),
            _ => {
                let quoted = serde_json::Value::from(text).to_string();
                quoted.chars().fold(String::new(), |mut out, c| {
                    if scalar::needs_escape(c) {
                        let _ = write!(out, "\\u{:04x}", c as u32);
                    } else {
                        out.push(c);
                    }
                    out
                })
            }
        }
    }
}

/// Whether a text can be a block scalar.
fn is_block(text: &str) -> bool {
    let body = text.trim_end_matches('\n');
    !body.is_empty()
        && !body.starts_with('\n')
        && !body.starts_with('\t')
        && !text.chars().any(|c| c != '\n' && c != '\t' && scalar::needs_escape(c))
}
