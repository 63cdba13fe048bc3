//! Extracts a value to a constant of the module language.

use formwork::tree::Kind;

use super::entry::insert_value;
use super::extract_parameter::unused;
use super::join::quoted;
use super::site::innermost;
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same;

/// Extracts the value at the place, in a template that uses the module language.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let index = spot.ide.file(spot.file)?;
    let (tree, root) = (index.tree(), index.root()?);
    if !["Modules", "Packages", "Constants"].iter().any(|section| tree.get_text(root, section).is_some()) {
        return None;
    }
    let site = innermost(spot, |tree, node| matches!(tree.kind(node), Kind::String | Kind::Number | Kind::Bool))?;
    let [section, _, .., property] = site.path.as_slice() else { return None };
    let is_value = section == "Resources" && site.path.iter().any(|key| key == "Properties")
        || section == "Outputs" && property == "Value";
    if !is_value || !site.is_single_line() {
        return None;
    }
    let plain: String = property.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = unused(spot, if plain.is_empty() { "Value" } else { &plain });
    let is_string = tree.kind(site.node) == Kind::String;
    let json = if is_string { quoted(tree.text_form(site.node)) } else { tree.text(site.node).to_owned() };
    let value = if spot.is_json() { json.clone() } else { site.source(site.node).to_owned() };
    let declaration = insert_value(index, "Constants", &name, &value, &json)?;
    let reference =
        if spot.is_json() { format!("{{\"Ref\": \"Const::{name}\"}}") } else { format!("!Ref Const::{name}") };
    let end = site.range.start + site.source(site.node).len() as u32;
    let edits = vec![declaration, Edit::new(site.range.start, end, reference)];
    let action = spot.action(format!("extract to constant {name}"), ActionKind::Extract, edits);
    is_same(&spot.before, &action.edits).then_some(action)
}
