//! Tables of TOML with the places of their keys and values.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::unquoted;

pub(super) struct Entry<'t, 'v> {
    pub(super) key: &'t str,
    pub(super) key_range: Range<u32>,
    pub(super) value: &'t Spanned<DeValue<'v>>,
}

/// Parses a text as far as it is well-formed.
pub(super) fn read(text: &str) -> Spanned<DeTable<'_>> {
    DeTable::parse_recoverable(text).0
}

pub(super) fn entries<'t, 'v>(text: &str, table: &'t DeTable<'v>) -> Vec<Entry<'t, 'v>> {
    let entry = |(key, value): (&'t Spanned<_>, &'t Spanned<DeValue<'v>>)| {
        let name: &std::borrow::Cow<'v, str> = key.get_ref();
        Entry { key: name.as_ref(), key_range: unquoted(text, range_of(&key.span())), value }
    };
    table.iter().map(entry).collect()
}

pub(super) fn entries_of<'t, 'v>(text: &str, value: &'t Spanned<DeValue<'v>>) -> Vec<Entry<'t, 'v>> {
    match value.get_ref() {
        DeValue::Table(table) => entries(text, table),
        _ => Vec::new(),
    }
}

/// Adds the strings of a value, at any depth, each with its range without quotes.
pub(super) fn strings<'t>(text: &str, value: &'t Spanned<DeValue<'_>>, found: &mut Vec<(&'t str, Range<u32>)>) {
    match value.get_ref() {
        DeValue::String(string) => found.push((string.as_ref(), unquoted(text, range_of(&value.span())))),
        DeValue::Array(items) => items.iter().for_each(|item| strings(text, item, found)),
        DeValue::Table(table) => table.iter().for_each(|(_, value)| strings(text, value, found)),
        _ => {}
    }
}

fn range_of(span: &Range<usize>) -> Range<u32> {
    span.start as u32..span.end as u32
}
