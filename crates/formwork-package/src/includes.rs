//! Finds files of `AWS::Include`: they are uploaded, and CloudFormation includes them
//! (reference/packaging.md#includes).

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree, flags, has_placeholder, symbol};

use crate::value_path::ValuePath;

#[derive(Clone, Debug)]
pub(crate) struct Include {
    pub(crate) place: ValuePath,
    pub(crate) value: NodeId,
}

/// Returns every include of a local file at or below a node. A location that is remote, or not a literal string, is
/// skipped.
pub(crate) fn find(tree: &Tree, root: NodeId) -> Vec<Include> {
    let mut found = Vec::new();
    section(tree, root, &mut found);
    walk(tree, root, &ValuePath::default(), &mut found);
    found
}

/// Finds includes at the top of the template: `Transform: {Name: AWS::Include, Parameters: ...}`, alone or in the list
/// of transforms.
fn section(tree: &Tree, root: NodeId, found: &mut Vec<Include>) {
    let Some((place, node)) = crate::artifact_property::member(tree, root, &ValuePath::default(), "Transform") else {
        return;
    };
    if tree.kind(node) == Kind::List {
        for (at, &item) in tree.items(node).iter().enumerate() {
            location(tree, item, &place.step(at), found);
        }
    } else {
        location(tree, node, &place, found);
    }
}

fn walk(tree: &Tree, node: NodeId, place: &ValuePath, found: &mut Vec<Include>) {
    if !tree.has(node, flags::HAS_TRANSFORM) {
        return;
    }
    match tree.kind(node) {
        Kind::List => {
            for (at, &item) in tree.items(node).iter().enumerate() {
                walk(tree, item, &place.step(at), found);
            }
        }
        Kind::Map => {
            for (at, entry) in tree.entries(node).enumerate() {
                let place = place.step(at);
                if tree.symbol(entry.key) == symbol::FN_TRANSFORM {
                    location(tree, entry.value, &place, found);
                }
                walk(tree, entry.value, &place, found);
            }
        }
        Kind::Call => {
            let place = place.step(0);
            if let Some(argument) = tree.argument_of(node, Known::Transform) {
                location(tree, argument, &place, found);
            }
            walk(tree, tree.call(node).1, &place, found);
        }
        _ => {}
    }
}

/// Adds the path in the argument of `Fn::Transform`.
fn location(tree: &Tree, argument: NodeId, place: &ValuePath, found: &mut Vec<Include>) {
    let name = tree.get(argument, symbol::NAME).and_then(|name| tree.string(name));
    let is_include = name == Some("AWS::Include");
    let parameters = crate::artifact_property::member(tree, argument, place, "Parameters").filter(|_| is_include);
    let Some((place, parameters)) = parameters else { return };
    let Some((place, value)) = crate::artifact_property::member(tree, parameters, &place, "Location") else { return };
    let text = tree.string(value).unwrap_or_default();
    let is_local = !text.is_empty() && !text.contains("://") && !has_placeholder(text);
    if is_local {
        found.push(Include { place, value });
    }
}
