//! Warnings about a packaged template, besides errors of its artifacts.

use formwork_base::display::shown;
use formwork_base::{Advice, Diagnostic, Severity, codes};
use formwork_evaluate::{Compat, Evaluator};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::{parameter_option, reserved_mapping};

use crate::output::Output;

/// Reports loops over an empty parameter, and Mappings whose names are reserved for packaging.
pub(crate) fn report(ev: &Evaluator<'_>, written: NodeId, output: Output, diagnostics: &mut Vec<Diagnostic>) {
    for section in [symbol::CONDITIONS, symbol::RESOURCES, symbol::OUTPUTS] {
        if let Some(node) = ev.tree.get(written, section) {
            empty_loops(ev, node, diagnostics);
        }
    }
    if output == Output::Preserved {
        diagnostics.extend(reserved_mapping::reserved(ev.tree, written));
    }
}

/// Reports loops over a parameter whose value is empty (reference/packaging.md#loops).
fn empty_loops(ev: &Evaluator<'_>, node: NodeId, diagnostics: &mut Vec<Diagnostic>) {
    let tree = &*ev.tree;
    if !tree.has(node, flags::HAS_LOOP) || ev.settings.compat == Compat::Aws {
        return;
    }
    for entry in tree.entries(node) {
        let is_loop = function::loop_name(tree.text(entry.key)).is_some();
        let &[_, collection, fragment] = tree.items(entry.value) else {
            empty_loops(ev, entry.value, diagnostics);
            continue;
        };
        if !is_loop {
            continue;
        }
        empty_loops(ev, fragment, diagnostics);
        let name = tree.argument_of(collection, Known::Ref).and_then(|name| tree.string(name));
        let bound = name.and_then(|name| ev.parameters.get(tree.symbols().get(name)?));
        let Some((name, list)) = name.zip(bound.and_then(|bound| bound.value)) else { continue };
        if ev.parameters.is_empty_text(tree, list) {
            let message = format!(
                "{} has no items and is kept: the value of parameter {} is empty",
                shown(tree.text(entry.key)),
                shown(name)
            );
            diagnostics.push(
                Diagnostic::new(codes::EMPTY_COLLECTION, message)
                    .severity(Severity::Warning)
                    .at(tree.span(entry.key))
                    .note("CloudFormation may run the loop once with the empty string")
                    .help(Advice::to_pass_value(format!("pass items with `{}`", parameter_option(&shown(name), true)))),
            );
        }
    }
}

/// Returns `true` if something in the template runs in this engine alone: then CloudFormation would not accept the
/// template with its loops.
pub(crate) fn has_local_constructs(tree: &Tree, node: NodeId) -> bool {
    if !tree.has(node, flags::HAS_LOOP) {
        return false;
    }
    match tree.view(node) {
        View::List(items) => items.iter().any(|&item| has_local_constructs(tree, item)),
        View::Map => tree.entries(node).any(|entry| {
            [symbol::FN_MAP, symbol::FN_MERGE].contains(&tree.symbol(entry.key))
                || is_list_loop(tree, entry.key, entry.value)
                || has_local_constructs(tree, entry.value)
        }),
        View::Call(function, argument) => {
            let is_local = match function {
                Function::Known(Known::Ref) => tree.symbol(tree.call_name(node)) == symbol::FN_REF,
                Function::Known(known) => known.is_local(),
                Function::Other(_) => false,
            };
            is_local || has_local_constructs(tree, argument)
        }
        _ => false,
    }
}

/// Returns `true` for a loop whose fragment is a list, or that has two variables: CloudFormation supports neither.
fn is_list_loop(tree: &Tree, key: NodeId, value: NodeId) -> bool {
    let is_loop = function::loop_name(tree.text(key)).is_some();
    let &[variable, _, fragment] = tree.items(value) else { return false };
    is_loop && (tree.kind(variable) == Kind::List || tree.kind(fragment) == Kind::List)
}
