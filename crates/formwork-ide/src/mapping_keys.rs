//! Keys of `Mappings`, which the query layer does not index.

use std::ops::Range;

use formwork::query::{FileIndex, SymbolUse};
use formwork::tree::{Kind, Known};
use formwork::{FileRange, NodeId, VirtualPath};

use crate::Ide;
use crate::markdown::{code, span, words};
use crate::visit::visit;

/// A key of a mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MappingKey {
    /// The name of the mapping.
    pub mapping: String,
    /// `true` for a key of the second level.
    pub is_second: bool,
    /// The key.
    pub name: String,
    /// The range of the key under the cursor, without quotes.
    pub range: Range<u32>,
}

/// Returns the key of a mapping that is declared or looked up at an offset.
pub fn mapping_key_at(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Option<MappingKey> {
    let mut found = None;
    each(ide.file(file)?, &mut |key, _| {
        if key.range.start <= offset && offset <= key.range.end {
            found = Some(key);
        }
    });
    found
}

/// Returns every place of the file that declares or looks up a key, by position.
pub fn places(ide: &Ide<'_>, file: &VirtualPath, wanted: &MappingKey) -> Vec<SymbolUse> {
    let mut found = Vec::new();
    let Some(index) = ide.file(file) else { return found };
    each(index, &mut |key, is_declaration| {
        if key.mapping == wanted.mapping && key.is_second == wanted.is_second && key.name == wanted.name {
            let range = FileRange::new(file.clone(), key.range.start, key.range.end);
            found.push(SymbolUse::new(range, is_declaration));
        }
    });
    found.sort();
    found.dedup();
    found
}

/// Returns the explanation of a key, as Markdown.
pub fn describe(ide: &Ide<'_>, file: &VirtualPath, key: &MappingKey) -> String {
    let level = if key.is_second { "second-level key" } else { "first-level key" };
    let mut parts = vec![code(&format!("({level} of mapping {}) {}", key.mapping, key.name))];
    let Some((index, root)) = ide.file(file).and_then(|index| Some((index, index.root()?))) else {
        return parts.concat();
    };
    let tree = index.tree();
    let mapping = tree.get_text(root, "Mappings").and_then(|section| tree.get_text(section, &key.mapping));
    let value = |node: NodeId| if tree.is_scalar(node) { span(tree.text(node)) } else { "a list".to_owned() };
    let lines: Vec<String> = match mapping {
        Some(mapping) if key.is_second => {
            let of_row = |row: formwork::tree::Entry| {
                let own = tree.get_text(row.value, &key.name)?;
                Some(format!("- {}: {}", words(tree.text(row.key)), value(own)))
            };
            tree.entries(mapping).filter_map(of_row).collect()
        }
        Some(mapping) => {
            let row = tree.get_text(mapping, &key.name);
            let entries = row.map(|row| tree.entries(row));
            entries
                .into_iter()
                .flatten()
                .map(|entry| format!("- {}: {}", words(tree.text(entry.key)), value(entry.value)))
                .collect()
        }
        None => Vec::new(),
    };
    if !lines.is_empty() {
        parts.push(crate::hints::first_of(&lines));
    }
    parts.join("\n\n")
}

/// Calls `look` for every key that is declared or looked up literally.
fn each(index: &FileIndex, look: &mut dyn FnMut(MappingKey, bool)) {
    let (tree, Some(root)) = (index.tree(), index.root()) else { return };
    let key = |mapping: &str, is_second: bool, node: NodeId| {
        let range = index.range_of(tree.span(node));
        let source = index.text().get(range.start as usize..range.end as usize).unwrap_or_default();
        let start = range.start + u32::from(source.starts_with(['"', '\'']));
        let name = tree.text(node).to_owned();
        let range = start..start + name.len() as u32;
        // The source of a key with an escape differs from its value.
        let is_plain = index.text().get(range.start as usize..range.end as usize) == Some(name.as_str());
        is_plain.then(|| MappingKey { mapping: mapping.to_owned(), is_second, name, range })
    };
    if let Some(section) = tree.get_text(root, "Mappings").filter(|&section| tree.kind(section) == Kind::Map) {
        for mapping in tree.entries(section).filter(|entry| tree.kind(entry.value) == Kind::Map) {
            let name = tree.text(mapping.key);
            if name.starts_with("Fn::") || tree.is_alias(mapping.value) {
                continue;
            }
            for row in tree.entries(mapping.value) {
                if let Some(key) = key(name, false, row.key) {
                    look(key, true);
                }
                if tree.kind(row.value) == Kind::Map && !tree.is_alias(row.value) {
                    let entries = tree.entries(row.value).filter_map(|entry| key(name, true, entry.key));
                    entries.for_each(|key| look(key, true));
                }
            }
        }
    }
    visit(tree, root, &mut |visited| {
        let Some(argument) = tree.argument_of(visited.node, Known::FindInMap) else { return };
        if tree.kind(argument) != Kind::List || tree.is_alias(visited.node) {
            return;
        }
        if let &[mapping, first, second, ..] = tree.items(argument)
            && let Some(name) = tree.string(mapping)
        {
            for (node, is_second) in [(first, false), (second, true)] {
                if tree.is_scalar(node)
                    && tree.kind(node) != Kind::Call
                    && let Some(key) = key(name, is_second, node)
                {
                    look(key, false);
                }
            }
        }
    });
}
