//! Positions of the sections and entries of a broken file by its brackets: for files whose lines do not show them, such
//! as JSON that programs write.

use std::ops::Range;

use super::layout::{Part, name};
use crate::function;

/// Depths of the keys of sections and of entries.
const SECTION: usize = 1;
const ENTRY: usize = 2;

/// Most brackets that one closing bracket is compared with: more than templates have.
const MOST: usize = 200;

/// Most keys that are considered: several times the sections and entries that a template may have.
const MOST_KEYS: usize = 5_000;

pub(super) struct Braces<'t> {
    text: &'t str,
    keys: Vec<Key>,
}

struct Key {
    range: Range<usize>,
    /// Number of open brackets around the key.
    depth: usize,
}

impl<'t> Braces<'t> {
    /// Returns the keys of a file that begins with a brace, if its lines do not show the beginnings of most of its
    /// entries.
    pub(super) fn of(text: &'t str, is_section: &dyn Fn(&str) -> bool) -> Option<Braces<'t>> {
        if !text.trim_start().starts_with('{') {
            return None;
        }
        let strict = Scan::of(text, None);
        // A bracket or a quote is missing, or there is one too many: entries begin at keys that look like one.
        let keys = if strict.is_balanced { strict.keys } else { Scan::of(text, Some(is_section)).keys };
        if keys.len() > MOST_KEYS {
            return None;
        }
        let braces = Braces { text, keys };
        let entries = || braces.keys.iter().filter(|key| key.depth == ENTRY);
        let in_lines = entries().filter(|key| braces.begins_line(key)).count();
        (in_lines * 2 < entries().count()).then_some(braces)
    }

    pub(super) fn sections(&self) -> Vec<Part> {
        self.parts(SECTION, 0..self.text.len())
    }

    pub(super) fn entries(&self, section: &Part) -> Vec<Part> {
        self.parts(ENTRY, section.key.end..section.range.end)
    }

    /// Returns the parts whose keys are in `depth` brackets. A part is odd when it takes a bracket of the surrounding
    /// collection, or ends it.
    fn parts(&self, depth: usize, within: Range<usize>) -> Vec<Part> {
        let keys: Vec<&Key> = self.keys_in(&within).iter().filter(|key| key.depth == depth).collect();
        let next = keys.iter().skip(1).map(|key| key.range.start).chain([within.end]);
        let part = |(key, next): (&&Key, usize)| {
            let start = key.range.start;
            let end = self.value_end(key, next);
            let is_odd = end.is_some_and(|end| !self.is_end(end..next, depth, within.end))
                || depth == SECTION && !self.has_whole_entries(&(start..next));
            let end = end.filter(|_| !is_odd);
            let end = end.unwrap_or_else(|| start + self.text[start..next].trim_end_matches([' ', ',', '\n']).len());
            Part { range: start..end, key: key.range.clone(), is_odd, is_exact: true }
        };
        keys.iter().zip(next).map(part).collect()
    }

    fn keys_in(&self, within: &Range<usize>) -> &[Key] {
        let [begin, end] = [within.start, within.end].map(|at| self.keys.partition_point(|key| key.range.start < at));
        self.keys.get(begin..end).unwrap_or_default()
    }

    fn has_whole_entries(&self, within: &Range<usize>) -> bool {
        let entries = || self.keys_in(within).iter().filter(|key| key.depth == ENTRY);
        let next = entries().skip(1).map(|key| key.range.start).chain([within.end]);
        entries().zip(next).all(|(key, next)| self.value_end(key, next).is_some())
    }

    /// Returns `true` when only the expected tokens are between the end of a part and the next one, or the end of the
    /// surrounding collection.
    fn is_end(&self, between: Range<usize>, depth: usize, end: usize) -> bool {
        let is_last = between.end == end;
        // A text may be cut off.
        let is_text_end = between.end == self.text.len();
        let written = self.text[between].split_whitespace().collect::<String>();
        match written.as_str() {
            "" => !is_last || is_text_end,
            "," => !is_last,
            "}" => is_last && (depth == ENTRY || is_text_end),
            "}}" => is_text_end && depth == ENTRY,
            _ => false,
        }
    }

    fn value_end(&self, key: &Key, limit: usize) -> Option<usize> {
        let value = skip_colon(self.text, key.range.end)?;
        let bytes = &self.text.as_bytes()[..limit];
        let mut open = 0_usize;
        let mut at = value;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'{' | b'[' => open += 1,
                b'}' | b']' if open == 0 => break,
                b'}' | b']' => open -= 1,
                b',' if open == 0 => break,
                b'"' => at = string_end(self.text, at).ok().filter(|&end| end <= limit)? - 1,
                _ => {}
            }
            at += 1;
        }
        let written = self.text.get(value..at)?.trim_end();
        (open == 0 && !written.is_empty()).then_some(value + written.len())
    }

    fn begins_line(&self, key: &Key) -> bool {
        let before = self.text[..key.range.start].trim_end_matches([' ', '\t']);
        before.ends_with(['\n', '\r'])
    }
}

/// The keys of a file; `is_balanced` is set when all brackets and quotes are paired.
struct Scan {
    keys: Vec<Key>,
    is_balanced: bool,
}

impl Scan {
    /// Scans the brackets and strings. With `is_section`, which knows the names of sections, everything that looks like
    /// a section or an entry is one, at any depth.
    fn of(text: &str, is_section: Option<&dyn Fn(&str) -> bool>) -> Scan {
        let bytes = text.as_bytes();
        let (mut open, mut keys): (Vec<u8>, Vec<Key>) = (Vec::new(), Vec::new());
        let (mut at, mut is_balanced) = (0, true);
        let mut section = "";
        while let Some(&byte) = bytes.get(at).filter(|_| keys.len() <= MOST_KEYS) {
            match byte {
                b'{' | b'[' => open.push(byte),
                b'}' | b']' => {
                    let opener = if byte == b'}' { b'{' } else { b'[' };
                    is_balanced &= open.last() == Some(&opener);
                    let around = open.iter().rev().take(MOST).position(|&other| other == opener);
                    if let Some(around) = around {
                        open.truncate(open.len() - 1 - around);
                    }
                }
                b'"' => {
                    let end = match string_end(text, at) {
                        Ok(end) => end,
                        Err(next) => {
                            (at, is_balanced) = (next, false);
                            continue;
                        }
                    };
                    if let Some(value) = skip_colon(text, end) {
                        let key = name(&text[at..end]);
                        if let Some(is_section) = is_section {
                            let depth = if is_section(key) && begins_section(key, &text[value..]) {
                                SECTION
                            } else if begins_entry(section, &text[value..]) {
                                ENTRY
                            } else {
                                open.len()
                            };
                            open.resize(depth, b'{');
                        }
                        if open.len() == SECTION {
                            section = key;
                        }
                        let is_part = open.len() == SECTION || may_be_entry(section, key, &text[value..]);
                        if open.len() <= ENTRY && is_part {
                            keys.push(Key { range: at..end, depth: open.len() });
                        }
                    }
                    at = end - 1;
                }
                _ => {}
            }
            at += 1;
        }
        Scan { keys, is_balanced: is_balanced && open.is_empty() }
    }
}

/// Returns the offset behind the closing quote of the string that begins at `at`. An error when that quote is missing,
/// since the text behind the next quote never follows a string: the offset of that quote, or the end of the text.
fn string_end(text: &str, at: usize) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut quote = at + 1;
    loop {
        match bytes.get(quote) {
            None => return Err(text.len()),
            Some(b'"') => break,
            Some(b'\\') => quote += 2,
            Some(_) => quote += 1,
        }
    }
    let behind = text[quote + 1..].trim_start();
    let is_end = behind.is_empty() || behind.starts_with([',', ':', '}', ']', '"']);
    if is_end { Ok(quote + 1) } else { Err(quote) }
}

fn skip_colon(text: &str, end: usize) -> Option<usize> {
    let value = text[end..].trim_start().strip_prefix(':')?.trim_start();
    Some(text.len() - value.len())
}

fn begins_section(section: &str, value: &str) -> bool {
    if section == "AWSTemplateFormatVersion" {
        return true;
    }
    let Some(first) = inner(value) else { return false };
    let value = string_end(first, 0).ok().and_then(|end| skip_colon(first, end));
    value.is_some_and(|value| begins_entry(section, &first[value..]))
}

/// Returns `true` when a value begins as that of an entry of a section does: with a key that such an entry has and that
/// its properties do not have.
fn begins_entry(section: &str, value: &str) -> bool {
    let Some(first) = inner(value) else { return false };
    let Ok(end) = string_end(first, 0) else { return false };
    let Some(value) = skip_colon(first, end) else { return false };
    let key = name(&first[..end]);
    match section {
        "Resources" => {
            let kind = Some(&first[value..]).filter(|kind| key == "Type" && kind.starts_with('"'));
            kind.is_some_and(|kind| string_end(kind, 0).is_ok_and(|end| kind[..end].contains("::")))
        }
        "Parameters" => key == "Type",
        "Outputs" => key == "Value",
        "Conditions" => matches!(key, "Fn::Equals" | "Fn::Not" | "Fn::And" | "Fn::Or" | "Condition"),
        "Modules" => key == "Source",
        "Rules" => matches!(key, "RuleCondition" | "Assertions"),
        _ => false,
    }
}

/// Returns `true` when a key may be that of an entry of a section: where brackets or quotes are wrong, an attribute is
/// not an entry.
fn may_be_entry(section: &str, key: &str, value: &str) -> bool {
    let has_objects = matches!(section, "Resources" | "Parameters" | "Outputs");
    let is_attribute =
        matches!(key, "Properties" | "Metadata" | "CreationPolicy" | "UpdatePolicy" | "Value" | "Export");
    !has_objects || function::loop_name(key).is_some() || value.starts_with('{') && !is_attribute
}

fn inner(value: &str) -> Option<&str> {
    Some(value.strip_prefix('{')?.trim_start()).filter(|inner| inner.starts_with('"'))
}
