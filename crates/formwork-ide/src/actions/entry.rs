//! Adds and removes entries of sections.

use formwork::query::FileIndex;
use formwork::tree::Kind;

use crate::Edit;

/// Inserts an entry into a section, in front of its others; a missing section is added. `yaml` are the lines of the
/// value, one step to the right of its key; `json` is the value on one line.
pub(super) fn insert(index: &FileIndex, section: &str, name: &str, yaml: &[&str], json: &str) -> Option<Edit> {
    let (tree, root) = (index.tree(), index.root()?);
    let text = index.text();
    let is_json = text.trim_start().starts_with('{');
    let existing = tree.get_text(root, section).filter(|&members| tree.kind(members) == Kind::Map);
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if let Some(first) = existing.and_then(|members| tree.entries(members).next()) {
        let start = index.range_of(tree.span(first.key)).start;
        let before = text.get(..start as usize)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_block = !is_json && line.trim_matches(' ').is_empty();
        if !is_block {
            let key = if is_json { format!("\"{name}\"") } else { name.to_owned() };
            let gap =
                if line.trim_matches([' ', '\t']).is_empty() { format!("{line_break}{line}") } else { " ".to_owned() };
            return Some(Edit::insert(start, format!("{key}: {json},{gap}")));
        }
        let step = if line.is_empty() { "  " } else { line };
        let value = lines(yaml, &format!("{line}{step}"), line_break);
        return Some(Edit::insert(start, format!("{name}:{line_break}{value}{line}")));
    }
    if existing.is_some() {
        return None;
    }
    let resources = tree.entries(root).find(|entry| tree.text(entry.key) == "Resources")?;
    let start = index.range_of(tree.span(resources.key)).start;
    let line = text.get(..start as usize)?.rsplit('\n').next().unwrap_or_default();
    if is_json {
        let gap =
            if line.trim_matches([' ', '\t']).is_empty() { format!("{line_break}{line}") } else { " ".to_owned() };
        return Some(Edit::insert(start, format!("\"{section}\": {{\"{name}\": {json}}},{gap}")));
    }
    if !line.is_empty() {
        return None;
    }
    let value = lines(yaml, "    ", line_break);
    Some(Edit::insert(start, format!("{section}:{line_break}  {name}:{line_break}{value}")))
}

fn lines(parts: &[&str], before: &str, line_break: &str) -> String {
    parts.iter().fold(String::new(), |text, part| text + before + part + line_break)
}

/// Inserts an entry whose value is on one line: `value` in block style, `json` in brackets.
pub(super) fn insert_value(index: &FileIndex, section: &str, name: &str, value: &str, json: &str) -> Option<Edit> {
    let mut edit = insert(index, section, name, &[], json)?;
    for line_break in ["\r\n", "\n"] {
        let alone = format!("{name}:{line_break}");
        if edit.text.contains(&alone) {
            edit.text = edit.text.replacen(&alone, &format!("{name}: {value}{line_break}"), 1);
            break;
        }
    }
    Some(edit)
}

/// Appends entries to a section; a missing section is added at the end. `entries` are in source form, the first line of
/// each without its indentation.
pub(super) fn append(index: &FileIndex, section: &str, entries: &[String]) -> Option<Edit> {
    let (tree, root, text) = (index.tree(), index.root()?, index.text());
    let is_json = text.trim_start().starts_with('{');
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let end_of = |node: formwork::NodeId, start: u32| {
        let end = index.range_of(tree.site(node)).end as usize;
        Some(start as usize + text.get(start as usize..end)?.trim_end().len())
    };
    let existing = tree.get_text(root, section).filter(|&members| tree.kind(members) == Kind::Map);
    if let Some(last) = existing.and_then(|members| tree.entries(members).last()) {
        let start = index.range_of(tree.span(last.key)).start;
        let line = text.get(..start as usize)?.rsplit('\n').next()?;
        let is_own_line = line.trim().is_empty();
        if !is_json && !is_own_line {
            return None;
        }
        let gap = if is_own_line { format!("{line_break}{line}") } else { " ".to_owned() };
        let comma = if is_json { "," } else { "" };
        let added: Vec<String> = entries.iter().map(|entry| format!("{comma}{gap}{entry}")).collect();
        return Some(Edit::insert(end_of(last.value, start)? as u32, added.concat()));
    }
    if existing.is_some() {
        return None;
    }
    let last = tree.entries(root).last()?;
    let at = end_of(last.value, index.range_of(tree.span(last.key)).start)? as u32;
    if is_json {
        let entries = entries.join(", ");
        return Some(Edit::insert(at, format!(",{line_break}  \"{section}\": {{{entries}}}")));
    }
    let added: Vec<String> = entries.iter().map(|entry| format!("{line_break}  {entry}")).collect();
    Some(Edit::insert(at, format!("{line_break}{section}:{}", added.concat())))
}

/// Removes an entry with its line, or with its comma, and an empty section with its last entry.
pub(super) fn remove(index: &FileIndex, section: &str, name: &str) -> Option<Edit> {
    let (tree, root, text) = (index.tree(), index.root()?, index.text());
    let of_section = tree.entries(root).find(|entry| tree.text(entry.key) == section)?;
    let own = tree.entries(of_section.value).find(|entry| tree.text(entry.key) == name)?;
    let is_last = tree.len(of_section.value) == 1;
    let key = if is_last { of_section.key } else { own.key };
    let range = index.range_of(tree.span(key)).start..index.range_of(tree.site(own.value)).end;
    super::inline_parameter::removal(text, is_last, &range)
}
