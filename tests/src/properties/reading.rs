//! Readers accept any file, and return a tree whose places are in it.
//!
//! Holds reference/reading.md#encoding.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_syntax::Tree;

use super::Verdict;

/// The law for any text, read as the file of this name.
///
/// # Errors
/// In words.
pub fn reading(name: &str, text: &str) -> Verdict {
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let Some(file) = sources.add(VirtualPath::new(name), text) else { return Ok(()) };
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    let whole = sources.span(file);
    let mut pending = vec![document.root];
    let mut seen = 0;
    while let Some(node) = pending.pop() {
        seen += 1;
        // Aliases share what they stand for: enough was seen.
        if seen > 100_000 {
            break;
        }
        let span = tree.span(node);
        if !span.is_none() && !whole.contains(span) {
            return Err(format!("{span:?} lies outside of the text\n{text}"));
        }
        pending.extend(tree.items(node));
        pending.extend(tree.entries(node).flat_map(|entry| [entry.key, entry.value]));
        if tree.kind(node) == formwork_syntax::Kind::Call {
            pending.push(tree.call(node).1);
        }
    }
    if !document.is_well_formed && !diagnostics.has_errors() {
        return Err(format!("unsound, and nothing was reported\n{text}"));
    }
    Ok(())
}
