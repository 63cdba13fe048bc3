//! `Fn::Join` that is simpler as `Fn::Sub` (reference/functions.md#plain-join).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Format, Function, Kind, NodeId, NodeSet, View, flags, has_placeholder, symbol};
use formwork_template::PseudoParameter;

use crate::Context;

/// A longer string is not written for the author.
const LONGEST: usize = 120;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::PLAIN_JOIN) else { return };
    // The name is also that of a short tag.
    if !cx.selection.names(codes::PLAIN_JOIN) || cx.tree.symbols().get(Known::Join.long()).is_none() {
        return;
    }
    let (mut joins, mut seen) = (Vec::new(), NodeSet::default());
    for section in [symbol::RESOURCES, symbol::OUTPUTS] {
        let Some(node) = cx.tree.get(cx.document.root, section).filter(|&node| cx.tree.kind(node) == Kind::Map) else {
            continue;
        };
        for entry in cx.tree.entries(node) {
            if cx.is_cancelled() {
                return;
            }
            find(cx, entry.value, &mut joins, &mut seen);
        }
    }
    for (join, text) in joins {
        let diagnostic = Diagnostic::new(codes::PLAIN_JOIN, "this Fn::Join is simpler as Fn::Sub")
            .at(cx.tree.span(join))
            .note("its delimiter is empty, and it joins strings and references alone");
        let diagnostic = match code(cx, join, &text) {
            Some((help, code)) => {
                diagnostic.help(format!("write `{help}`")).fix("write Fn::Sub", cx.tree.span(join), code)
            }
            None => diagnostic.help("put the references into one string, as `${Name}` or `${Name.Attribute}`"),
        };
        cx.push(diagnostic, severity);
    }
}

fn find(cx: &Context<'_>, node: NodeId, joins: &mut Vec<(NodeId, String)>, seen: &mut NodeSet) {
    if !cx.tree.has(node, flags::HAS_CALL) || !seen.insert(node) {
        return;
    }
    match cx.tree.view(node) {
        View::Map => cx.tree.entries(node).for_each(|entry| find(cx, entry.value, joins, seen)),
        View::List(items) => items.iter().for_each(|&item| find(cx, item, joins, seen)),
        View::Call(Function::Known(Known::Join), argument) => match as_sub(cx, argument) {
            Some(text) => joins.push((node, text)),
            None => find(cx, argument, joins, seen),
        },
        // The parameters of a macro are not checked.
        View::Call(Function::Known(Known::Transform) | Function::Other(_), _) => {}
        View::Call(_, argument) => find(cx, argument, joins, seen),
        _ => {}
    }
}

/// Returns the string of an `Fn::Sub` with the same result as an `Fn::Join` with this argument.
fn as_sub(cx: &Context<'_>, argument: NodeId) -> Option<String> {
    let &[delimiter, list] = cx.tree.items(argument) else { return None };
    if cx.tree.string(delimiter) != Some("") || cx.tree.kind(list) != Kind::List {
        return None;
    }
    let mut text = String::new();
    let mut has_reference = false;
    for &item in cx.tree.items(list) {
        match cx.tree.view(item) {
            View::Call(Function::Known(Known::Ref), name) => {
                let name = cx.tree.string(name).filter(|name| is_one_value(cx, name))?;
                text.extend(["${", name, "}"]);
                has_reference = true;
            }
            View::Call(Function::Known(Known::GetAtt), argument) => {
                let (name, attribute) = match cx.tree.view(argument) {
                    View::String(text) => text.split_once('.')?,
                    View::List(&[name, attribute]) => (cx.tree.string(name)?, cx.tree.string(attribute)?),
                    _ => return None,
                };
                let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
                if !is_plain(name) || !is_plain(attribute) {
                    return None;
                }
                text.extend(["${", name, ".", attribute, "}"]);
                has_reference = true;
            }
            View::String(part) => {
                // A placeholder that a loop fills in means something else in Fn::Sub.
                if has_placeholder(part) || part.ends_with('$') {
                    return None;
                }
                text += part;
            }
            View::Number(_) => text += cx.tree.text(item),
            _ => return None,
        }
    }
    has_reference.then_some(text)
}

fn is_one_value(cx: &Context<'_>, name: &str) -> bool {
    let is_list = cx.tree.symbols().get(name).and_then(|name| cx.template.parameter(name)).map(|one| one.kind.is_list);
    match PseudoParameter::from_name(name) {
        Some(pseudo) => !matches!(pseudo, PseudoParameter::NoValue | PseudoParameter::NotificationArns),
        None => is_list != Some(true) && name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    }
}

/// Returns the call as it is shown, and as it replaces the other.
fn code(cx: &Context<'_>, join: NodeId, text: &str) -> Option<(String, String)> {
    let written = cx.sources.slice(cx.tree.span(join));
    let is_plain = text.chars().all(|c| !c.is_control() && c != '"' && c != '\\' && c != '\'');
    let is_lossless = !written.contains(['#', '&']) && cx.tree.anchor(join).is_none() && !cx.tree.is_alias(join);
    if text.len() > LONGEST || !is_plain || !is_lossless {
        return None;
    }
    let json = format!("{{\"Fn::Sub\": \"{text}\"}}");
    Some(match (cx.document.format, written.chars().next()) {
        (Format::Json, Some('{')) => (json.clone(), json),
        (Format::Json, _) => return None,
        (Format::Yaml, Some('!')) => (format!("!Sub \"{text}\""), format!("!Sub \"{text}\"")),
        (Format::Yaml, Some('{')) => (json.clone(), json),
        (Format::Yaml, _) => (format!("Fn::Sub: \"{text}\""), format!("Fn::Sub: \"{text}\"")),
    })
}
