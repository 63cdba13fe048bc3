//! Objects that are meant to be a call, whose key is a misspelt function: `{"Rf": "Topic"}`, `{"fn:Join": [...]}`. Only
//! keys that cannot be data are reported (reference/functions.md#misspelt).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, NodeSet, Tree, View, flags, symbol};
use formwork_template::{PseudoParameter, Section};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    if !cx.goal.is_thorough() {
        return;
    }
    let (mut found, mut seen) = (Vec::new(), NodeSet::default());
    let sections = [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs];
    let modules = cx.written.map_or(&[][..], |written| written.documents);
    // Declarations of a module are known only in its file, whose nodes are in the result, too.
    let roots = modules.iter().map(|&(root, _)| root).chain(std::iter::once(cx.template.root));
    for (root, section) in roots.flat_map(|root| sections.map(|section| (root, section))) {
        let Some(node) = cx.tree.get(root, section.symbol()) else { continue };
        for member in members(cx.tree, node) {
            if cx.is_cancelled() {
                return;
            }
            for entry in cx.tree.entries(member.value) {
                find(cx, root, entry.value, &mut found, &mut seen);
            }
            if section == Section::Conditions {
                find(cx, root, member.value, &mut found, &mut seen);
            }
        }
    }
    for (entry, function) in found {
        let name = shown(cx.tree.text(entry.key));
        let diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, format!("unknown function {name}"))
            .at(cx.tree.span(entry.key))
            .fact(Fact::UnknownFunction)
            .note("an object with this key is data, and CloudFormation does not replace it")
            .help(format!("did you mean `{}`?", function.long()))
            .unsafe_fix("write the function", cx.tree.span(entry.key), function.long());
        cx.push(diagnostic, cx.as_written());
    }
}

/// Returns the entries of a section, and those of the fragments of its loops.
pub(super) fn members(tree: &Tree, section: NodeId) -> Vec<Entry> {
    let (mut found, mut pending) = (Vec::new(), vec![section]);
    while let Some(node) = pending.pop() {
        for entry in tree.entries(node) {
            match (tree.loop_name(entry.key), tree.items(entry.value)) {
                (Some(_), &[_, _, fragment]) => pending.push(fragment),
                _ => found.push(entry),
            }
        }
    }
    found
}

fn find(cx: &Context<'_>, document: NodeId, root: NodeId, found: &mut Vec<(Entry, Known)>, seen: &mut NodeSet) {
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if !matches!(cx.tree.kind(node), Kind::List | Kind::Map | Kind::Call) || !seen.insert(node) {
            continue;
        }
        match cx.tree.view(node) {
            View::List(items) => pending.extend(items),
            View::Map => {
                let mut entries = cx.tree.entries(node);
                if let (Some(entry), None) = (entries.next(), entries.next())
                    && let Some(function) = meant(cx, document, entry)
                {
                    found.push((entry, function));
                }
                pending.extend(cx.tree.entries(node).map(|entry| entry.value));
            }
            // The parameters of a macro are not checked.
            View::Call(..) if cx.tree.has(node, flags::HAS_TRANSFORM) && is_transform(cx, node) => {}
            View::Call(_, argument) => pending.push(argument),
            _ => {}
        }
    }
}

fn is_transform(cx: &Context<'_>, node: NodeId) -> bool {
    cx.tree.argument_of(node, Known::Transform).is_some()
}

/// Returns the function that the only entry of an object is meant to call.
fn meant(cx: &Context<'_>, document: NodeId, entry: Entry) -> Option<Known> {
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
    // Another letter in front of the colons or one too many, or other marks instead of them.
    if let Some(function) = with_other_prefix(key) {
        return Some(function);
    }
    // A reference to a name that exists, or nearly does.
    const LONGEST: usize = 5;
    let is_near = key.len() <= LONGEST && suggest::nearest(key, ["Ref"]).is_some();
    if is_near && cx.tree.string(entry.value).is_some_and(|name| exists(cx, document, name)) {
        return Some(Known::Ref);
    }
    None
}

/// Returns the function that is written with a slip in `Fn` or in the colons: `F::Join`, `Fnn::Sub`, `Fn.If`, `FnSub`.
fn with_other_prefix(key: &str) -> Option<Known> {
    let named = |name: &str| {
        let short = |known: &Known| known.long().strip_prefix("Fn::").unwrap_or_default().to_owned();
        Known::ALL.iter().copied().find(|known| !name.is_empty() && short(known) == name)
    };
    if let Some((prefix, name)) = key.split_once("::") {
        let is_near = prefix != "Fn" && prefix.len() <= 4 && suggest::slip(prefix, ["Fn"]).is_some();
        return named(name).filter(|_| is_near);
    }
    named(key.strip_prefix("Fn")?.trim_start_matches(['.', '-', '_', ' ', ';']))
}

fn exists(cx: &Context<'_>, document: NodeId, name: &str) -> bool {
    if PseudoParameter::from_name(name).is_some() {
        return true;
    }
    let Some(symbol) = cx.tree.symbols().get(name) else { return false };
    let declares = |section| cx.tree.get(document, section).is_some_and(|names| cx.tree.get(names, symbol).is_some());
    declares(symbol::PARAMETERS) || declares(symbol::RESOURCES)
}
