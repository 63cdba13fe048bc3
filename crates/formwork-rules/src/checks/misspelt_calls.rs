//! Objects that are meant to be a call, whose key is a misspelt function: `{"Rf": "Topic"}`, `{"fn:Join": [...]}`. Only
//! what cannot be data is taken for one (reference/functions.md#misspelt).

use formwork_base::{Diagnostic, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, NodeSet, View, flags, symbol};
use formwork_template::{PseudoParameter, Section};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    if !cx.goal.is_thorough() {
        return;
    }
    let (mut found, mut seen) = (Vec::new(), NodeSet::default());
    for section in [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs] {
        let Some(node) = cx.tree.get(cx.template.root, section.symbol()) else { continue };
        for member in cx.tree.entries(node) {
            if cx.is_cancelled() {
                return;
            }
            let entries = cx.tree.entries(member.value).filter(|entry| cx.tree.symbol(entry.key) != symbol::METADATA);
            for entry in entries {
                find(cx, entry.value, &mut found, &mut seen);
            }
            if section == Section::Conditions {
                find(cx, member.value, &mut found, &mut seen);
            }
        }
    }
    for (entry, function) in found {
        let name = shown(cx.tree.text(entry.key));
        let diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, format!("unknown function {name}"))
            .at(cx.tree.span(entry.key))
            .note("an object with this key is data, and CloudFormation does not replace it")
            .help(format!("did you mean `{}`?", function.long()))
            .unsafe_fix("write the function", cx.tree.span(entry.key), function.long());
        cx.push(diagnostic, cx.as_written());
    }
}

fn find(cx: &Context<'_>, root: NodeId, found: &mut Vec<(Entry, Known)>, seen: &mut NodeSet) {
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if !matches!(cx.tree.kind(node), Kind::List | Kind::Map | Kind::Call) || !seen.insert(node) {
            continue;
        }
        match cx.tree.view(node) {
            View::List(items) => pending.extend(items),
            View::Map => {
                if let [entry] = cx.tree.entries(node).collect::<Vec<_>>()[..]
                    && let Some(function) = meant(cx, entry)
                {
                    found.push((entry, function));
                }
                pending.extend(cx.tree.entries(node).map(|entry| entry.value));
            }
            // The parameters of a macro are its own.
            View::Call(..) if cx.tree.has(node, flags::HAS_TRANSFORM) && is_transform(cx, node) => {}
            View::Call(_, argument) => pending.push(argument),
            _ => {}
        }
    }
}

fn is_transform(cx: &Context<'_>, node: NodeId) -> bool {
    cx.tree.argument_of(node, Known::Transform).is_some()
}

/// The function that the only entry of an object is meant to call.
fn meant(cx: &Context<'_>, entry: Entry) -> Option<Known> {
    let key = cx.tree.text(entry.key);
    if key.len() > "Fn::EachMemberEquals".len() + 2 {
        return None;
    }
    let function = |long: &str| Known::ALL.iter().copied().find(|known| known.long() == long);
    // One colon, three of them, or small letters.
    let has_prefix = key.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("Fn"));
    if has_prefix && key[2..].starts_with(':') && !key.starts_with("Fn::") || key.starts_with("Fn:::") {
        let long = format!("Fn::{}", key[2..].trim_start_matches(':'));
        let names = Known::ALL.iter().map(|known| known.long());
        return function(&long).or_else(|| function(suggest::nearest(&long, names)?));
    }
    // A reference: to something that there is, or is nearly.
    const LONGEST: usize = 5;
    let is_near = key.len() <= LONGEST && suggest::nearest(key, ["Ref"]).is_some();
    if is_near && cx.tree.string(entry.value).is_some_and(|name| exists(cx, name)) {
        return Some(Known::Ref);
    }
    None
}

fn exists(cx: &Context<'_>, name: &str) -> bool {
    if PseudoParameter::from_name(name).is_some() {
        return true;
    }
    let Some(symbol) = cx.tree.symbols().get(name) else { return false };
    let resources = cx.tree.get(cx.template.root, symbol::RESOURCES);
    cx.template.parameter(symbol).is_some()
        || resources.is_some_and(|resources| cx.tree.get(resources, symbol).is_some())
}
