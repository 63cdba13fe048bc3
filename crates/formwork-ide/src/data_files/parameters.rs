//! Parameters files, in every shape that `--parameters-file` accepts (reference/command-line.md#parameter-values).

use formwork::query::FileIndex;
use formwork::tree::Kind;
use formwork::{Limits, NodeId, SourceContent, Tree, VirtualPath};

use super::{DataFile, assignments, unquoted};

/// Parses a text; of a broken one, the readable part.
pub(super) fn index(text: &str) -> FileIndex {
    FileIndex::new(VirtualPath::new("data.yaml"), &SourceContent::new(text.into()), &Limits::default())
}

/// Returns `true` if a text with this file name has one of the shapes. A mapping of names alone could be anything: the
/// name of the file has to refer to parameters.
pub(crate) fn is_parameters(name: &str, text: &str) -> bool {
    let begins_list = text.trim_start().starts_with(['[', '-']);
    let has_name = name.to_ascii_lowercase().contains("param");
    // A template, whatever its name is: it is not parsed again at each keystroke.
    if text.starts_with("Resources:") || text.contains("\nResources:") || text.contains("\"Resources\"") {
        return false;
    }
    let may_be = has_name
        || begins_list && text.contains("ParameterKey")
        || text.contains("Parameters") && !text.contains("Resources")
        || text.contains("template-file-path");
    if !may_be {
        return false;
    }
    let index = index(text);
    let Some(root) = index.root() else { return false };
    let tree = index.tree();
    let has = |key: &str| tree.get_text(root, key).is_some();
    match tree.kind(root) {
        Kind::List => tree.items(root).iter().any(|&item| {
            tree.get_text(item, "ParameterKey").is_some()
                || has_name && tree.string(item).is_some_and(|text| !assignments::names(text).is_empty())
        }),
        Kind::Map if has("Resources") || has("AWSTemplateFormatVersion") || has("Modules") => false,
        Kind::Map => match values(tree, root) {
            Some(values) => {
                values != root && is_values(tree, values)
                    || has("template-file-path")
                    || has_name && is_values(tree, values)
            }
            None => false,
        },
        _ => false,
    }
}

fn values(tree: &Tree, root: NodeId) -> Option<NodeId> {
    let member = |key: &str| tree.get_text(root, key).filter(|&node| tree.kind(node) == Kind::Map);
    member("Parameters").or_else(|| member("parameters")).or(Some(root))
}

/// Returns `true` if every value of a mapping is a scalar or a list of scalars: those of the section `Parameters` are
/// mappings.
fn is_values(tree: &Tree, node: NodeId) -> bool {
    let is_value = |value: NodeId| match tree.kind(value) {
        Kind::List => tree.items(value).iter().all(|&item| tree.is_scalar(item)),
        Kind::Null => true,
        _ => tree.is_scalar(value),
    };
    tree.kind(node) == Kind::Map && tree.len(node) > 0 && tree.entries(node).all(|entry| is_value(entry.value))
}

pub(super) fn read(text: &str, file: &mut DataFile) {
    let index = index(text);
    let Some(root) = index.root() else { return };
    let tree = index.tree();
    let range = |node: NodeId| unquoted(text, index.range_of(tree.span(node)));
    if tree.kind(root) == Kind::List {
        for &item in tree.items(root) {
            if let Some(key) = tree.get_text(item, "ParameterKey").filter(|&key| tree.is_scalar(key)) {
                file.add_use(tree.text(key), range(key), None);
            } else if tree.string(item).is_some() {
                let whole = range(item);
                let source = text.get(whole.start as usize..whole.end as usize).unwrap_or_default();
                for (name, at) in assignments::names(source).into_iter().take(1) {
                    file.add_use(name, whole.start + at.start as u32..whole.start + at.end as u32, None);
                }
            }
        }
        return;
    }
    let named = tree.get_text(root, "template-file-path").filter(|&path| tree.is_scalar(path));
    let template = named.map(|path| tree.text(path).to_owned());
    if let Some((node, path)) = named.zip(template.as_deref()) {
        file.add_path(path, range(node));
        file.templates.push(path.to_owned());
    }
    if tree.kind(root) != Kind::Map {
        return;
    }
    let values = values(tree, root).unwrap_or(root);
    for entry in tree.entries(values) {
        if values != root || !matches!(tree.text(entry.key), "Parameters" | "parameters" | "Tags" | "tags") {
            file.add_use(tree.text(entry.key), range(entry.key), template.as_deref());
        }
    }
}
