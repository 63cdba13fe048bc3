//! Sections and resources inside of others.

use formwork_base::SourceMap;
use formwork_base::display::shown;
use formwork_syntax::{Entry, Kind, NodeId, Style, Tree, symbol};
use formwork_template::{Section, attribute};

use super::member::{is_member, is_resource};
use super::{Found, Misplaced, block_entries, column, has_section, is_written, sections, span_of, with_entries};

/// Puts sections out of the section that they are in.
pub(super) fn sections_out(tree: &mut Tree, sources: &SourceMap, root: NodeId, found: &mut Vec<Misplaced>) -> NodeId {
    let mut all = block_entries(tree, root);
    let mut moved: Vec<Entry> = Vec::new();
    for (outer, section) in sections(tree, root) {
        if matches!(outer, Section::Metadata) {
            continue;
        }
        let members = block_entries(tree, section.value);
        let is_lost = |entry: &Entry| {
            let inner = Section::from_symbol(tree.symbol(entry.key)).filter(|&inner| inner != outer);
            let is_section = inner.is_some_and(|inner| {
                let value = entry.value;
                let is_map = tree.kind(value) == Kind::Map && tree.style(value) != Style::Flow;
                is_map
                    && !is_member(tree, outer, value)
                    && !has_section(tree, root, inner)
                    && tree.entries(value).any(|member| is_member(tree, inner, member.value))
            });
            is_section && is_written(tree, entry.key)
        };
        let (lost, kept): (Vec<Entry>, Vec<Entry>) = members.iter().copied().partition(is_lost);
        if lost.is_empty() {
            continue;
        }
        for &entry in &lost {
            let by = column(sources, tree, entry.key).unwrap_or_default();
            found.push(Misplaced {
                key: entry.key,
                lines: span_of(tree, &[entry]),
                kind: Found::Section(outer.name().to_owned()),
                by,
            });
        }
        moved.extend(lost);
        let value = with_entries(tree, section.value, &kept);
        if let Some(entry) = all.iter_mut().find(|entry| entry.key == section.key) {
            entry.value = value;
        }
    }
    if moved.is_empty() {
        return root;
    }
    all.extend(moved);
    with_entries(tree, root, &all)
}

/// Puts sections out of the resource that they are in: the last one, whose indentation the lines have.
pub(super) fn sections_of_resources(
    tree: &mut Tree,
    sources: &SourceMap,
    root: NodeId,
    found: &mut Vec<Misplaced>,
) -> NodeId {
    let Some(section) = tree.get(root, symbol::RESOURCES) else { return root };
    let mut members = block_entries(tree, section);
    let mut moved: Vec<Entry> = Vec::new();
    for member in &mut members {
        let is_lost = |entry: &Entry| {
            let inner = Section::from_symbol(tree.symbol(entry.key));
            let is_known = attribute::RESOURCE.contains(&tree.symbol(entry.key));
            !is_known
                && is_written(tree, entry.key)
                && inner.is_some_and(|inner| {
                    let is_map = tree.kind(entry.value) == Kind::Map && tree.style(entry.value) != Style::Flow;
                    let mut values = tree.entries(entry.value).map(|one| one.value);
                    is_map && !has_section(tree, root, inner) && values.any(|value| is_member(tree, inner, value))
                })
        };
        let (lost, kept): (Vec<Entry>, Vec<Entry>) =
            block_entries(tree, member.value).iter().partition(|one| is_lost(one));
        if lost.is_empty() {
            continue;
        }
        let outer = format!("resource {}", shown(tree.text(member.key)));
        for &entry in &lost {
            let by = column(sources, tree, entry.key).unwrap_or_default();
            let lines = span_of(tree, &[entry]);
            found.push(Misplaced { key: entry.key, lines, kind: Found::Section(outer.clone()), by });
        }
        moved.extend(lost);
        member.value = with_entries(tree, member.value, &kept);
    }
    if moved.is_empty() {
        return root;
    }
    let resources = with_entries(tree, section, &members);
    let root = tree.with_member(root, symbol::RESOURCES, resources);
    let mut all = block_entries(tree, root);
    all.extend(moved);
    with_entries(tree, root, &all)
}

/// Puts resources out of the resource that they are in.
pub(super) fn resources(tree: &mut Tree, sources: &SourceMap, root: NodeId, found: &mut Vec<Misplaced>) -> NodeId {
    let Some(section) = tree.get(root, symbol::RESOURCES) else { return root };
    let members = block_entries(tree, section);
    let mut kept: Vec<Entry> = Vec::with_capacity(members.len());
    let mut has_changed = false;
    for entry in members {
        let mut inner = Inner { outer: entry.key, moved: Vec::new() };
        let value = inner.left(tree, entry.value);
        kept.push(Entry { value, ..entry });
        for (moved, is_property) in inner.moved {
            let [own, other] = [entry.key, moved.key].map(|key| column(sources, tree, key).unwrap_or_default());
            let kind = Found::Resource { outer: entry.key, is_property };
            let by = other.saturating_sub(own);
            found.push(Misplaced { key: moved.key, lines: span_of(tree, &[moved]), kind, by });
            kept.push(moved);
            has_changed = true;
        }
    }
    if !has_changed {
        return root;
    }
    let value = with_entries(tree, section, &kept);
    tree.with_member(root, symbol::RESOURCES, value)
}

/// Types whose properties may look like resources.
const OF_ANY_PROPERTIES: [&str; 3] = ["AWS::CloudFormation::CustomResource", "AWS::Serverless::Connector", "Custom::"];

struct Inner {
    outer: NodeId,
    moved: Vec<(Entry, bool)>,
}

impl Inner {
    /// Returns the body of a resource without the resources in it.
    fn left(&mut self, tree: &mut Tree, value: NodeId) -> NodeId {
        let kind = tree.get(value, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
        let has_any = !attribute::is_type_name(kind) || OF_ANY_PROPERTIES.iter().any(|head| kind.starts_with(head));
        if tree.loop_name(self.outer).is_some() || has_any {
            return value;
        }
        let value = self.take(tree, value, false);
        let Some(properties) = tree.get(value, symbol::PROPERTIES) else { return value };
        let left = self.take(tree, properties, true);
        if left == properties { value } else { tree.with_member(value, symbol::PROPERTIES, left) }
    }

    fn take(&mut self, tree: &mut Tree, map: NodeId, is_property: bool) -> NodeId {
        let entries = block_entries(tree, map);
        let is_moved = |entry: &Entry| {
            let is_known = attribute::RESOURCE.contains(&tree.symbol(entry.key));
            let has_three_parts = |kind: NodeId| tree.text(kind).split("::").count() == 3;
            !is_known
                && is_written(tree, entry.key)
                && is_resource(tree, entry.value)
                && tree.get(entry.value, symbol::TYPE).is_some_and(has_three_parts)
        };
        let (moved, kept): (Vec<Entry>, Vec<Entry>) = entries.iter().copied().partition(is_moved);
        if moved.is_empty() {
            return map;
        }
        self.moved.extend(moved.into_iter().map(|entry| (entry, is_property)));
        with_entries(tree, map, &kept)
    }
}
