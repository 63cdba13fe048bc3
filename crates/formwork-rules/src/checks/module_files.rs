//! Misspelt words of the modules of a template: what an import leaves out is in no result, and a slip in it is one all the
//! same (reference/modules/README.md#alone).

use std::collections::HashSet;

use formwork_base::{Diagnostic, Goal, Severity, Span, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, NodeSet, Symbol, Tree, symbol};
use formwork_template::reference::{self, By};
use formwork_template::template::MODULE_SECTIONS;
use formwork_template::{PseudoParameter, Section, attribute};

use super::misspelt_calls::members;
use crate::Context;

/// Looks at the modules of a template as they are written.
pub(super) fn check(cx: &mut Context<'_>) {
    let Some(written) = cx.written.filter(|_| cx.goal == Goal::Check) else { return };
    let (mut seen, mut done) = (HashSet::new(), NodeSet::default());
    for &(root, frame) in written.documents {
        // The template itself has checks of its own.
        let is_module = root != cx.document.root && cx.tree.kind(root) == Kind::Map;
        if !is_module || !seen.insert(cx.tree.span(root)) {
            continue;
        }
        sections(cx, root, frame);
        attributes(cx, (root, symbol::RESOURCES), "resource", &attribute::RESOURCE, frame);
        attributes(cx, (root, symbol::PARAMETERS), "parameter", &attribute::PARAMETER, frame);
        attributes(cx, (root, symbol::OUTPUTS), "output", &attribute::OUTPUT, frame);
        pseudo_parameters(cx, root, frame, &mut done);
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
    // What a macro makes of an entry is not known.
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

/// Attributes that resources of a module may have besides.
fn is_of_modules(tree: &Tree, key: NodeId) -> bool {
    ["ForEach", "Connectors", "IgnoreGlobals"].contains(&tree.text(key))
}

fn pseudo_parameters(cx: &mut Context<'_>, root: NodeId, frame: FrameId, done: &mut NodeSet) {
    let tree = cx.tree;
    let mut found: Vec<(Span, String)> = Vec::new();
    for section in [Section::Conditions, Section::Resources, Section::Outputs] {
        let Some(section) = tree.get(root, section.symbol()) else { continue };
        reference::visit(tree, section, &mut |node| done.insert(node), &mut |reference| {
            let is_pseudo = reference.name.starts_with("AWS::") && matches!(reference.by, By::Ref | By::Sub);
            if is_pseudo && PseudoParameter::from_name(reference.name).is_none() {
                found.push((tree.span(reference.node), reference.name.to_owned()));
            }
        });
    }
    for (span, name) in found {
        let Some(near) = suggest::slip(&name, PseudoParameter::ALL.iter().map(|known| known.name())) else { continue };
        let diagnostic = Diagnostic::new(codes::UNRESOLVED_NAME, format!("unknown pseudo parameter {}", shown(&name)));
        report(cx, diagnostic, span, near, frame);
    }
}

/// Reports a slip, unless an error is there already.
fn report(cx: &mut Context<'_>, diagnostic: Diagnostic, span: Span, near: &str, frame: FrameId) {
    if cx.diagnostics.has(diagnostic.code, span, Severity::Error) {
        return;
    }
    let diagnostic = diagnostic.at(span).frames(cx.tree.frame_chain(frame)).help(format!("did you mean `{near}`?"));
    cx.push(diagnostic, Severity::Error);
}
