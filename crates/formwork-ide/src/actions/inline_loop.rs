//! Replaces a loop by its copies.

use formwork::query::{FileIndex, LoopKind};
use formwork::tree::Kind;
use formwork::{FileRange, Limits, SourceContent};

use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::expansion_view::{Stage, expansion_view};
use crate::proof::is_same;
use crate::symbols::made_by;

/// Replaces the loop whose key is at the place by the entries that it generates. The loop must be an entry of a
/// section.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let index = spot.ide.file(spot.file)?;
    let (tree, root) = (index.tree(), index.root()?);
    let loops = spot.ide.project().loops(spot.file);
    let own = loops
        .into_iter()
        .find(|one| one.kind == LoopKind::ForEach && spot.touches(&(one.declared.start..one.declared.end)))?;
    let section = tree.entries(root).find(|section| {
        tree.kind(section.value) == Kind::Map
            && tree.entries(section.value).any(|entry| index.range_of(tree.span(entry.key)).start == own.declared.start)
    })?;
    let entry =
        tree.entries(section.value).find(|entry| index.range_of(tree.span(entry.key)).start == own.declared.start)?;
    let range = own.declared.start..index.range_of(tree.site(entry.value)).end;
    let end = range.start + index.text().get(range.start as usize..range.end as usize)?.trim_end().len() as u32;
    let copies = copies(spot, tree.text(section.key), &own.declared)?;
    let line = index.text().get(..range.start as usize)?.rsplit('\n').next()?;
    let is_own_line = line.trim().is_empty();
    let gap = if is_own_line { format!("\n{line}") } else { " ".to_owned() };
    let text = if spot.is_json() { copies.join(&format!(",{gap}")) } else { copies.join(&gap) };
    if !is_own_line && !spot.is_json() {
        return None;
    }
    let name = own.name.unwrap_or_default();
    let edit = Edit::new(range.start, end, text);
    let action = spot.action(format!("replace loop {name} by its copies"), ActionKind::Inline, vec![edit]);
    is_same(&spot.before, &action.edits).then_some(action)
}

fn copies(spot: &Spot<'_, '_>, section: &str, declared: &FileRange) -> Option<Vec<String>> {
    let view = expansion_view(spot.ide, Stage::Expand).ok().filter(|view| view.errors == 0)?;
    let source = SourceContent::new(view.text.as_str().into());
    let index = FileIndex::new(spot.file.clone(), &source, &Limits::default());
    let tree = index.tree();
    let members = tree.get_text(index.root()?, section)?;
    let ids: Vec<&str> =
        made_by(spot.ide, declared).filter(|made| made.section == section).map(|made| made.id.as_str()).collect();
    let own = tree.entries(members).filter(|entry| ids.contains(&tree.text(entry.key)));
    let source = own.map(|entry| {
        let range = index.range_of(tree.span(entry.key)).start..index.range_of(tree.site(entry.value)).end;
        index.text().get(range.start as usize..range.end as usize).map(|text| text.trim_end().to_owned())
    });
    source.collect::<Option<Vec<_>>>().filter(|copies| !copies.is_empty())
}
