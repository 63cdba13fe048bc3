//! Extracts a value to a parameter with that default.

use formwork::tree::Kind;

use super::entry::insert;
use super::inline_parameter::without_parameters;
use super::join::quoted;
use super::site::innermost;
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same_resolved;

/// Extracts the value at the place. The expansion with the default is the same.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let site = innermost(spot, |tree, node| matches!(tree.kind(node), Kind::String | Kind::Number | Kind::Bool))?;
    let tree = site.tree();
    let [section, _, attribute, .., property] = site.path.as_slice() else { return None };
    if section != "Resources" || attribute != "Properties" || !site.is_single_line() {
        return None;
    }
    let plain: String = property.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = unused(spot, if plain.is_empty() { "Value" } else { &plain });
    let kind = if tree.kind(site.node) == Kind::Number { "Number" } else { "String" };
    let value = if tree.kind(site.node) == Kind::Number {
        tree.text(site.node).to_owned()
    } else {
        quoted(tree.text_form(site.node))
    };
    let (first, second) = (format!("Type: {kind}"), format!("Default: {value}"));
    let json = format!("{{\"Type\": \"{kind}\", \"Default\": {value}}}");
    let declaration = insert(site.index, "Parameters", &name, &[&first, &second], &json)?;
    let reference = if spot.is_json() { format!("{{\"Ref\": \"{name}\"}}") } else { format!("!Ref {name}") };
    let edits = vec![declaration, Edit::new(site.range.start, site.range.end, reference)];
    let action = spot.action(format!("extract to parameter {name}"), ActionKind::Extract, edits);
    is_same_resolved(&spot.before, &action.edits, without_parameters).then_some(action)
}

pub(super) fn unused(spot: &Spot<'_, '_>, name: &str) -> String {
    let occurrences = spot.ide.project().occurrences(spot.file);
    let is_taken = |name: &str| {
        let declared = occurrences.iter().any(|one| one.is_declaration && spot.ide.text_of(&one.range) == name);
        declared || spot.ide.expansion().is_some_and(|expansion| expansion.id(name).is_some())
    };
    if !is_taken(name) {
        return name.to_owned();
    }
    let numbered = (2_u32..).map(|number| format!("{name}{number}"));
    numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}
