//! Values that are plainly declarations of a section.

use formwork_syntax::{Function, Kind, NodeId, Symbol, Tree, View, symbol};
use formwork_template::{Section, attribute};

/// Returns `true` if a value is plainly a declaration of the section.
pub(super) fn is_member(tree: &Tree, section: Section, value: NodeId) -> bool {
    match section {
        Section::Resources => is_resource(tree, value),
        Section::Parameters => {
            has_only(tree, value, &attribute::PARAMETER)
                && tree.get(value, symbol::TYPE).and_then(|kind| tree.string(kind)).is_some_and(is_parameter_type)
        }
        Section::Outputs => has_only(tree, value, &attribute::OUTPUT) && tree.get(value, symbol::VALUE).is_some(),
        Section::Conditions => {
            matches!(tree.view(value), View::Call(Function::Known(known), _) if known.is_condition())
        }
        Section::Mappings => {
            let is_map = |node: NodeId| tree.kind(node) == Kind::Map && !tree.is_empty(node);
            is_map(value) && tree.entries(value).all(|entry| is_map(entry.value))
        }
        _ => false,
    }
}

/// Returns `true` for a mapping with a type of resources and attributes of resources.
pub(super) fn is_resource(tree: &Tree, value: NodeId) -> bool {
    let kind = tree.get(value, symbol::TYPE).and_then(|kind| tree.string(kind));
    kind.is_some_and(attribute::is_type_name) && has_only(tree, value, &attribute::RESOURCE)
}

/// Returns `true` for the name of a type of parameters.
pub(super) fn is_parameter_type(name: &str) -> bool {
    ["String", "Number", "CommaDelimitedList"].contains(&name)
        || ["List<", "AWS::SSM::Parameter", "AWS::EC2::"].iter().any(|head| name.starts_with(head))
}

fn has_only(tree: &Tree, value: NodeId, names: &[Symbol]) -> bool {
    tree.kind(value) == Kind::Map && tree.entries(value).all(|entry| names.contains(&tree.symbol(entry.key)))
}
