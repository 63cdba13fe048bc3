//! Selection ranges, which grow step by step.

use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::Kind;
use formwork::{NodeId, VirtualPath};

use crate::Ide;

/// Returns the ranges around an offset, innermost first: the name in a placeholder, the placeholder, the scalar, the
/// entry, the collection and so on, up to the whole file. Each contains the one before it and is larger.
pub fn selection(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Vec<Range<u32>> {
    let Some(index) = ide.file(file) else { return Vec::new() };
    let whole = 0..index.text().len() as u32;
    let mut ranges = vec![whole];
    if let Some(root) = index.root() {
        descend(index, root, offset, &mut ranges);
    }
    if let Some(last) = ranges.last().cloned() {
        ranges.extend(placeholder(index.text(), &last, offset).into_iter().flatten());
    }
    let mut nested: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        let fits = nested.last().is_none_or(|outer| {
            outer.start <= range.start && range.end <= outer.end && *outer != range && range.start <= offset
        });
        if fits && offset <= range.end {
            nested.push(range);
        }
    }
    nested.reverse();
    nested
}

fn descend(index: &FileIndex, node: NodeId, offset: u32, ranges: &mut Vec<Range<u32>>) {
    let tree = index.tree();
    let own = index.range_of(tree.site(node));
    if !(own.start..=own.end).contains(&offset) {
        return;
    }
    ranges.push(own);
    let touches = |range: &Range<u32>| range.start <= offset && offset <= range.end;
    match tree.kind(node) {
        _ if tree.is_alias(node) => {}
        Kind::List => {
            let around = tree.items(node).iter().find(|&&item| touches(&index.range_of(tree.site(item))));
            if let Some(&item) = around {
                descend(index, item, offset, ranges);
            }
        }
        Kind::Map => {
            for entry in tree.entries(node) {
                let key = index.range_of(tree.span(entry.key));
                let value = index.range_of(tree.site(entry.value));
                let entire = key.start..value.end.max(key.end);
                if !touches(&entire) {
                    continue;
                }
                ranges.push(entire);
                if touches(&key) {
                    ranges.push(key);
                } else {
                    descend(index, entry.value, offset, ranges);
                }
                return;
            }
        }
        Kind::Call => descend(index, tree.call(node).1, offset, ranges),
        _ => {}
    }
}

fn placeholder(text: &str, scalar: &Range<u32>, offset: u32) -> Option<[Range<u32>; 2]> {
    let source = text.get(scalar.start as usize..scalar.end as usize)?;
    let at = (offset - scalar.start) as usize;
    let open =
        source.get(..at)?.rfind('{').filter(|open| source.get(..*open).is_some_and(|s| s.ends_with(['$', '&'])))?;
    let inner = source.get(open + 1..)?;
    let close = inner.find('}')?;
    let (start, end) = (scalar.start + open as u32, scalar.start + (open + 1 + close) as u32);
    (offset <= end).then(|| [start - 1..end + 1, start + 1..end])
}
