//! Misspelt words of the modules of a template: parts that an import leaves out are in no result, and are checked all
//! the same (reference/modules/README.md#alone).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Goal, Severity, Span, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, NodeSet, Symbol, Tree, View, symbol};
use formwork_template::template::MODULE_SECTIONS;
use formwork_template::{Section, attribute};

use super::misspelt_calls::members;
use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    if cx.goal != Goal::Check {
        return;
    }
    let mut done = NodeSet::default();
    for (root, frame) in cx.modules() {
        sections(cx, root, frame);
        attributes(cx, (root, symbol::RESOURCES), "resource", &attribute::RESOURCE, frame);
        attributes(cx, (root, symbol::PARAMETERS), "parameter", &attribute::PARAMETER, frame);
        attributes(cx, (root, symbol::OUTPUTS), "output", &attribute::OUTPUT, frame);
        exports(cx, root, frame);
        functions(cx, root, frame, &mut done);
    }
}

fn sections(cx: &mut Context<'_>, root: NodeId, frame: FrameId) {
    let tree = cx.tree;
    let names = || Section::ALL.iter().map(|section| section.name()).chain(MODULE_SECTIONS);
    for entry in tree.entries(root).collect::<Vec<_>>() {
        let name = tree.text(entry.key);
        let is_known = names().any(|known| known == name);
        let near = suggest::slip(name, names()).filter(|near| !is_known && tree.get_text(root, near).is_none());
        let Some(near) = near else { continue };
        let diagnostic = Diagnostic::new(codes::UNKNOWN_SECTION, format!("unknown section {}", shown(name)));
        report(cx, diagnostic, tree.span(entry.key), near, frame);
    }
}

fn attributes(cx: &mut Context<'_>, (root, section): (NodeId, Symbol), noun: &str, known: &[Symbol], frame: FrameId) {
    let tree = cx.tree;
    let Some(section) = tree.get(root, section) else { return };
    // The result of a macro in an entry is not known.
    let is_entry =
        |entry: &Entry| tree.kind(entry.value) == Kind::Map && tree.get(entry.value, symbol::FN_TRANSFORM).is_none();
    for member in members(tree, section).into_iter().filter(is_entry) {
        for entry in tree.entries(member.value).collect::<Vec<_>>() {
            let name = tree.text(entry.key);
            let names = known.iter().map(|&known| tree.name(known));
            let is_known = known.contains(&tree.symbol(entry.key)) || is_of_modules(tree, entry.key);
            let near =
                suggest::slip(name, names).filter(|near| !is_known && tree.get_text(member.value, near).is_none());
            let Some(near) = near else { continue };
            let id = shown(tree.text(member.key));
            let message = format!("{noun} {id} has the unknown attribute {}", shown(name));
            report(cx, Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, message), tree.span(entry.key), near, frame);
        }
    }
}

/// Returns `true` for the attributes that only resources of a module may have.
fn is_of_modules(tree: &Tree, key: NodeId) -> bool {
    ["ForEach", "Connectors", "IgnoreGlobals"].contains(&tree.text(key))
}

/// Reports long names of functions with a slip after `Fn::`. Those in the result are reported there.
fn functions(cx: &mut Context<'_>, root: NodeId, frame: FrameId, done: &mut NodeSet) {
    let tree = cx.tree;
    let sections = [Section::Conditions, Section::Resources, Section::Outputs];
    let mut pending: Vec<NodeId> = sections.iter().filter_map(|one| tree.get(root, one.symbol())).collect();
    let mut found: Vec<(NodeId, &'static str)> = Vec::new();
    while let Some(node) = pending.pop() {
        if !done.insert(node) || tree.argument_of(node, Known::Transform).is_some() {
            continue;
        }
        match tree.view(node) {
            View::List(items) => pending.extend(items),
            View::Map => {
                for entry in tree.entries(node) {
                    let name = tree.text(entry.key);
                    let is_call =
                        name.starts_with("Fn::") && tree.loop_name(entry.key).is_none() && tree.len(node) == 1;
                    let near = suggest::slip(name, Known::ALL.iter().map(|known| known.long())).filter(|_| is_call);
                    found.extend(near.map(|near| (entry.key, near)));
                    pending.push(entry.value);
                }
            }
            View::Call(_, argument) => pending.push(argument),
            _ => {}
        }
    }
    for (key, near) in found {
        let title = format!("unknown function {}", shown(tree.text(key)));
        let diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, title).fact(Fact::UnknownFunction);
        report(cx, diagnostic, tree.span(key), near, frame);
    }
}

/// Checks keys of exports, which a module has for the templates that are deployed without one.
fn exports(cx: &mut Context<'_>, root: NodeId, frame: FrameId) {
    let tree = cx.tree;
    let Some(section) = tree.get(root, symbol::OUTPUTS) else { return };
    for output in members(tree, section) {
        let Some(export) = tree.get(output.value, symbol::EXPORT) else { continue };
        let name = tree.name(symbol::NAME);
        let slip = tree.entries(export).find(|entry| suggest::slip(tree.text(entry.key), [name]).is_some());
        let Some(slip) = slip.filter(|_| tree.get_text(export, name).is_none()) else { continue };
        let id = shown(tree.text(output.key));
        let title = format!("Export of output {id} has the unknown key {}", shown(tree.text(slip.key)));
        report(cx, Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, title), tree.span(slip.key), "Name", frame);
    }
}

/// Reports a slip, unless its place has an error already.
fn report(cx: &mut Context<'_>, diagnostic: Diagnostic, span: Span, near: &str, frame: FrameId) {
    if cx.diagnostics.has(diagnostic.code, span, Severity::Error) {
        return;
    }
    let diagnostic = diagnostic.at(span).frames(cx.tree.frame_chain(frame)).help(format!("did you mean `{near}`?"));
    cx.push(diagnostic, Severity::Error);
}
