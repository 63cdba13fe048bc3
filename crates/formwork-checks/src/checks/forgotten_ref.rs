//! Plain strings that are the name of a pseudo parameter (reference/structure.md#pseudo-names).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Format, Function, NodeId, NodeSet, View, symbol};
use formwork_template::{PseudoParameter, Section};

use super::misspelt_calls::members as members_of;
use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::FORGOTTEN_REF) else { return };
    let tree = cx.tree;
    // A macro may take names.
    if cx.template.has_own_macros() || !tree.may_hold("AWS::") {
        return;
    }
    let (mut found, mut done) = (Vec::new(), NodeSet::default());
    for section in [Section::Resources, Section::Outputs] {
        let members = tree.get(cx.template.root, section.symbol());
        for member in members.into_iter().flat_map(|section| members_of(tree, section)) {
            if cx.is_cancelled() {
                return;
            }
            let parts = match section {
                Section::Resources => [tree.get(member.value, symbol::PROPERTIES), None],
                _ => [tree.get(member.value, symbol::VALUE), tree.get(member.value, symbol::EXPORT)],
            };
            for part in parts.into_iter().flatten() {
                walk(cx, part, &mut done, &mut found);
            }
        }
    }
    for (node, pseudo) in found {
        let name = pseudo.name();
        let code = match (cx.document.format, tree.is_generated(node)) {
            (Format::Json, _) => format!("{{\"Ref\": \"{name}\"}}"),
            (Format::Yaml, _) => format!("!Ref {name}"),
        };
        let diagnostic = Diagnostic::new(
            codes::FORGOTTEN_REF,
            format!("\"{name}\" is a plain string here, but it is the name of a pseudo parameter"),
        )
        .at(tree.span(node))
        .frames(tree.frame_chain(tree.frame_of(node)))
        .note("only Ref and Fn::Sub replace it with its value")
        .help(format!("write `{code}`"));
        cx.push(diagnostic, severity);
    }
}

fn walk(cx: &Context<'_>, root: NodeId, done: &mut NodeSet, found: &mut Vec<(NodeId, PseudoParameter)>) {
    let tree = cx.tree;
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        match tree.view(node) {
            View::String(text) => {
                if let Some(pseudo) = PseudoParameter::from_name(text).filter(|_| done.insert(node)) {
                    found.push((node, pseudo));
                }
            }
            View::List(items) => pending.extend(items.iter().rev()),
            View::Map => {
                // Beside another key `Ref` is not a function, which has a report of its own.
                let entries = tree.entries(node).rev().filter(|entry| tree.symbol(entry.key) != symbol::REF);
                pending.extend(entries.map(|entry| entry.value));
            }
            // These take a name.
            View::Call(Function::Known(Known::Ref | Known::GetAtt | Known::Transform | Known::Condition), _) => {}
            View::Call(_, argument) => pending.push(argument),
            _ => {}
        }
    }
}
