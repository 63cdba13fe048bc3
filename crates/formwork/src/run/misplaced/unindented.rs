//! Bodies in the column of their key.

use formwork_base::SourceMap;
use formwork_syntax::{Entry, Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::{Section, attribute};

use super::member::{is_member, is_parameter_type};
use super::{Found, Misplaced, Owner, block_entries, body, column, is_written, span_of, with_entries};

const SECTIONS: [Section; 5] =
    [Section::Parameters, Section::Mappings, Section::Conditions, Section::Resources, Section::Outputs];

/// Puts declarations in the column of their empty section into it.
pub(super) fn of_sections(tree: &mut Tree, sources: &SourceMap, root: NodeId, found: &mut Vec<Misplaced>) -> NodeId {
    let entries = block_entries(tree, root);
    let bodies = |tree: &Tree, at: usize| {
        let section = Section::from_symbol(tree.symbol(entries[at].key)).filter(|one| SECTIONS.contains(one))?;
        let is_of_section = |entry: &&Entry| {
            Section::from_symbol(tree.symbol(entry.key)).is_none()
                && (is_member(tree, section, entry.value) || tree.loop_name(entry.key).is_some())
        };
        Some(entries[at + 1..].iter().take_while(is_of_section).count())
    };
    put(tree, sources, (root, &entries), found, Owner::Section, &bodies)
}

/// Puts attributes in the column of their empty resource, parameter or output into it.
pub(super) fn of_members(tree: &mut Tree, sources: &SourceMap, root: NodeId, found: &mut Vec<Misplaced>) -> NodeId {
    let mut all = block_entries(tree, root);
    let mut has_changed = false;
    for entry in &mut all {
        let (owner, names): (Owner, &[Symbol]) = match Section::from_symbol(tree.symbol(entry.key)) {
            Some(Section::Resources) => (Owner::Resource, &attribute::RESOURCE),
            Some(Section::Parameters) => (Owner::Parameter, &attribute::PARAMETER),
            Some(Section::Outputs) => (Owner::Output, &attribute::OUTPUT),
            _ => continue,
        };
        let members = with_lost(tree, entry.value);
        let bodies = |tree: &Tree, at: usize| {
            let rest = &members[at + 1..];
            let count = rest.iter().take_while(|entry| names.contains(&tree.symbol(entry.key))).count();
            rest[..count].iter().any(|&entry| is_sign(tree, owner, entry)).then_some(count)
        };
        let new = put(tree, sources, (entry.value, &members), found, owner, &bodies);
        has_changed |= new != entry.value;
        entry.value = new;
    }
    if has_changed { with_entries(tree, root, &all) } else { root }
}

/// Returns the entries of a section with those that later ones of the same name replace: attributes of two declarations
/// that are not indented.
fn with_lost(tree: &Tree, section: NodeId) -> Vec<Entry> {
    let mut entries = block_entries(tree, section);
    let lost: Vec<Entry> = tree.lost_of(section).collect();
    if !entries.is_empty() && !lost.is_empty() {
        entries.extend(lost);
        entries.sort_by_key(|entry| tree.span(entry.key).start());
    }
    entries
}

/// Returns `true` for an attribute that no declaration of the section can be.
fn is_sign(tree: &Tree, owner: Owner, entry: Entry) -> bool {
    let (name, text) = (tree.symbol(entry.key), tree.string(entry.value));
    match owner {
        Owner::Resource => name == symbol::TYPE && text.is_some_and(attribute::is_type_name),
        Owner::Parameter => name == symbol::TYPE && text.is_some_and(is_parameter_type),
        Owner::Output => name == symbol::VALUE && tree.kind(entry.value) != Kind::Map,
        Owner::Section => false,
    }
}

/// Puts entries behind an empty one into it: as many as `bodies` returns for its number.
fn put(
    tree: &mut Tree,
    sources: &SourceMap,
    (map, entries): (NodeId, &[Entry]),
    found: &mut Vec<Misplaced>,
    owner: Owner,
    bodies: &dyn Fn(&Tree, usize) -> Option<usize>,
) -> NodeId {
    let mut kept = Vec::with_capacity(entries.len());
    let mut at = 0;
    let mut has_changed = false;
    while let Some(&entry) = entries.get(at) {
        at += 1;
        let is_empty = tree.kind(entry.value) == Kind::Null && is_written(tree, entry.key);
        let count = if is_empty { bodies(tree, at - 1).unwrap_or_default() } else { 0 };
        let Some(part) = entries.get(at..at + count).filter(|part| !part.is_empty()) else {
            kept.push(entry);
            continue;
        };
        let [own, other] = [entry.key, part[0].key].map(|key| column(sources, tree, key));
        if own.is_none() || own != other {
            kept.push(entry);
            continue;
        }
        found.push(Misplaced { key: entry.key, lines: span_of(tree, part), kind: Found::Unindented(owner), by: 2 });
        let value = body(tree, part);
        kept.push(Entry { value, ..entry });
        (at, has_changed) = (at + count, true);
    }
    if has_changed { with_entries(tree, map, &kept) } else { map }
}
