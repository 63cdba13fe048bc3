//! The Mappings section (reference/structure.md#declarations).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, symbol};
use formwork_template::{logical_id, reserved_mapping};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.template.mappings else { return };
    if cx.severity_of_code(codes::RESERVED_MAPPING).is_some() {
        cx.diagnostics.extend(reserved_mapping::reserved(cx.tree, cx.template.root));
    }
    let severity = cx.as_written();
    for map in cx.tree.entries(section).collect::<Vec<_>>() {
        let name = shown(cx.tree.text(map.key));
        if is_opaque(cx.tree, map) {
            continue;
        }
        if is_judged(cx, map.key) && !logical_id::is_alphanumeric(cx.tree.text(map.key)) {
            let diagnostic =
                Diagnostic::new(codes::NAME_NOT_ALPHANUMERIC, format!("the mapping name {name} is not alphanumeric"))
                    .at(cx.tree.span(map.key))
                    .help("rename it, here and where it is looked up");
            cx.push(diagnostic, severity);
        }
        if cx.tree.kind(map.value) != Kind::Map {
            // A null is reported as one.
            if cx.tree.kind(map.value) != Kind::Null {
                not_a_map(cx, map.key, &name, severity);
            }
            continue;
        }
        for top in cx.tree.entries(map.value).collect::<Vec<_>>() {
            if cx.is_cancelled() {
                return;
            }
            if is_opaque(cx.tree, top) {
                continue;
            }
            if cx.tree.kind(top.value) == Kind::Null {
                continue;
            }
            if cx.tree.kind(top.value) != Kind::Map {
                let key = shown(cx.tree.text(top.key));
                not_a_map(cx, top.key, &key, severity);
                continue;
            }
            if is_judged(cx, top.key) {
                top_key(cx, top.key, severity);
            }
            for entry in cx.tree.entries(top.value).collect::<Vec<_>>() {
                if is_judged(cx, entry.key) {
                    attribute_name(cx, entry.key, severity);
                }
                value(cx, entry, severity);
            }
        }
    }
}

/// Returns `true` for a name whose characters are checked: one that its author wrote, and that CloudFormation would
/// see.
fn is_judged(cx: &Context<'_>, key: NodeId) -> bool {
    !cx.tree.is_generated(key)
}

/// Returns `true` for an entry that is not checked: of a macro or an include, a loop that is left, and an `Fn::Map` or
/// `Fn::Merge`, whose place is an error that is reported elsewhere.
fn is_opaque(tree: &Tree, entry: Entry) -> bool {
    tree.symbol(entry.key) == symbol::FN_TRANSFORM
        || function::loop_name(tree.text(entry.key)).is_some()
        || is_misplaced(tree, entry.value)
}

fn is_misplaced(tree: &Tree, value: NodeId) -> bool {
    matches!(tree.view(value), View::Call(Function::Known(Known::Map | Known::Merge | Known::Transform), _))
}

fn not_a_map(cx: &mut Context<'_>, key: NodeId, name: &str, severity: Severity) {
    let diagnostic = Diagnostic::new(
        codes::WRONG_KIND,
        format!("{name} is not a mapping: `Template format error: Every Mappings member {name} must be a map`"),
    )
    .at(cx.tree.span(key))
    .help("a mapping has two levels of keys: `Map: {TopKey: {SecondKey: value}}`");
    cx.push(diagnostic, severity);
}

/// Checks a top-level key, such as a Region.
fn top_key(cx: &mut Context<'_>, key: NodeId, severity: Severity) {
    let name = cx.tree.text(key);
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.')) {
        return;
    }
    let name = shown(name);
    let message = format!("the key {name} of a mapping has other characters than letters, digits, `-` and `.`");
    let sentence =
        format!("Mappings element name '{name}' must be non-empty and can contain only alphanumerics, '-' or '.'");
    wrong_key(cx, key, (&message, &sentence, ""), severity);
}

fn attribute_name(cx: &mut Context<'_>, key: NodeId, severity: Severity) {
    let name = cx.tree.text(key);
    if cx.tree.symbol(key) == symbol::FN_TRANSFORM || logical_id::is_alphanumeric(name) {
        return;
    }
    let name = shown(name);
    let message = format!("the second-level key {name} of a mapping is not alphanumeric");
    let sentence = format!("Mappings attribute name '{name}' must contain only alphanumeric characters.");
    wrong_key(cx, key, (&message, &sentence, "; a key such as a Region can be a top-level key"), severity);
}

/// Reports a key that CloudFormation rejects with `sentence`. `more` is added to the help.
fn wrong_key(cx: &mut Context<'_>, key: NodeId, (message, sentence, more): (&str, &str, &str), severity: Severity) {
    let diagnostic = Diagnostic::new(codes::NAME_NOT_ALPHANUMERIC, message)
        .at(cx.tree.span(key))
        .quoting(&format!("Template format error: {sentence}"))
        .help(format!("rename it, here and where it is looked up{more}"));
    cx.push(diagnostic, severity);
}

fn value(cx: &mut Context<'_>, entry: Entry, severity: Severity) {
    let call = cx.tree.items(entry.value).iter().copied().find(|&item| cx.tree.kind(item) == Kind::Call);
    if let Some(call) = call.filter(|&call| !is_misplaced(cx.tree, call)) {
        let name = shown(cx.tree.text(entry.key));
        let message = format!("the list {name} in a mapping has a function in it");
        let diagnostic = Diagnostic::new(codes::WRONG_KIND, message)
            .at(cx.tree.span(call))
            .help("functions are not supported in Mappings: compute the value where it is used");
        return cx.push(diagnostic, severity);
    }
    let (what, help) = match cx.tree.kind(entry.value) {
        Kind::Call if is_misplaced(cx.tree, entry.value) => return,
        Kind::Call => ("a function", "functions are not supported in Mappings: compute the value where it is used"),
        Kind::Map => ("an object", "a mapping has two levels of keys: `Map: {TopKey: {SecondKey: value}}`"),
        _ => return,
    };
    let name = shown(cx.tree.text(entry.key));
    let sentence = "Template format error: Every Mappings attribute must be a String or a List.";
    let diagnostic =
        Diagnostic::new(codes::WRONG_KIND, format!("the value of {name} in a mapping is {what}: `{sentence}`"))
            .at(cx.tree.span(entry.value))
            .help(help);
    cx.push(diagnostic, severity);
}
