//! The Mappings section (spec validation-messages.md, section 3).

use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, function, symbol};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.template.mappings else { return };
    let severity = cx.command.severity();
    for map in cx.tree.entries(section).collect::<Vec<_>>() {
        let name = shown(cx.tree.text(map.key));
        if cx.tree.symbol(map.key) == symbol::FN_TRANSFORM || function::loop_name(cx.tree.text(map.key)).is_some() {
            continue;
        }
        if cx.tree.kind(map.value) != Kind::Map {
            not_a_map(cx, map.key, &name, severity);
            continue;
        }
        for top in cx.tree.entries(map.value).collect::<Vec<_>>() {
            if cx.tree.symbol(top.key) == symbol::FN_TRANSFORM || function::loop_name(cx.tree.text(top.key)).is_some() {
                continue;
            }
            if cx.tree.kind(top.value) != Kind::Map {
                let key = shown(cx.tree.text(top.key));
                not_a_map(cx, top.key, &key, severity);
                continue;
            }
            for entry in cx.tree.entries(top.value).collect::<Vec<_>>() {
                value(cx, entry, severity);
            }
        }
    }
}

fn not_a_map(cx: &mut Context<'_>, key: NodeId, name: &str, severity: Severity) {
    let diagnostic = Diagnostic::new(
        codes::WRONG_KIND,
        format!("{name} is no mapping: `Template format error: Every Mappings member {name} must be a map`"),
    )
    .at(cx.tree.span(key))
    .help("a mapping has two levels of keys: `Map: {TopKey: {SecondKey: value}}`");
    cx.push(diagnostic, severity);
}

fn value(cx: &mut Context<'_>, entry: Entry, severity: Severity) {
    let (what, help) = match cx.tree.kind(entry.value) {
        Kind::Call => ("a function", "functions do not work in Mappings: compute the value where it is used"),
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
