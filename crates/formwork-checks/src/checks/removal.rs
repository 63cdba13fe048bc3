//! The range of a file that is removed with an entry of an object or an element of a list.

use formwork_base::{SourceMap, Span};
use formwork_syntax::{Entry, Kind, Style, Tree};

/// Returns the range to remove for an entry or element, from the start of its key or value up to its end: its lines in
/// block style, its comma in flow style. `None` if other content is in between.
pub(super) fn of_member(sources: &SourceMap, member: Span, is_flow: bool) -> Option<Span> {
    let file = sources.file_of(member)?;
    let (text, base) = (sources.text(file), sources.base(file));
    let (start, end) = ((member.start() - base) as usize, (member.end() - base) as usize);
    // Comments, anchors and aliases would be removed with it.
    if text.get(start..end)?.contains(['#', '&', '*']) {
        return None;
    }
    let (from, to) = if is_flow { in_flow(text, start, end)? } else { in_block(text, start, end)? };
    Some(Span::new(base + from as u32, base + to as u32))
}

/// Returns the range to remove for the name at `place` in a `DependsOn`. A list of one is removed with its key.
pub(super) fn of_dependency(tree: &Tree, sources: &SourceMap, depends_on: Entry, place: Span) -> Option<Span> {
    let value = tree.authored(depends_on.value);
    let is_only = tree.kind(value) != Kind::List || tree.len(value) == 1;
    if !is_only {
        return of_member(sources, place, tree.style(value) == Style::Flow);
    }
    let key = tree.span(depends_on.key);
    let file = sources.file_of(key)?;
    let text = &sources.text(file)[..(key.start() - sources.base(file)) as usize];
    // An entry of an object in flow style follows a brace or a comma.
    of_member(sources, key.join(tree.span(value)), text.trim_end().ends_with(['{', ',']))
}

fn in_block(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let rest = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let before = text[line..start].trim_matches([' ', '-']);
    let is_item = text[line..start].matches('-').count() <= 1;
    (before.is_empty() && is_item && text[end..rest].trim().is_empty()).then_some((line, rest))
}

fn in_flow(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let after = text[end..].trim_start();
    if let Some(rest) = after.strip_prefix(',') {
        let rest = rest.trim_start();
        return (!rest.starts_with('#')).then_some((start, text.len() - rest.len()));
    }
    let before = text[..start].trim_end();
    before.strip_suffix(',').map(|before| (before.len(), end))
}
