//! Names of exports: their dependencies, and duplicates in a template (reference/structure.md#exports).

use std::fmt::Write;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, Tree, View, symbol};
use formwork_template::{Section, reference};
use rustc_hash::FxHashMap;

use crate::Context;

pub(super) const SENTENCE: &str =
    "The Name field of Export must not depend on any resources, imported values, or Fn::GetAZs";

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    let mut names: FxHashMap<(String, String), (Entry, NodeId)> = FxHashMap::default();
    for output in cx.judged(Section::Outputs) {
        if cx.is_cancelled() {
            return;
        }
        let export = tree.get(output.value, symbol::EXPORT);
        let Some(name) = export.and_then(|export| tree.get(export, symbol::NAME)) else { continue };
        depends(cx, output, name);
        let mut text = String::new();
        write(tree, name, &mut text);
        // Outputs under different conditions may be two definitions of one export.
        let condition = tree.get(output.value, symbol::CONDITION).map_or("", |condition| tree.text(condition));
        if let Some(&first) = names.get(&(text.clone(), condition.to_owned())) {
            duplicate(cx, output, name, first);
        } else {
            names.insert((text, condition.to_owned()), (output, name));
        }
    }
}

/// Writes a name by its data, whatever its spelling.
fn write(tree: &Tree, node: NodeId, out: &mut String) {
    match tree.view(node) {
        View::List(items) => {
            out.push('[');
            for &item in items {
                write(tree, item, out);
                out.push(',');
            }
            out.push(']');
        }
        View::Map => {
            out.push('{');
            for entry in tree.entries(node) {
                let _ = write!(out, "{:?}:", tree.text(entry.key));
                write(tree, entry.value, out);
            }
            out.push('}');
        }
        View::Call(function, argument) => {
            out.push_str(tree.function_name(function));
            out.push('(');
            write(tree, argument, out);
            out.push(')');
        }
        _ => {
            let _ = write!(out, "{:?}", tree.text_form(node));
        }
    }
}

fn duplicate(cx: &mut Context<'_>, output: Entry, name: NodeId, (first, its_name): (Entry, NodeId)) {
    let tree = cx.tree;
    let (id, other) = (shown(tree.text(output.key)), shown(tree.text(first.key)));
    // Iterations of a loop have one name: they differ in their keys.
    let place = if tree.span(name) == tree.span(its_name) { output.key } else { name };
    let diagnostic = Diagnostic::new(codes::SHARED_NAME, format!("outputs {other} and {id} export the same name"))
        .at(tree.span(place))
        .related(tree.span(first.key), "the other output")
        .frames(tree.frame_chain(tree.frame_of(output.key)))
        .note("the name of an export is unique in an account and Region")
        .help("write another name, for example with the ID of the output");
    let severity = cx.severity_of(output.key);
    cx.push(diagnostic, severity);
}

fn depends(cx: &mut Context<'_>, output: Entry, name: NodeId) {
    let tree = cx.tree;
    let resources = tree.get(cx.unrolled, symbol::RESOURCES);
    let mut found: Vec<(NodeId, String)> = Vec::new();
    reference::visit(tree, name, &mut |_| true, &mut |reference| {
        let symbol = tree.symbols().get(reference.name);
        let is_resource = symbol
            .is_some_and(|name| resources.is_some_and(|resources| tree.get(resources, name).is_some()))
            && symbol.is_some_and(|name| cx.template.parameter(name).is_none());
        if is_resource {
            found.push((reference.node, format!("depends on resource {}", shown(reference.name))));
        }
    });
    let mut pending = vec![name];
    while let Some(node) = pending.pop() {
        match tree.view(node) {
            View::List(items) => pending.extend(items.iter().rev()),
            View::Map => pending.extend(tree.entries(node).map(|entry| entry.value)),
            View::Call(Function::Known(known @ (Known::ImportValue | Known::GetStackOutput | Known::GetAZs)), _) => {
                found.push((node, format!("contains {}", known.long())));
            }
            View::Call(Function::Known(Known::Transform), _) => {}
            View::Call(_, argument) => pending.push(argument),
            _ => {}
        }
    }
    let id = shown(tree.text(output.key));
    for (node, why) in found {
        let diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, format!("the export name of output {id} {why}"))
            .at(tree.span(node))
            .frames(tree.frame_chain(tree.frame_of(output.key)))
            .quoting(SENTENCE)
            .help("use only strings, parameters and pseudo parameters, such as `${AWS::StackName}`, in the name");
        let severity = cx.severity_of(output.key);
        cx.push(diagnostic, severity);
    }
}
