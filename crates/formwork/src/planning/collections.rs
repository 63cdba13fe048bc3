//! The collections of loops, found by the places of the loops.

use std::collections::BTreeMap;

use formwork_base::Span;
use formwork_syntax::{Kind, NodeId, function};

use crate::compilation::Compilation;

/// The node of the collection of each loop, by the span of the loop's key.
pub(super) fn collections(compilation: &Compilation) -> BTreeMap<(u32, u32), NodeId> {
    let tree = &compilation.tree;
    let mut found = BTreeMap::new();
    let mut number = 0;
    while let Some(node) = tree.node(number + 1) {
        number += 1;
        if tree.is_generated(node) {
            continue;
        }
        if tree.kind(node) == Kind::Call {
            let (name, (_, argument)) = (tree.call_name(node), tree.call(node));
            let collection = Some(argument).filter(|&argument| tree.kind(argument) == Kind::Map);
            let collection = collection.and_then(|argument| tree.get_text(argument, "Collection"));
            // The short form is its own name.
            for span in [tree.span(name), tree.span(node)] {
                if let Some(collection) = collection.filter(|_| !span.is_none()) {
                    found.insert(bytes(span), collection);
                }
            }
            continue;
        }
        if tree.kind(node) != Kind::Map {
            continue;
        }
        for entry in tree.entries(node) {
            let span = tree.span(entry.key);
            let name = tree.text(entry.key);
            let collection = match tree.kind(entry.value) {
                Kind::List if function::loop_name(name).is_some() => tree.items(entry.value).get(1).copied(),
                Kind::Map => tree.get_text(entry.value, "ForEach"),
                _ => None,
            };
            if let Some(collection) = collection.filter(|_| !span.is_none()) {
                found.insert(bytes(span), collection);
            }
        }
    }
    found
}

/// Adds the names to which a node refers by `Ref`.
pub(super) fn names(compilation: &Compilation, node: NodeId, found: &mut Vec<String>) {
    let tree = &compilation.tree;
    match tree.kind(node) {
        Kind::Call => {
            let (function, argument) = tree.call(node);
            match tree.string(argument) {
                Some(name) if tree.function_name(function) == "Ref" => found.push(name.to_owned()),
                _ => names(compilation, argument, found),
            }
        }
        Kind::List => tree.items(node).iter().for_each(|&item| names(compilation, item, found)),
        Kind::Map => tree.entries(node).for_each(|entry| names(compilation, entry.value, found)),
        _ => {}
    }
}

/// The start and the end of a span.
pub(super) fn bytes(span: Span) -> (u32, u32) {
    (span.start(), span.end())
}
