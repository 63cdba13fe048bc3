//! Conditions: their definition with values filled in, the parameters they depend on, and the branch of `Fn::If`.

use std::collections::BTreeSet;

use formwork::query::{FileIndex, SymbolKind};
use formwork::tree::{Function, Kind, Known};
use formwork::{NodeId, Tree};

use crate::Ide;
use crate::markdown::{span, words};
use crate::values::shown;
use crate::visit::visit;

/// The definition of a condition with the current values, if any is known; on one line, in the format of the template.
pub(super) fn filled(ide: &Ide<'_>, tree: &Tree, definition: NodeId) -> Option<String> {
    let mut has_value = false;
    let is_json = ide.compilation().format() == formwork::Format::Json;
    let text = fill((ide, is_json), tree, definition, &mut has_value)?;
    (has_value && text.len() <= 200).then_some(text)
}

fn fill(at: (&Ide<'_>, bool), tree: &Tree, node: NodeId, has_value: &mut bool) -> Option<String> {
    let (ide, is_json) = at;
    match tree.kind(node) {
        Kind::List => {
            let items = tree.items(node).iter().map(|&item| fill(at, tree, item, has_value));
            Some(format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(", ")))
        }
        Kind::Call => {
            let (function, argument) = tree.call(node);
            let name = tree.string(argument);
            let value = match (function, name) {
                (Function::Known(Known::Ref), Some(name)) => {
                    ide.compilation().value_of_parameter(name).map(|(value, _)| format!("\"{}\"", shown(&value)))
                }
                (Function::Known(Known::Condition), Some(name)) => outcome(ide, name).map(|holds| holds.to_string()),
                _ => None,
            };
            if let Some(value) = value {
                *has_value = true;
                return Some(value);
            }
            let long = tree.function_name(function);
            let argument = fill(at, tree, argument, has_value)?;
            if is_json {
                return Some(format!("{{\"{long}\": {argument}}}"));
            }
            let short = Known::from_long(long).map_or("", Known::short);
            Some(if short.is_empty() { format!("{{{long}: {argument}}}") } else { format!("!{short} {argument}") })
        }
        Kind::Map => None,
        Kind::String if is_json => Some(format!("\"{}\"", tree.text(node))),
        _ => Some(tree.text(node).to_owned()),
    }
}

/// The outcome of a condition of the template; `None` when it is undecided.
pub(super) fn outcome(ide: &Ide<'_>, name: &str) -> Option<bool> {
    ide.compilation().conditions().into_iter().find(|(known, _)| known == name)?.1
}

/// The parameters without a value on which the outcome of a condition depends, through other conditions too.
pub(super) fn waits_for(ide: &Ide<'_>, index: &FileIndex, definition: NodeId) -> Vec<String> {
    let tree = index.tree();
    let section = index.root().and_then(|root| tree.get_text(root, "Conditions"));
    let (mut open, mut seen, mut found) = (vec![definition], BTreeSet::new(), BTreeSet::new());
    while let Some(node) = open.pop() {
        visit(tree, node, &mut |visited| {
            if let Some(name) = tree.argument_of(visited.node, Known::Ref).and_then(|name| tree.string(name))
                && ide.compilation().value_of_parameter(name).is_none()
                && name != "AWS::NoValue"
            {
                found.insert(name.to_owned());
            }
            if let Some(name) = tree.argument_of(visited.node, Known::Condition).and_then(|name| tree.string(name))
                && seen.insert(name.to_owned())
            {
                open.extend(section.and_then(|section| tree.get_text(section, name)));
            }
        });
    }
    found.into_iter().collect()
}

/// The branch of `Fn::If` under the current values, in source form.
pub(super) fn branch(ide: &Ide<'_>, index: &FileIndex, call: NodeId) -> Option<String> {
    let tree = index.tree();
    let argument = tree.argument_of(call, Known::If)?;
    let &[condition, then, otherwise] = tree.items(argument) else { return None };
    let name = tree.string(condition)?;
    let range = index.range_of(tree.span(condition));
    let symbol = ide.project().symbol_at(index.path(), range.start + 1)?;
    if symbol.kind != SymbolKind::Condition || index.path() != ide.root() {
        return None;
    }
    let Some(holds) = outcome(ide, name) else {
        return Some(format!("**branch** not known: it depends on {}", words(name)));
    };
    let node = if holds { then } else { otherwise };
    let range = index.range_of(tree.site(node));
    let source = index.text().get(range.start as usize..range.end as usize).unwrap_or_default().trim_end();
    let shown = if source.contains('\n') { String::new() } else { format!(": {}", span(source)) };
    let which = if holds { "second" } else { "third" };
    Some(format!("**branch** the {which} argument, as {} is {holds}{shown}", words(name)))
}
