//! Modules of older versions: resources whose `Type` is `!Rain::Module PATH` or `$alias/PATH` become entries of
//! `Modules`.

use std::collections::{HashMap, HashSet};

use formwork_syntax::{Kind, NodeId};

use super::directives::rename;
use super::document::{Argument, Edits, Rain};

struct Import {
    key: NodeId,
    value: NodeId,
    kind: (NodeId, NodeId),
}

pub(super) fn rewrite(rain: &Rain<'_>) -> String {
    let Some((section, resources)) = rain.section("Resources") else { return rain.text.to_owned() };
    let modules = rain.section("Modules");
    let taken = rain.names("Modules");
    let imports: Vec<Import> = rain
        .tree
        .entries(resources)
        .filter(|entry| !taken.contains(rain.tree.text(entry.key)))
        .filter_map(|entry| Some(Import { key: entry.key, value: entry.value, kind: source(rain, entry.value)? }))
        .collect();
    if imports.is_empty() {
        return rain.text.to_owned();
    }
    let mut edits = Edits::default();
    if modules.is_none() && imports.len() == rain.tree.len(resources) {
        for import in &imports {
            members(rain, import, &mut edits);
        }
        rename(rain, section, "Modules", &mut edits);
        return edits.apply(rain.text);
    }
    if rain.is_flow(resources) || modules.is_some_and(|(_, node)| rain.is_flow(node)) {
        flow(rain, section, resources, &imports, &mut edits);
    } else {
        block(rain, section, resources, &imports, &mut edits);
    }
    edits.apply(rain.text)
}

fn source(rain: &Rain<'_>, resource: NodeId) -> Option<(NodeId, NodeId)> {
    if rain.tree.kind(resource) != Kind::Map {
        return None;
    }
    let kind = rain.tree.entries(resource).find(|entry| rain.tree.text(entry.key) == "Type")?;
    let is_packaged = rain.tree.string(kind.value).is_some_and(|text| text.starts_with('$') && text.contains('/'));
    let is_module = matches!(rain.directive(kind.value), Some(("Module", _)));
    (is_packaged || is_module).then_some((kind.key, kind.value))
}

/// Rewrites the keys of an import: `Type` becomes `Source`, `Map` becomes `ForEach`.
fn members(rain: &Rain<'_>, import: &Import, edits: &mut Edits) {
    let (key, value) = import.kind;
    rename(rain, key, "Source", edits);
    match rain.directive(value) {
        Some((_, Argument::Tagged)) => {
            let range = rain.range(value);
            let behind = rain.text[range.start + "!Rain::Module".len()..range.end].trim_start();
            edits.replace(range.start..range.end - behind.len(), "");
        }
        Some((_, Argument::Long(_, path))) => edits.replace(rain.range(value), rain.written(path)),
        None => {}
    }
    if let Some(map) = rain.tree.entries(import.value).find(|entry| rain.tree.text(entry.key) == "Map") {
        rename(rain, map.key, "ForEach", edits);
        let range = rain.range(import.value);
        for (old, new) in [
            ("$MapIndex", "$Index"),
            ("$MapValue", "$Identifier"),
            ("${MapIndex}", "${Index}"),
            ("${MapValue}", "${Identifier}"),
        ] {
            for (at, _) in rain.text[range.clone()].match_indices(old) {
                edits.replace(range.start + at..range.start + at + old.len(), new);
            }
        }
    }
}

fn edited(rain: &Rain<'_>, import: &Import, from: usize, to: usize) -> String {
    let mut edits = Edits::default();
    members(rain, import, &mut edits);
    edits.replace(0..from, "");
    edits.replace(to..rain.text.len(), "");
    edits.apply(rain.text)
}

/// Moves lines to a section above `Resources`, or to the end of the existing one.
fn block(rain: &Rain<'_>, section: NodeId, resources: NodeId, imports: &[Import], edits: &mut Edits) {
    let column = |key: NodeId| rain.range(key).start - rain.line_start(rain.range(key).start);
    let modules = rain.section("Modules").map(|(_, node)| node);
    let first = modules.filter(|&node| !rain.tree.is_empty(node)).map(|node| rain.tree.entry(node, 0).key);
    let mut moved = String::new();
    for import in imports {
        let (from, to) = lines(rain, section, import);
        let mut text = edited(rain, import, from, to);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        moved += &match first {
            Some(first) => indented(&text, column(import.key), column(first)),
            None => text,
        };
        edits.replace(from..to, "");
    }
    if let Some(modules) = modules {
        let mut end = rain.range(modules).end;
        end = if rain.text[..end].ends_with('\n') { end } else { rain.next_line(end) };
        let gap = if rain.text[..end].ends_with('\n') { "" } else { "\n" };
        edits.replace(end..end, format!("{gap}{}\n", moved.trim_end()));
    } else {
        let at = above_comments(rain, rain.range(section).start);
        edits.replace(at..at, format!("Modules:\n{}\n\n", moved.trim_end()));
    }
    if imports.len() == rain.tree.len(resources) {
        let start = rain.line_start(rain.range(section).start);
        edits.replace(start..rain.next_line(start), "");
    }
}

/// The lines of an import: the comments directly above it, the import, and the empty lines after it.
fn lines(rain: &Rain<'_>, section: NodeId, import: &Import) -> (usize, usize) {
    let key = rain.range(import.key).start;
    let from = above_comments(rain, key).max(rain.next_line(rain.range(section).end));
    let column = key - rain.line_start(key);
    let end = rain.range(import.value).end;
    let mut to = if rain.text[..end].ends_with('\n') { end } else { rain.next_line(end) };
    while to < rain.text.len() {
        let line = &rain.text[to..rain.next_line(to)];
        let content = line.trim();
        let is_own = content.starts_with('#') && line.len() - line.trim_start().len() > column;
        if !content.is_empty() && !is_own {
            break;
        }
        to = rain.next_line(to);
    }
    (from, to)
}

/// The start of the comment lines directly above a key, or of its own line.
fn above_comments(rain: &Rain<'_>, key: usize) -> usize {
    let mut start = rain.line_start(key);
    let column = key - start;
    while start > 0 {
        let above = rain.line_start(start - 1);
        let line = &rain.text[above..start];
        if !line.trim_start().starts_with('#') || line.len() - line.trim_start().len() != column {
            break;
        }
        start = above;
    }
    start
}

fn indented(text: &str, from: usize, to: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let own = line.len() - line.trim_start_matches(' ').len();
        if line.trim().is_empty() {
            out.push_str(line);
        } else {
            out.push_str(&" ".repeat((own + to).saturating_sub(from)));
            out.push_str(&line[own..]);
        }
    }
    out
}

/// Moves entries in braces to a section in braces.
fn flow(rain: &Rain<'_>, section: NodeId, resources: NodeId, imports: &[Import], edits: &mut Edits) {
    let entries: Vec<(NodeId, NodeId)> = rain.tree.entries(resources).map(|entry| (entry.key, entry.value)).collect();
    if !rain.is_flow(resources) || rain.section("Modules").is_some_and(|(_, node)| !rain.is_flow(node)) {
        // Entries in braces beside entries in lines are not moved; a note lists them.
        return;
    }
    let part = |import: &Import| edited(rain, import, rain.range(import.key).start, rain.range(import.value).end);
    let parts: Vec<String> = imports.iter().map(part).collect();
    let places: HashMap<NodeId, usize> = entries.iter().enumerate().map(|(at, (key, _))| (*key, at)).collect();
    let taken: HashSet<NodeId> = imports.iter().map(|import| import.key).collect();
    for import in imports {
        let at = places.get(&import.key).copied().unwrap_or(0);
        let start = rain.range(import.key).start;
        let end = rain.range(import.value).end;
        let is_kept = |(key, _): &(NodeId, NodeId)| !taken.contains(key);
        match entries.get(at + 1) {
            Some((next, _)) => edits.replace(start..rain.range(*next).start, ""),
            None => match entries[..at].iter().rposition(is_kept) {
                // The range between was removed with its comma.
                Some(last) if last + 1 == at => edits.replace(rain.range(entries[last].1).end..end, ""),
                Some(last) => {
                    let comma = rain.range(entries[last].1).end;
                    edits.replace(comma..rain.range(entries[last + 1].0).start, "");
                    edits.replace(start..end, "");
                }
                None => edits.replace(start..end, ""),
            },
        }
    }
    let open = rain.range(resources).start + 1;
    let first = entries.first().map_or(open, |(key, _)| rain.range(*key).start);
    let last = entries.last().map_or(open, |(_, value)| rain.range(*value).end);
    let lead = &rain.text[open..first];
    let close = &rain.text[last..rain.range(resources).end];
    let separator = if lead.is_empty() { ", ".to_owned() } else { format!(",{lead}") };
    if let Some((_, modules)) = rain.section("Modules") {
        let at = rain.range(modules).start + 1;
        let rest = match (rain.tree.is_empty(modules), lead.is_empty()) {
            (true, _) => "",
            (false, true) => ", ",
            (false, false) => ",",
        };
        edits.replace(at..at, format!("{lead}{}{rest}", parts.join(&separator)));
        return;
    }
    let key = rain.range(section).start;
    let quote = if rain.text[key..].starts_with('"') { "\"" } else { "" };
    let body = format!("{quote}Modules{quote}: {{{lead}{}{close}", parts.join(&separator));
    if rain.is_flow(rain.root) {
        let gap = &rain.text[rain.text[..key].trim_end().len()..key];
        let gap = if gap.is_empty() { " " } else { gap };
        edits.replace(key..key, format!("{body},{gap}"));
    } else {
        edits.replace(key..key, format!("{body}\n"));
    }
}
