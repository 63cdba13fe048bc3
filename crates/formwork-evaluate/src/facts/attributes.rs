//! Attributes and tags of a value of the account (reference/rules.md#attributes, reference/account-data.md#snapshot):
//! their shapes, and the facts that remain when a shape is wrong.

use formwork_base::Diagnostics;
use formwork_syntax::{Kind, NodeId, Tree};

use super::wrong;

/// An attribute as a snapshot has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// The value of the attribute, a scalar.
    Value(NodeId),
    /// The attribute does not exist.
    Absent,
    /// The snapshot has an unreadable entry in its place.
    Unknown,
}

/// Returns the attribute of a value with these attributes.
pub fn attribute(tree: &Tree, attributes: NodeId, name: &str) -> Attribute {
    if !are_readable(tree, attributes) {
        return Attribute::Unknown;
    }
    tree.data_member(attributes, name).map_or(Attribute::Absent, |node| scalar(tree, node))
}

/// Returns the tag of a value with these attributes.
pub fn tag(tree: &Tree, attributes: NodeId, key: &str) -> Attribute {
    if !are_readable(tree, attributes) {
        return Attribute::Unknown;
    }
    let Some(tags) = tree.data_member(attributes, "Tags") else { return Attribute::Absent };
    if tree.is_data_object(tags) {
        return tree.data_member(tags, key).map_or(Attribute::Absent, |node| scalar(tree, node));
    }
    if tree.kind(tags) != Kind::List {
        return Attribute::Unknown;
    }
    let mut is_readable = true;
    for &item in tree.items(tags) {
        match pair(tree, item) {
            Some((found, value)) if found == key => return Attribute::Value(value),
            Some(_) => {}
            None => is_readable = false,
        }
    }
    if is_readable { Attribute::Absent } else { Attribute::Unknown }
}

/// Returns `true` if attributes are an object, or a null, which is an empty one.
fn are_readable(tree: &Tree, attributes: NodeId) -> bool {
    tree.kind(attributes) == Kind::Null || tree.is_data_object(attributes)
}

fn scalar(tree: &Tree, node: NodeId) -> Attribute {
    if tree.is_scalar(node) { Attribute::Value(node) } else { Attribute::Unknown }
}

/// Returns key and value of a tag as AWS writes it: `{Key, Value}`.
fn pair(tree: &Tree, item: NodeId) -> Option<(&str, NodeId)> {
    let member = |name| tree.data_member(item, name).filter(|&node| tree.is_scalar(node));
    Some((tree.text_form(member("Key")?), member("Value")?))
}

pub(super) fn check(tree: &Tree, attributes: NodeId, diagnostics: &mut Diagnostics) {
    if !are_readable(tree, attributes) {
        return wrong(tree, attributes, "the attributes of a value are not an object", diagnostics);
    }
    for member in tree.data_members(attributes).into_iter().flatten() {
        if tree.text(member.key) == "Tags" {
            check_tags(tree, member.value, diagnostics);
        } else if !tree.is_scalar(member.value) {
            wrong(tree, member.value, "an attribute is not a string", diagnostics);
        }
    }
}

fn check_tags(tree: &Tree, tags: NodeId, diagnostics: &mut Diagnostics) {
    if let Some(members) = tree.data_members(tags) {
        for member in members.filter(|member| !tree.is_scalar(member.value)) {
            wrong(tree, member.value, "the value of a tag is not a string", diagnostics);
        }
    } else if tree.kind(tags) == Kind::List {
        for &item in tree.items(tags).iter().filter(|&&item| pair(tree, item).is_none()) {
            wrong(tree, item, "a tag is not an object of `Key` and `Value`", diagnostics);
        }
    } else {
        wrong(tree, tags, "`Tags` is not an object of strings", diagnostics);
    }
}
