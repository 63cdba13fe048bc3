//! Links to the files and URLs in a document.

use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::{Function, Kind, Known};
use formwork::{NodeId, VirtualPath};

use crate::Ide;

/// The target of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// A file that exists.
    File(VirtualPath),
    /// A URL as written.
    Address(String),
}

/// A path or URL in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The range without quotes.
    pub range: Range<u32>,
    /// The target.
    pub target: LinkTarget,
}

/// The properties whose strings are paths of files, besides the sources of imports.
const PATHS: [&str; 13] = [
    "Location",
    "TemplateURL",
    "CodeUri",
    "ContentUri",
    "DefinitionUri",
    "SchemaUri",
    "DefinitionS3Location",
    "DefinitionSubstitutions",
    "BodyS3Location",
    "Code",
    "SourceBundle",
    "ScriptLocation",
    "TemplateFile",
];

/// Returns the links of a file, by position: local files that exist, and URLs.
pub fn links(ide: &Ide<'_>, file: &VirtualPath) -> Vec<Link> {
    let Some(index) = ide.file(file) else { return Vec::new() };
    let mut links = addresses(index.text());
    for import in ide.project().imports(file) {
        let (Some(source), Some(target)) = (import.source, import.file) else { continue };
        let exists = ide.snapshot().source(&target).is_ok();
        let range = written_after(index.text(), import.declared.start, &source).filter(|_| exists);
        links.extend(range.map(|range| Link { range, target: LinkTarget::File(target) }));
    }
    if let Some(root) = index.root() {
        paths(ide, index, root, false, &mut links);
    }
    links.sort_by_key(|link| (link.range.start, link.range.end));
    links.dedup_by(|a, b| a.range == b.range);
    links
}

/// The first occurrence of `part` after an offset.
fn written_after(text: &str, offset: u32, part: &str) -> Option<Range<u32>> {
    let at = offset + text.get(offset as usize..)?.find(part)? as u32;
    Some(at..at + part.len() as u32)
}

fn paths(ide: &Ide<'_>, index: &FileIndex, node: NodeId, is_path: bool, links: &mut Vec<Link>) {
    let tree = index.tree();
    if tree.is_alias(node) {
        return;
    }
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().for_each(|&item| paths(ide, index, item, false, links)),
        Kind::Map => {
            for entry in tree.entries(node) {
                paths(ide, index, entry.value, PATHS.contains(&tree.text(entry.key)), links);
            }
        }
        Kind::Call => {
            let (function, argument) = tree.call(node);
            paths(ide, index, argument, function == Function::Known(Known::InsertFile), links);
        }
        Kind::String if is_path => {
            let text = tree.text(node);
            let is_local = !text.is_empty() && !text.contains("://") && !text.contains("${");
            let target = index.path().sibling(text);
            let span = index.range_of(tree.span(node));
            if is_local && ide.snapshot().source(&target).is_ok() {
                let range = written_after(index.text(), span.start, text);
                links.extend(range.map(|range| Link { range, target: LinkTarget::File(target) }));
            }
        }
        _ => {}
    }
}

/// The URLs in a text, without punctuation that ends a sentence.
fn addresses(text: &str) -> Vec<Link> {
    let found = text.match_indices("https://").filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let is_end =
            |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | ')' | ']' | '}' | '{' | ',');
        let address = rest.get(..rest.find(is_end).unwrap_or(rest.len()))?.trim_end_matches(['.', ':', ';', '!', '?']);
        let is_whole = address.len() > "https://".len() && !address.ends_with('$');
        let range = at as u32..(at + address.len()) as u32;
        is_whole.then(|| Link { range, target: LinkTarget::Address(address.to_owned()) })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_in_front_of_punctuation() {
        let links = addresses("# see https://example.com/a, https://b.org.\nx: 'https://${A}/'\n");
        let shown: Vec<LinkTarget> = links.into_iter().map(|link| link.target).collect();
        assert_eq!(
            shown,
            ["https://example.com/a", "https://b.org"].map(|address| LinkTarget::Address(address.to_owned()))
        );
    }
}
