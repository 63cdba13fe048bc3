//! Finds the loop variables that a value refers to (reference/packaging.md#dynamic).

use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View};
use formwork_template::sub_string::{self, Part};

/// Marks, for each name in `names`, whether the value refers to it: `${V}` and `&{V}` in a string, `Ref`, the string of
/// `Fn::Sub`. Names in the second argument of `Fn::Sub` do not count.
pub(crate) fn mark(tree: &Tree, node: NodeId, names: &[String], marks: &mut [bool]) {
    match tree.view(node) {
        View::String(text) => mark_text(text, names, marks),
        View::List(items) => items.iter().for_each(|&item| mark(tree, item, names, marks)),
        View::Map => tree.entries(node).for_each(|entry| mark(tree, entry.value, names, marks)),
        View::Call(Function::Known(Known::Ref), argument) => {
            if let Some(at) = tree.string(argument).and_then(|name| position(names, name)) {
                marks[at] = true;
            }
            mark(tree, argument, names, marks);
        }
        View::Call(Function::Known(Known::Sub), argument) => mark_sub(tree, argument, names, marks),
        View::Call(_, argument) => mark(tree, argument, names, marks),
        View::Null | View::Bool(_) | View::Number(_) => {}
    }
}

/// Marks the names in a plain string or key.
pub(crate) fn mark_text(text: &str, names: &[String], marks: &mut [bool]) {
    for (at, name) in names.iter().enumerate() {
        if text.contains(&format!("${{{name}}}")) || text.contains(&format!("&{{{name}}}")) {
            marks[at] = true;
        }
    }
}

fn mark_sub(tree: &Tree, argument: NodeId, names: &[String], marks: &mut [bool]) {
    let (text, own) = match *tree.items(argument) {
        [] => (argument, None),
        [text, ref rest @ ..] => (text, rest.first().copied()),
    };
    for part in sub_string::parts(tree.text(text)) {
        let Part::Variable(name) = part else { continue };
        let is_own = own.is_some_and(|own| tree.get_text(own, name).is_some());
        if let Some(at) = position(names, name).filter(|_| !is_own) {
            marks[at] = true;
        }
    }
    if let Some(own) = own {
        mark(tree, own, names, marks);
    }
}

fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().rposition(|known| known == name)
}
