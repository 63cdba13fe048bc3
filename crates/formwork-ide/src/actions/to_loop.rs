//! Converts repetitive entries to a loop.

mod unify;

use formwork::query::FileIndex;
use formwork::tree::{Entry, Kind};

use self::unify::{Group, Role, unify};
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same_but_order;
use crate::{Edit, apply};

const FEWEST: usize = 3;

/// Replaces the entries of a section that have the shape of the one at the place by a loop.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let index = spot.ide.file(spot.file)?;
    let (tree, root) = (index.tree(), index.root()?);
    let mut sections = tree.entries(root).filter(|section| {
        matches!(tree.text(section.key), "Resources" | "Outputs" | "Conditions")
            && tree.kind(section.value) == Kind::Map
    });
    // At the key of an entry, or with the selection in it.
    let is_here = |entry: &Entry| spot.touches(&index.range_of(tree.span(entry.key)));
    let (section, at) = sections.find_map(|section| {
        let at = tree.entries(section.value).position(|entry| is_here(&entry))?;
        Some((section, at))
    })?;
    let entries: Vec<Entry> = tree.entries(section.value).collect();
    if entries.len() < FEWEST {
        return None;
    }
    let group = unify(index, &entries, at).filter(|group| group.entries.len() >= FEWEST)?;
    let variable = unused_variable(spot, index.text());
    let name = loop_name(spot, &group);
    let mut edits = if spot.is_json() {
        in_json(index, &group, &name, &variable)?
    } else {
        in_yaml(index, &group, &name, &variable)?
    };
    edits.extend(transform(index, spot.is_json())?);
    let count = group.entries.len();
    let action = spot.action(format!("write {count} entries as loop {name}"), ActionKind::Rewrite, edits);
    is_same_but_order(&spot.before, &action.edits).then_some(action)
}

fn unused_variable(spot: &Spot<'_, '_>, text: &str) -> String {
    let occurrences = spot.ide.project().occurrences(spot.file);
    let is_declared = |name: &str| occurrences.iter().any(|one| spot.ide.text_of(&one.range) == name);
    let is_free = |name: &String| {
        !is_declared(name) && !text.contains(&format!("${{{name}")) && !text.contains(&format!("&{{{name}"))
    };
    let names = ["Name", "Item", "Key"]
        .map(str::to_owned)
        .into_iter()
        .chain((2_u32..100).map(|number| format!("Item{number}")));
    names.into_iter().find(is_free).unwrap_or_else(|| "LoopItem".to_owned())
}

/// A name for the loop: the common part of all IDs, in the plural.
fn loop_name(spot: &Spot<'_, '_>, group: &Group) -> String {
    let common = format!("{}{}", group.before, group.after);
    let base = if common.is_empty() { "Loop".to_owned() } else { format!("{common}s") };
    let loops = spot.ide.project().loops(spot.file);
    let is_free = |name: &String| !loops.iter().any(|one| one.name.as_deref() == Some(name));
    std::iter::once(base.clone())
        .chain((2_u32..100).map(|number| format!("{base}{number}")))
        .find(is_free)
        .unwrap_or(base)
}

fn end_of(index: &FileIndex, entry: Entry) -> Option<usize> {
    let (start, end) = range_of(index, entry);
    Some(start + index.text().get(start..end)?.trim_end().len())
}

fn range_of(index: &FileIndex, entry: Entry) -> (usize, usize) {
    let tree = index.tree();
    let (start, end) = (index.range_of(tree.span(entry.key)).start, index.range_of(tree.site(entry.value)).end);
    (start as usize, end as usize)
}

/// The first entry with the variable in its holes.
fn body(index: &FileIndex, group: &Group, variable: &str, is_json: bool) -> Option<String> {
    let first = group.entries.first()?;
    let (start, end) = (range_of(index, *first).0, end_of(index, *first)?);
    let sign = if group.is_plain { '$' } else { '&' };
    let key = index.range_of(index.tree().span(first.key));
    let quote = if index.text().get(key.start as usize..)?.starts_with('"') { "\"" } else { "" };
    let id = format!("{quote}{}{sign}{{{variable}}}{}{quote}", group.before, group.after);
    let mut edits = vec![Edit::new(0, key.end - key.start, id)];
    for hole in &group.holes {
        let source = index.text().get(hole.range.start as usize..hole.range.end as usize)?;
        let text = format!("{}${{{variable}}}{}", hole.before, hole.after);
        let string = match source.chars().next() {
            Some(quote @ ('"' | '\'')) => format!("{quote}{text}{quote}"),
            _ => format!("\"{text}\""),
        };
        let is_whole = hole.before.is_empty() && hole.after.is_empty();
        let text = match (hole.role, is_whole, is_json) {
            (Role::Name, ..) => string,
            (Role::Value, true, false) => format!("!Ref {variable}"),
            (Role::Value, true, true) => format!("{{\"Ref\": \"{variable}\"}}"),
            (Role::Value, false, false) => format!("!Sub {string}"),
            (Role::Value, false, true) => format!("{{\"Fn::Sub\": {string}}}"),
        };
        edits.push(Edit::new(hole.range.start - start as u32, hole.range.end - start as u32, text));
    }
    edits.sort();
    Some(apply(index.text().get(start..end)?, &edits))
}

/// Returns `true` if only the entry is on its lines, and no comment is above or in it, which would be lost.
fn has_own_lines(index: &FileIndex, entry: Entry, is_first: bool) -> Option<bool> {
    let text = index.text();
    let (start, end) = (range_of(index, entry).0, end_of(index, entry)?);
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let behind = text.get(end..)?.lines().next().unwrap_or_default();
    let above = text.get(..line)?.lines().next_back().unwrap_or_default().trim_start();
    let has_comment =
        text.get(start..end)?.lines().any(|line| line.trim_start().starts_with('#') || line.contains(" #"));
    let is_alone = text.get(line..start)?.trim().is_empty() && behind.trim().is_empty();
    Some(is_alone && (is_first || !has_comment && !above.starts_with('#')))
}

fn in_yaml(index: &FileIndex, group: &Group, name: &str, variable: &str) -> Option<Vec<Edit>> {
    let text = index.text();
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut edits = Vec::new();
    for (number, entry) in group.entries.iter().enumerate() {
        if !has_own_lines(index, *entry, number == 0)? {
            return None;
        }
        let (start, end) = (range_of(index, *entry).0, end_of(index, *entry)?);
        let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        if number > 0 {
            let rest = text.get(end..)?;
            let until = end + rest.find('\n').map_or(rest.len(), |at| at + 1);
            // The empty line in front of it is removed, too.
            let above = text.get(..line)?;
            let empty = above.split_inclusive('\n').next_back().filter(|line| line.trim().is_empty());
            let line = line - empty.map_or(0, str::len);
            edits.push(Edit::new(line as u32, until as u32, ""));
            continue;
        }
        let indent = text.get(line..start)?;
        let items: Vec<String> = group.items.iter().map(|item| scalar(item)).collect();
        let mut lines = body(index, group, variable, false)?.lines().map(str::to_owned).collect::<Vec<_>>().into_iter();
        let key = lines.next()?;
        let mut made = format!(
            "Fn::ForEach::{name}:{line_break}{indent}  - {variable}{line_break}{indent}  - [{}]{line_break}{indent}  - {key}",
            items.join(", ")
        );
        for line in lines {
            made.push_str(line_break);
            if !line.trim().is_empty() {
                made.push_str("    ");
                made.push_str(&line);
            }
        }
        edits.push(Edit::new(start as u32, end as u32, made));
    }
    Some(edits)
}

fn scalar(item: &str) -> String {
    let is_word = item.starts_with(|c: char| c.is_ascii_alphabetic())
        && item.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'))
        && !matches!(
            item.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n"
        );
    if is_word { item.to_owned() } else { super::join::quoted(item) }
}

fn in_json(index: &FileIndex, group: &Group, name: &str, variable: &str) -> Option<Vec<Edit>> {
    let text = index.text();
    let mut edits = Vec::new();
    for (number, entry) in group.entries.iter().enumerate() {
        let (start, end) = (range_of(index, *entry).0, end_of(index, *entry)?);
        if number > 0 {
            // Another entry is in front of it: its comma is removed.
            let before = text.get(..start)?.trim_end().strip_suffix(',')?;
            edits.push(Edit::new(before.len() as u32, end as u32, ""));
            continue;
        }
        let items: Vec<String> = group.items.iter().map(|item| super::join::quoted(item)).collect();
        let body = body(index, group, variable, true)?;
        let made = format!("\"Fn::ForEach::{name}\": [\"{variable}\", [{}], {{{body}}}]", items.join(", "));
        edits.push(Edit::new(start as u32, end as u32, made));
    }
    Some(edits)
}

/// The edit that declares the language extensions, if no transform is declared. `None` when others are.
fn transform(index: &FileIndex, is_json: bool) -> Option<Vec<Edit>> {
    let (tree, root) = (index.tree(), index.root()?);
    if let Some(known) = tree.get_text(root, "Transform") {
        let names: Vec<&str> = if tree.kind(known) == Kind::List {
            tree.items(known).iter().map(|&item| tree.text_form(item)).collect()
        } else {
            vec![tree.text_form(known)]
        };
        return names.contains(&"AWS::LanguageExtensions").then(Vec::new);
    }
    let first = tree
        .entries(root)
        .find(|entry| matches!(tree.text(entry.key), "Parameters" | "Mappings" | "Conditions" | "Resources"))?;
    let start = index.range_of(tree.span(first.key)).start;
    let line_break = if index.text().contains("\r\n") { "\r\n" } else { "\n" };
    let line = index.text().get(..start as usize)?.rsplit('\n').next()?;
    let text = match (is_json, line.trim().is_empty()) {
        (true, true) => format!("\"Transform\": \"AWS::LanguageExtensions\",{line_break}{line}"),
        (true, false) => "\"Transform\": \"AWS::LanguageExtensions\", ".to_owned(),
        (false, _) if line.is_empty() => format!("Transform: AWS::LanguageExtensions{line_break}"),
        (false, _) => return None,
    };
    Some(vec![Edit::insert(start, text)])
}
