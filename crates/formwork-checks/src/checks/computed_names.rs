//! Functions in the name of `Ref`, in the parts of `Fn::GetAtt` and in the keys of `Fn::FindInMap`, which plain
//! CloudFormation does not have (reference/transform.md#declare).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, NodeSet, View, flags, function};
use formwork_template::Section;

use crate::Context;

const MOST: usize = 1_000;

/// Checks the template as written. Modules and `Fn::Map` compute such names themselves.
pub(super) fn check(cx: &mut Context<'_>) {
    let is_plain = !cx.language_extensions && !cx.template.has_own_macros() && cx.written.is_none();
    if !is_plain || cx.template.is_module {
        return;
    }
    let tree = cx.tree;
    let sections = [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs];
    let mut pending: Vec<NodeId> = sections.iter().filter_map(|one| tree.get(cx.template.root, one.symbol())).collect();
    let (mut found, mut done) = (Vec::new(), NodeSet::default());
    while let Some(node) = pending.pop() {
        if !tree.has(node, flags::HAS_CALL) || found.len() >= MOST || !done.insert(node) {
            continue;
        }
        match tree.view(node) {
            View::List(items) => pending.extend(items),
            View::Map => {
                let entries = tree.entries(node).filter(|entry| function::loop_name(tree.text(entry.key)).is_none());
                pending.extend(entries.map(|entry| entry.value));
            }
            View::Call(Function::Known(Known::Map | Known::Merge | Known::Transform), _) => {}
            View::Call(Function::Known(known), argument) => {
                found.extend(computed(cx, known, argument).map(|(part, what)| (part, what, known)));
                pending.push(argument);
            }
            View::Call(_, argument) => pending.push(argument),
            _ => {}
        }
    }
    for (part, what, known) in found {
        let title = format!("{what} of {} is a function, which needs the language transform", known.long());
        let mut diagnostic = Diagnostic::titled(codes::TRANSFORM, title).at(tree.span(part));
        if known == Known::GetAtt {
            diagnostic = diagnostic.quoting(
                "Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and the \
                 resource attribute",
            );
        }
        let diagnostic = diagnostic.help("add `Transform: AWS::LanguageExtensions` to the template");
        cx.push(diagnostic, cx.as_written());
    }
}

/// Returns the part of a call that is computed, and its description.
fn computed(cx: &Context<'_>, known: Known, argument: NodeId) -> Option<(NodeId, &'static str)> {
    let tree = cx.tree;
    let called = |node: NodeId| match tree.view(node) {
        // A macro returns a literal.
        View::Call(Function::Known(Known::Transform), _) => None,
        View::Call(Function::Known(known), _) => Some(known),
        _ => None,
    };
    let items = tree.items(argument);
    match (known, items) {
        (Known::Ref, _) => called(argument).map(|_| (argument, "the name")),
        (Known::GetAtt, &[name, attribute]) => match (called(name), called(attribute)) {
            (Some(_), _) => Some((name, "the resource name")),
            (_, Some(other)) if other != Known::Ref => Some((attribute, "the attribute")),
            _ => None,
        },
        (Known::FindInMap, &[map, top, second, ..]) => {
            // A part that is known only at deployment is an error of the layout.
            let early = [Known::Sub, Known::Join, Known::Select, Known::Split, Known::If];
            let is_other = |&node: &NodeId| called(node).is_some_and(|one| early.contains(&one));
            [map, top, second].into_iter().find(is_other).map(|node| (node, "a key"))
        }
        _ => None,
    }
}
