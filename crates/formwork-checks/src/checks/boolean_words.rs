//! Words such as `yes` without quotes in the values of a parameter that becomes part of a string
//! (reference/reading.md#scalars): YAML 1.1 has them as Booleans.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, scalar, symbol};
use formwork_template::Section;
use formwork_template::reference::{self, Reference};
use rustc_hash::FxHashSet;

use crate::Context;

/// Checks the parameters as written, and their uses in resources and outputs.
pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::AMBIGUOUS_SCALAR) else { return };
    let tree = cx.tree;
    let Some(parameters) = tree.get(cx.document.root, Section::Parameters.symbol()) else { return };
    let declared: Vec<(Symbol, Vec<NodeId>)> = tree
        .entries(parameters)
        .map(|entry| (tree.symbol(entry.key), words_of(tree, entry.value)))
        .filter(|(_, words)| !words.is_empty())
        .collect();
    if declared.is_empty() {
        return;
    }
    let embedded = embedded(cx);
    for (name, words) in declared {
        let Some(&first) = words.first().filter(|_| embedded.contains(&name)) else { continue };
        let (word, meant) = (tree.text(first), tree.text_form(first));
        let title = format!("`{word}` of parameter {} is the Boolean `{meant}`", shown(tree.symbols().text(name)));
        let edits: Vec<(Span, String)> =
            words.iter().map(|&word| (tree.span(word), format!("\"{}\"", tree.text(word)))).collect();
        let diagnostic = Diagnostic::titled(codes::AMBIGUOUS_SCALAR, title)
            .at(tree.span(first))
            .note(format!(
                "CloudFormation puts `{meant}` where the parameter is part of a string or the key of a mapping"
            ))
            .help(format!("quote it: `\"{word}\"`"))
            .fix_all("quote it", edits);
        cx.push(diagnostic, severity);
    }
}

/// Returns `true` for a Boolean that is neither `true` nor `false`, such as `yes`.
pub(super) fn is_word(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == Kind::Bool
        && scalar::truth(tree.text(node)).is_some()
        && !["true", "false"].iter().any(|word| tree.text(node).eq_ignore_ascii_case(word))
}

fn words_of(tree: &Tree, parameter: NodeId) -> Vec<NodeId> {
    let default = tree.get_text(parameter, "Default").into_iter();
    let allowed = tree.get_text(parameter, "AllowedValues").filter(|&list| tree.kind(list) == Kind::List);
    let values = allowed.map(|list| tree.items(list).to_vec()).unwrap_or_default();
    default.chain(values).filter(|&node| is_word(tree, node)).collect()
}

/// Returns the names that become a part of a string, or the key of a mapping.
fn embedded(cx: &Context<'_>) -> FxHashSet<Symbol> {
    let tree = cx.tree;
    let mut found = FxHashSet::default();
    let mut add = |reference: Reference<'_>| {
        found.extend(tree.symbols().get(reference.name).filter(|_| reference.attribute.is_none()));
    };
    let mut pending: Vec<NodeId> =
        [symbol::RESOURCES, symbol::OUTPUTS].iter().filter_map(|&section| tree.get(cx.unrolled, section)).collect();
    while let Some(node) = pending.pop() {
        let is_text = [Known::Sub, Known::Join, Known::FindInMap]
            .iter()
            .any(|&function| tree.argument_of(node, function).is_some());
        if is_text {
            reference::visit(tree, node, &mut |_| true, &mut add);
            continue;
        }
        pending.extend(tree.child_nodes(node));
    }
    found
}
