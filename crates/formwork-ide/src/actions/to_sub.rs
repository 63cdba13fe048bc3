//! Converts a plain string with `${Name}` to `Fn::Sub`.

use formwork::query::SymbolKind;
use formwork::tree::{Kind, Style};

use super::site::innermost;
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};

/// Wraps the string at the place into `Fn::Sub`, if its placeholders are declared names.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let is_call_around = innermost(spot, |tree, node| tree.kind(node) == Kind::Call).is_some();
    let site = innermost(spot, |tree, node| tree.kind(node) == Kind::String)?;
    let tree = site.tree();
    let text = tree.text(site.node);
    let is_in_values = matches!(site.path.first().map(String::as_str), Some("Resources" | "Outputs"));
    if is_call_around
        || !is_in_values
        || !text.contains("${")
        || matches!(tree.style(site.node), Style::Literal | Style::Folded)
    {
        return None;
    }
    let kinds = [SymbolKind::Parameter, SymbolKind::Resource, SymbolKind::Import];
    let known = spot.ide.project().names_of_kinds(spot.file, site.range.start, &kinds);
    let is_known = known.iter().any(|name| text.contains(&format!("${{{}", name.name))) || text.contains("${AWS::");
    let source = site.source(site.node);
    let text = if spot.is_json() { format!("{{\"Fn::Sub\": {source}}}") } else { format!("!Sub {source}") };
    let edit = Edit::new(site.range.start, site.range.end, text);
    let action = spot.action("make it an Fn::Sub", ActionKind::Rewrite, vec![edit]);
    (is_known && spot.before.adds_nothing(&action.edits)).then_some(action)
}
