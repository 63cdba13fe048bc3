//! The common shape of entries, and the items that explain their differences.

use std::fmt::Write as _;
use std::ops::Range;

use formwork::NodeId;
use formwork::query::FileIndex;
use formwork::tree::{Entry, Function, Kind, Known};

pub(super) struct Group {
    pub(super) entries: Vec<Entry>,
    /// The part of the logical IDs before the item.
    pub(super) before: String,
    pub(super) after: String,
    /// Set when the IDs have the items unchanged, not only their alphanumeric characters.
    pub(super) is_plain: bool,
    pub(super) items: Vec<String>,
    pub(super) holes: Vec<Hole>,
}

/// The meaning of a scalar to the function around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A value, in which placeholders have no meaning.
    Value,
    /// A name in `Ref` or `Fn::GetAtt`, or the string of `Fn::Sub`: a loop replaces its placeholders.
    Name,
}

/// A scalar of the first entry that differs in the others.
pub(super) struct Hole {
    pub(super) range: Range<u32>,
    pub(super) role: Role,
    pub(super) before: String,
    pub(super) after: String,
}

struct Shape {
    /// Kinds, keys and functions, in order.
    structure: String,
    leaves: Vec<(String, Range<u32>, Role)>,
}

/// Returns the entries with the shape of the one at `at`, if one list of items explains all differences.
pub(super) fn unify(index: &FileIndex, entries: &[Entry], at: usize) -> Option<Group> {
    let tree = index.tree();
    let own = shape(index, entries.get(at)?.value)?;
    let is_id = |entry: &&Entry| tree.text(entry.key).chars().all(|c| c.is_ascii_alphanumeric());
    let alike = entries.iter().filter(is_id).filter_map(|entry| Some((*entry, shape(index, entry.value)?)));
    let alike: Vec<(Entry, Shape)> = alike.filter(|(_, shape)| shape.structure == own.structure).collect();
    if alike.len() < 2 || alike.len() > 2_000 || own.leaves.len() > 1_000 {
        return None;
    }
    let ids: Vec<&str> = alike.iter().map(|(entry, _)| tree.text(entry.key)).collect();
    let column = |leaf: usize| -> Vec<&str> {
        alike.iter().map(|(_, shape)| shape.leaves.get(leaf).map_or("", |(text, ..)| text.as_str())).collect()
    };
    let columns: Vec<Vec<&str>> = (0..own.leaves.len()).map(column).filter(|column| !is_constant(column)).collect();
    let mut candidates = vec![words(&ids), middles(&ids)];
    for column in &columns {
        candidates.push(column.iter().map(|text| (*text).to_owned()).collect());
        candidates.push(middles(column));
    }
    for items in candidates {
        let is_distinct =
            items.iter().all(|item| !item.is_empty() && items.iter().filter(|other| *other == item).count() == 1);
        if !is_distinct || items.iter().any(|item| item.contains("${") || item.contains('\n') || item.contains(',')) {
            continue;
        }
        let plain: Vec<String> =
            items.iter().map(|item| item.chars().filter(char::is_ascii_alphanumeric).collect()).collect();
        let is_plain = plain == items;
        let Some((before, after)) = around(&ids, &plain) else { continue };
        if let Some(holes) = holes(&alike, &own, &items) {
            let entries = alike.iter().map(|(entry, _)| *entry).collect();
            return Some(Group { entries, before, after, is_plain, items, holes });
        }
    }
    None
}

fn is_constant(column: &[&str]) -> bool {
    column.windows(2).all(|pair| matches!(pair, [a, b] if a == b))
}

/// The leaves that differ, each as the item between constant parts.
fn holes(alike: &[(Entry, Shape)], own: &Shape, items: &[String]) -> Option<Vec<Hole>> {
    let mut found = Vec::new();
    let first = alike.first().map(|(_, shape)| shape)?;
    for leaf in 0..own.leaves.len() {
        let column: Vec<&str> =
            alike.iter().filter_map(|(_, shape)| shape.leaves.get(leaf)).map(|(text, ..)| text.as_str()).collect();
        if is_constant(&column) {
            continue;
        }
        let (before, after) = around(&column, items)?;
        let (_, range, role) = first.leaves.get(leaf)?.clone();
        if role == Role::Value && (before.contains("${") || after.contains("${")) {
            return None;
        }
        found.push(Hole { range, role, before, after });
    }
    (found.len() <= 64).then_some(found)
}

/// The text before and after the items, if it is the same everywhere.
fn around(texts: &[&str], items: &[String]) -> Option<(String, String)> {
    let (first, item) = (texts.first()?, items.first()?);
    let splits = first
        .match_indices(item.as_str())
        .filter_map(|(at, _)| Some((first.get(..at)?, first.get(at + item.len()..)?)));
    let mut splits = splits.filter(|(before, after)| {
        texts.iter().zip(items).all(|(text, item)| {
            text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some_and(|middle| middle == item)
        })
    });
    let (before, after) = splits.next()?;
    let is_simple = |text: &str| !text.contains(['"', '\\', '\'', '\n']);
    (is_simple(before) && is_simple(after)).then(|| (before.to_owned(), after.to_owned()))
}

/// Removes the words with which all names begin and end.
fn words(names: &[&str]) -> Vec<String> {
    let middles = middles(names);
    let (Some(first), Some(middle)) = (names.first(), middles.first()) else { return middles };
    let front = first.find(middle.as_str()).unwrap_or(0);
    let begins_word = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    let is_front = |at: usize| names.iter().all(|name| name.get(at..).is_some_and(begins_word));
    let back = first.len() - front - middle.len();
    let is_back = |length: usize| {
        length == 0 || names.iter().all(|name| name.get(name.len().saturating_sub(length)..).is_some_and(begins_word))
    };
    let front = (0..=front).rev().find(|at| is_front(*at)).unwrap_or(0);
    let back = (0..=back).rev().find(|length| is_back(*length)).unwrap_or(0);
    names.iter().map(|name| name.get(front..name.len() - back).unwrap_or_default().to_owned()).collect()
}

/// Removes the common beginning and end of all strings.
fn middles(texts: &[&str]) -> Vec<String> {
    let Some(first) = texts.first() else { return Vec::new() };
    let shared = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let shared_end = |a: &str, b: &str| a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    let front = texts.iter().map(|text| shared(first, text)).min().unwrap_or(0);
    let rest = |text: &str| text.len().saturating_sub(front);
    let back = texts.iter().map(|text| shared_end(first, text).min(rest(text))).min().unwrap_or(0);
    texts.iter().map(|text| text.get(front..text.len() - back).unwrap_or_default().to_owned()).collect()
}

/// The shape of a value; `None` when it has aliases, anchors or block scalars.
fn shape(index: &FileIndex, root: NodeId) -> Option<Shape> {
    let mut shape = Shape { structure: String::new(), leaves: Vec::new() };
    add(index, root, Role::Value, &mut shape)?;
    Some(shape)
}

fn add(index: &FileIndex, node: NodeId, role: Role, shape: &mut Shape) -> Option<()> {
    let tree = index.tree();
    if tree.is_alias(node) || tree.anchor(node).is_some() {
        return None;
    }
    match tree.kind(node) {
        Kind::List => {
            shape.structure.push('[');
            tree.items(node).iter().try_for_each(|&item| add(index, item, role, shape))?;
            shape.structure.push(']');
        }
        Kind::Map => {
            shape.structure.push('{');
            for entry in tree.entries(node) {
                shape.structure.push_str(tree.text(entry.key));
                shape.structure.push(':');
                add(index, entry.value, Role::Value, shape)?;
            }
            shape.structure.push('}');
        }
        Kind::Call => {
            let (function, argument) = tree.call(node);
            shape.structure.push('!');
            shape.structure.push_str(tree.function_name(function));
            shape.structure.push('(');
            let is_name = matches!(function, Function::Known(Known::Ref | Known::GetAtt | Known::Sub));
            add(index, argument, if is_name { Role::Name } else { Role::Value }, shape)?;
            shape.structure.push(')');
        }
        _ => {
            let range = index.range_of(tree.span(node));
            let source = index.text().get(range.start as usize..range.end as usize)?;
            let length = source.trim_end().len() as u32;
            let _ = write!(shape.structure, "{:?};", tree.kind(node));
            shape.leaves.push((tree.text(node).to_owned(), range.start..range.start + length, role));
        }
    }
    Some(())
}
