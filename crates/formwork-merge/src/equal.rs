//! Equality of data, whatever the spelling of functions.

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree};

/// Returns `true` if two nodes have the same data: `!GetAtt A.B` is `Fn::GetAtt: [A, B]`, and `!Condition C` is
/// `{Condition: C}`. The order of keys makes no difference.
pub(crate) fn is_equal(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    if a == b {
        return true;
    }
    match (tree.kind(a), tree.kind(b)) {
        (Kind::List, Kind::List) => {
            tree.len(a) == tree.len(b)
                && tree.items(a).iter().zip(tree.items(b)).all(|(&one, &other)| is_equal(tree, one, other))
        }
        (Kind::Map, Kind::Map) => {
            tree.len(a) == tree.len(b)
                && tree.entries(a).all(|entry| {
                    tree.get(b, tree.symbol(entry.key)).is_some_and(|other| is_equal(tree, entry.value, other))
                })
        }
        (Kind::Call, Kind::Call) => {
            let ((function, one), (other_function, other)) = (tree.call(a), tree.call(b));
            if function != other_function {
                return false;
            }
            let is_attribute = tree.argument_of(a, Known::GetAtt).is_some();
            let dotted = (dotted(tree, one), dotted(tree, other));
            is_equal(tree, one, other) || is_attribute && dotted.0.is_some() && dotted.0 == dotted.1
        }
        (Kind::Map, Kind::Call) => is_call(tree, a, b),
        (Kind::Call, Kind::Map) => is_call(tree, b, a),
        (one, other) => one == other && tree.text_form(a) == tree.text_form(b),
    }
}

/// Returns `true` if an object of one key is what a call is as an object.
fn is_call(tree: &Tree, object: NodeId, call: NodeId) -> bool {
    let (function, argument) = tree.call(call);
    tree.len(object) == 1 && {
        let entry = tree.entry(object, 0);
        tree.text(entry.key) == tree.function_name(function) && is_equal(tree, entry.value, argument)
    }
}

/// Returns the argument of `Fn::GetAtt` as one string.
fn dotted(tree: &Tree, argument: NodeId) -> Option<String> {
    match tree.kind(argument) {
        Kind::String => Some(tree.text(argument).to_owned()),
        Kind::List => {
            let parts: Option<Vec<&str>> = tree.items(argument).iter().map(|&part| tree.string(part)).collect();
            parts.map(|parts| parts.join("."))
        }
        _ => None,
    }
}
