//! Spaces in the braces of a variable of `Fn::Sub`, which have no effect (reference/functions.md#sub).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severities, Severity, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, NodeSet, View, flags};
use formwork_template::Section;
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = Severities::Remark.at(cx.goal) else { return };
    let mut roots = vec![cx.template.root];
    roots.extend(cx.written.iter().flat_map(|written| written.documents).map(|&(root, _)| root));
    let mut seen = NodeSet::default();
    for root in roots {
        for section in [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs] {
            let Some(node) = cx.tree.get(root, section.symbol()) else { continue };
            walk(cx, node, severity, &mut seen);
        }
    }
}

fn walk(cx: &mut Context<'_>, root: NodeId, severity: Severity, seen: &mut NodeSet) {
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if cx.is_cancelled() {
            return;
        }
        if !cx.tree.has(node, flags::HAS_PLACEHOLDER) || !seen.insert(node) {
            continue;
        }
        match cx.tree.view(node) {
            View::Call(Function::Known(Known::Sub), argument) => {
                text(cx, sub_parts(cx.tree, argument).0, severity);
                pending.extend(cx.tree.items(argument).iter().skip(1));
            }
            _ => pending.extend(cx.tree.child_nodes(node)),
        }
    }
}

fn text(cx: &mut Context<'_>, node: NodeId, severity: Severity) {
    let Some(text) = cx.tree.string(node).filter(|text| sub_string::has_variables(text)) else { return };
    let mut found = Vec::new();
    for (part, written) in sub_string::written_parts(text) {
        let mut plain = String::new();
        part.write(&mut plain);
        let is_name = part.variable().is_none_or(sub_string::is_variable_name);
        if plain != written && is_name && !matches!(part, Part::Text(_)) {
            found.push((written.to_owned(), plain));
        }
    }
    for (written, plain) in found {
        let whole = cx.tree.span(node);
        let place = place_of(cx, whole, &written);
        let message = format!("the spaces in `{}` have no effect", shown(&written));
        let mut diagnostic = Diagnostic::new(codes::SUB_VARIABLE, message)
            .at(place.unwrap_or(whole))
            .help(format!("write `{}`", shown(&plain)));
        if let Some(place) = place {
            diagnostic = diagnostic.fix("remove the spaces", place, plain);
        }
        cx.push(diagnostic, severity);
    }
}

/// Returns the place of a part of a string, if it is written literally and once.
fn place_of(cx: &Context<'_>, whole: Span, written: &str) -> Option<Span> {
    let source = cx.sources.slice(whole);
    let at = source.find(written)?;
    let is_once = !source[at + written.len()..].contains(written);
    let start = whole.start() + at as u32;
    is_once.then(|| Span::new(start, start + written.len() as u32))
}
