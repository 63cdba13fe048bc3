//! Converts between collections in brackets and collections on lines of their own.

use formwork::NodeId;
use formwork::tree::{Kind, Style};

use super::site::{Site, innermost};
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same;

/// Writes the collection at the place in its other style. In YAML only.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    if spot.is_json() {
        return None;
    }
    let site = innermost(spot, |tree, node| matches!(tree.kind(node), Kind::List | Kind::Map) && tree.len(node) > 0)?;
    let (title, edit) = if site.tree().style(site.node) == Style::Flow {
        ("write it on several lines", to_block(&site)?)
    } else {
        ("write it on one line", to_flow(&site)?)
    };
    let action = spot.action(title, ActionKind::Rewrite, vec![edit]);
    is_same(&spot.before, &action.edits).then_some(action)
}

/// The entries or elements in source form, if each is on one line.
fn members(site: &Site<'_>) -> Option<Vec<String>> {
    let tree = site.tree();
    let one_line = |node: NodeId| Some(site.source(node)).filter(|source| !source.contains('\n') && !source.is_empty());
    match tree.kind(site.node) {
        Kind::List => tree.items(site.node).iter().map(|&item| Some(one_line(item)?.to_owned())).collect(),
        _ => tree
            .entries(site.node)
            .map(|entry| Some(format!("{}: {}", one_line(entry.key)?, one_line(entry.value)?)))
            .collect(),
    }
}

/// The column of the key of the collection, if the key is the first of its line.
fn column(site: &Site<'_>) -> Option<usize> {
    let key = site.index.range_of(site.tree().span(site.key?));
    let line = site.index.text().get(..key.start as usize)?.rsplit('\n').next()?;
    line.trim_start_matches([' ', '-']).is_empty().then_some(line.len())
}

fn to_block(site: &Site<'_>) -> Option<Edit> {
    let column = column(site)?;
    let text = site.index.text();
    let behind = text.get(site.range.end as usize..)?.split('\n').next()?;
    let before = text.get(..site.range.start as usize)?;
    // The value begins on the line of its key, and is the last of that line.
    if !behind.trim().is_empty() || !before.trim_end().ends_with(':') {
        return None;
    }
    let dash = if site.tree().kind(site.node) == Kind::List { "- " } else { "" };
    let indent = " ".repeat(column + 2);
    let lines: Vec<String> = members(site)?.into_iter().map(|member| format!("\n{indent}{dash}{member}")).collect();
    Some(Edit::new(before.trim_end().len() as u32, site.range.end, lines.concat()))
}

fn to_flow(site: &Site<'_>) -> Option<Edit> {
    column(site)?;
    let key = site.index.range_of(site.tree().span(site.key?));
    let whole = site.index.text().get(key.end as usize..site.range.end as usize)?;
    // Comments would be lost.
    if whole.contains('#') || !whole.trim_start_matches(['"', '\'']).starts_with(':') {
        return None;
    }
    let quote = whole.len() - whole.trim_start_matches(['"', '\'']).len();
    let (open, close) = if site.tree().kind(site.node) == Kind::List { ('[', ']') } else { ('{', '}') };
    let line = format!(" {open}{}{close}", members(site)?.join(", "));
    let start = key.end as usize + quote + 1;
    let end = start + site.index.text().get(start..site.range.end as usize)?.trim_end().len();
    (line.len() <= 100).then(|| Edit::new(start as u32, end as u32, line))
}
