//! Functions with another key beside them (reference/functions.md#layout): an object with the name of a function and
//! more is data for CloudFormation, and no property takes it.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, NodeSet, flags, symbol};
use formwork_template::reference::sub_parts;
use formwork_template::{PseudoParameter, Section};

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    let mut done = NodeSet::default();
    for section in [Section::Conditions, Section::Resources, Section::Outputs] {
        for member in cx.judged(section) {
            let mut pending = vec![member.value];
            while let Some(node) = pending.pop() {
                if cx.is_cancelled() {
                    return;
                }
                let is_shared = tree.may_share() && !tree.is_generated(node);
                if !tree.has(node, flags::HAS_MIXED) || is_shared && !done.insert(node) {
                    continue;
                }
                // The attributes of the entry itself are checked where it is declared.
                if node != member.value
                    && tree.kind(node) == Kind::Map
                    && let Some((known, function, other)) = misplaced(cx, node)
                {
                    report(cx, member, (known, function, other));
                }
                match tree.kind(node) {
                    Kind::List => pending.extend(tree.items(node).iter().rev()),
                    Kind::Map => pending.extend(tree.entries(node).rev().map(|entry| entry.value)),
                    // Variables may have any name.
                    Kind::Call if tree.argument_of(node, Known::Sub).is_some() => {
                        let variables = sub_parts(tree, tree.call(node).1).1;
                        let entries = variables.into_iter().flat_map(|variables| tree.entries(variables));
                        pending.extend(entries.map(|entry| entry.value));
                    }
                    // The parameters of a macro are not checked.
                    Kind::Call if tree.argument_of(node, Known::Transform).is_none() => pending.push(tree.call(node).1),
                    _ => {}
                }
            }
        }
    }
}

/// Returns the first entry of an object that is a function, and one beside it.
fn misplaced(cx: &Context<'_>, node: NodeId) -> Option<(Known, Entry, Entry)> {
    let tree = cx.tree;
    if tree.len(node) < 2 {
        return None;
    }
    let function = tree.entries(node).find_map(|entry| {
        let name = tree.text(entry.key);
        let known = Known::from_long(name).filter(|known| known.long() == name)?;
        let is_function = match known {
            // These may be beside other keys, or have their own message.
            Known::Transform | Known::Condition => false,
            known if known.is_local() || known.is_of_modules() => false,
            Known::Ref => tree.string(entry.value).is_some_and(|name| exists(cx, name)),
            _ => true,
        };
        is_function.then_some((known, entry))
    });
    let (known, function) = function?;
    // Duplicate keys are reported as such.
    let other = tree.entries(node).find(|entry| tree.symbol(entry.key) != tree.symbol(function.key))?;
    Some((known, function, other))
}

/// Returns `true` if `Ref` can refer to the name: data may have a key `Ref`, too.
fn exists(cx: &Context<'_>, name: &str) -> bool {
    let symbol = cx.tree.symbols().get(name);
    let resources = cx.tree.get(cx.unrolled, symbol::RESOURCES);
    PseudoParameter::from_name(name).is_some()
        || symbol.is_some_and(|name| {
            cx.template.parameter(name).is_some()
                || resources.is_some_and(|resources| cx.tree.get(resources, name).is_some())
        })
}

fn report(cx: &mut Context<'_>, member: Entry, (known, function, other): (Known, Entry, Entry)) {
    let tree = cx.tree;
    let other_name = shown(tree.text(other.key));
    let is_function = Known::from_long(tree.text(other.key)).is_some();
    let (message, help) = if is_function {
        let message = format!("{} and {other_name} are in one object", known.long());
        (message, "keep one of the two functions, or put one into the other".to_owned())
    } else {
        let message = format!("{} has the key {other_name} beside it", known.long());
        (message, format!("remove {other_name}, or write it one level higher"))
    };
    let diagnostic = Diagnostic::new(codes::FUNCTION_LAYOUT, message)
        .at(tree.span(other.key))
        .related(tree.span(function.key), "the function")
        .frames(tree.frame_chain(tree.frame_of(member.key)))
        .note("a function is an object with a single key; with more keys it is an object that nothing evaluates")
        .help(help);
    let severity = cx.severity_of(member.key);
    cx.push(diagnostic, severity);
}
