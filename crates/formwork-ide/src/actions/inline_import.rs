//! Replaces an import by the entries that it generates.

use formwork::query::{FileIndex, SymbolKind};
use formwork::tree::Kind;
use formwork::{Limits, NodeId, SourceContent, Tree};

use super::entry::{append, remove};
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::expansion_view::{Stage, expansion_view};
use crate::proof::is_same_but_order;
use crate::references::references;
use crate::symbols::made_by;

/// Replaces the import whose name is at the place by its resources, conditions and mappings, and references to it by
/// their expansions.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let (ide, file) = (spot.ide, spot.file);
    let symbol = ide.project().symbol_at(file, spot.range.start)?;
    let declared = symbol.declared.clone().filter(|at| at.file == *file && symbol.kind == SymbolKind::Import)?;
    // Only at its own name: a reference to an output is in the middle of something else.
    if spot.range.start < declared.start || declared.end < spot.range.start {
        return None;
    }
    let index = ide.file(file)?;
    let view = expansion_view(ide, Stage::Expand).ok().filter(|view| view.errors == 0)?;
    let source = SourceContent::new(view.text.as_str().into());
    let expanded = FileIndex::new(file.clone(), &source, &Limits::default());
    let mut edits = vec![remove(index, "Modules", &symbol.name)?];
    for section in ["Mappings", "Conditions", "Resources"] {
        let ids: Vec<&str> =
            made_by(ide, &declared).filter(|made| made.section == section).map(|made| made.id.as_str()).collect();
        if !ids.is_empty() {
            edits.push(append(index, section, &entries(&expanded, section, &ids)?)?);
        }
    }
    for used in references(ide, file, declared.start) {
        if used.range.file != *file || used.is_declaration {
            continue;
        }
        let edit = counterpart(index, &expanded, used.range.start)?;
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    edits.sort();
    // Two sections that are added at one place would become one.
    if edits.windows(2).any(|pair| matches!(pair, [a, b] if b.start < a.end || a.start == a.end && b.start == a.start))
    {
        return None;
    }
    let action = spot.action(format!("replace import {} by its resources", symbol.name), ActionKind::Inline, edits);
    is_same_but_order(&spot.before, &action.edits).then_some(action)
}

fn entries(expanded: &FileIndex, section: &str, ids: &[&str]) -> Option<Vec<String>> {
    let tree = expanded.tree();
    let members = tree.get_text(expanded.root()?, section)?;
    let own = tree.entries(members).filter(|entry| ids.contains(&tree.text(entry.key)));
    let source = own.map(|entry| {
        let range = expanded.range_of(tree.span(entry.key)).start..expanded.range_of(tree.site(entry.value)).end;
        expanded.text().get(range.start as usize..range.end as usize).map(|text| text.trim_end().to_owned())
    });
    source.collect()
}

/// The edit that replaces the value around an offset by its expansion, which is at the same keys.
fn counterpart(index: &FileIndex, expanded: &FileIndex, offset: u32) -> Option<Edit> {
    let (mut node, mut other) = (index.root()?, expanded.root()?);
    loop {
        let (tree, below) = (index.tree(), expanded.tree());
        let is_around = |node: NodeId| {
            let range = index.range_of(tree.site(node));
            range.start <= offset && offset <= range.end && !tree.is_alias(node)
        };
        let next = match (tree.kind(node), below.kind(other)) {
            (Kind::Map, Kind::Map) => {
                let entry = tree.entries(node).find(|entry| is_around(entry.value))?;
                (entry.value, below.get_text(other, tree.text(entry.key))?)
            }
            (Kind::List, Kind::List) if tree.len(node) == below.len(other) => {
                let at = tree.items(node).iter().position(|&item| is_around(item))?;
                (tree.items(node).get(at).copied()?, below.items(other).get(at).copied()?)
            }
            _ => break,
        };
        (node, other) = next;
    }
    let (start, text) = source(index, index.tree(), node)?;
    let (_, new) = source(expanded, expanded.tree(), other)?;
    let below = expanded.tree();
    let new = if new.contains('\n') && below.kind(other) == Kind::List {
        // A list of names, as in `DependsOn`.
        let names: Option<Vec<&str>> = below.items(other).iter().map(|&item| below.string(item)).collect();
        let is_json = index.text().trim_start().starts_with('{');
        let quote = if is_json { "\"" } else { "" };
        format!("[{}]", names?.iter().map(|name| format!("{quote}{name}{quote}")).collect::<Vec<_>>().join(", "))
    } else {
        new.to_owned()
    };
    let is_one_line = !new.contains('\n') && !text.contains('\n');
    is_one_line.then(|| Edit::new(start, start + text.len() as u32, new))
}

fn source<'i>(index: &'i FileIndex, tree: &Tree, node: NodeId) -> Option<(u32, &'i str)> {
    let range = index.range_of(tree.site(node));
    Some((range.start, index.text().get(range.start as usize..range.end as usize)?.trim_end()))
}
