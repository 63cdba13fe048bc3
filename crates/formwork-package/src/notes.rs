//! What is said of a template that is packaged, beside faults of its artifacts.

use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::{Compat, Evaluator};
use formwork_syntax::document::shown;
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::artifact;
use rustc_hash::FxHashSet;

use crate::plan::Output;

/// Reports loops over an empty parameter, and Mappings whose names are kept for packaging.
pub(crate) fn report(ev: &Evaluator<'_>, written: NodeId, output: Output, diagnostics: &mut Vec<Diagnostic>) {
    for section in [symbol::CONDITIONS, symbol::RESOURCES, symbol::OUTPUTS] {
        if let Some(node) = ev.tree.get(written, section) {
            empty_loops(ev, node, diagnostics);
        }
    }
    if output == Output::Preserved {
        reserved_names(ev.tree, written, diagnostics);
    }
}

/// Loops over a parameter whose value is empty (spec packaging.md, section 4.1).
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
                "{} has no items and is left as it is: the value of parameter {} is empty",
                shown(tree.text(entry.key)),
                shown(name)
            );
            diagnostics.push(
                Diagnostic::new(codes::EMPTY_COLLECTION, message)
                    .severity(Severity::Warning)
                    .at(tree.span(entry.key))
                    .note("the service may run the loop once with the empty text")
                    .help(format!("give items with `--parameter-overrides {}=a,b`", shown(name))),
            );
        }
    }
}

/// Mappings of the author's whose names packaging may come to use (spec packaging.md, section 4.3).
fn reserved_names(tree: &Tree, written: NodeId, diagnostics: &mut Vec<Diagnostic>) {
    let Some(mappings) = tree.get(written, symbol::MAPPINGS) else { return };
    let mut read = FxHashSet::default();
    if let Some(resources) = tree.get(written, symbol::RESOURCES) {
        read_mappings(tree, resources, false, &mut read);
    }
    for entry in tree.entries(mappings) {
        let name = tree.text(entry.key);
        let Some(prefix) = reserved_prefix(name).filter(|_| !read.contains(name)) else { continue };
        diagnostics.push(
            Diagnostic::new(
                codes::RESERVED_MAPPING,
                format!("Mapping {} begins with {prefix}, which is reserved for packaging", shown(name)),
            )
            .at(tree.span(entry.key))
            .note("packaging writes the names of uploaded files into Mappings that begin so")
            .help("rename the Mapping"),
        );
    }
}

/// What a name begins with that packaging or building may make.
fn reserved_prefix(name: &str) -> Option<String> {
    let rest = name.strip_prefix("SAM")?;
    let leaves = artifact::ALL.iter().filter_map(|artifact| artifact.property.last().copied());
    let longest = leaves.chain(["Layers"]).filter(|leaf| rest.starts_with(leaf)).max_by_key(|leaf| leaf.len())?;
    Some(format!("SAM{longest}"))
}

/// Names of the Mappings that artifact properties and layers read.
fn read_mappings<'t>(tree: &'t Tree, node: NodeId, reads: bool, found: &mut FxHashSet<&'t str>) {
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| read_mappings(tree, item, reads, found)),
        View::Map => {
            let leaves = || artifact::ALL.iter().filter_map(|artifact| artifact.property.last());
            for entry in tree.entries(node) {
                let name = tree.text(entry.key);
                let is_artifact = name == "Layers" || leaves().any(|&leaf| leaf == name);
                read_mappings(tree, entry.value, reads || is_artifact, found);
            }
        }
        View::Call(Function::Known(Known::FindInMap), argument) => {
            let name = tree.items(argument).first().and_then(|&name| tree.string(name));
            found.extend(name.filter(|_| reads));
            read_mappings(tree, argument, reads, found);
        }
        View::Call(_, argument) => read_mappings(tree, argument, reads, found),
        _ => {}
    }
}

/// Whether something in the template runs in this engine alone: then there is no template with loops
/// that the service would take.
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

/// A loop whose fragment is a list, or that has two variables: the service knows neither.
fn is_list_loop(tree: &Tree, key: NodeId, value: NodeId) -> bool {
    let is_loop = function::loop_name(tree.text(key)).is_some();
    let &[variable, _, fragment] = tree.items(value) else { return false };
    is_loop && (tree.kind(variable) == Kind::List || tree.kind(fragment) == Kind::List)
}
