//! `AWS::CloudFormation::Interface` in the Metadata, which names parameters (reference/structure.md#interface).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Goal, Severity, codes, suggest};
use formwork_syntax::{NodeId, symbol};
use formwork_template::{PseudoParameter, Section};

use crate::Context;

const INTERFACE: &str = "AWS::CloudFormation::Interface";

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::INTERFACE) else { return };
    let tree = cx.tree;
    let metadata = tree.get(cx.document.root, symbol::METADATA);
    let Some(metadata) = metadata else { return };
    let Some(interface) = tree.get_text(metadata, INTERFACE) else {
        let mut names = tree.entries(metadata).map(|entry| entry.key);
        if let Some(key) = names.find(|&key| suggest::slip(tree.text(key), [INTERFACE]).is_some()) {
            slip(cx, key, "Metadata", INTERFACE);
        }
        return;
    };
    // A macro or an include may declare parameters.
    let parameters = cx.template.section(tree, Section::Parameters);
    let is_open = parameters.is_some_and(|section| tree.get(section, symbol::FN_TRANSFORM).is_some());
    if is_open || cx.template.has_own_macros() {
        return;
    }
    keys(cx, interface);
    let groups = tree.get_text(interface, "ParameterGroups");
    let of_groups = groups
        .into_iter()
        .flat_map(|groups| tree.items(groups))
        .filter_map(|&group| tree.get_text(group, "Parameters"))
        .flat_map(|names| tree.items(names).iter().copied());
    let labels = tree.get_text(interface, "ParameterLabels");
    let of_labels = labels.into_iter().flat_map(|labels| tree.entries(labels)).map(|label| label.key);
    let names: Vec<NodeId> = of_groups.chain(of_labels).collect();
    for node in names {
        let name = tree.text(node);
        let is_declared = tree.symbols().get(name).is_some_and(|name| cx.template.parameter(name).is_some());
        if name.is_empty() || is_declared || name.contains("${") || PseudoParameter::from_name(name).is_some() {
            continue;
        }
        let known = cx.template.parameters.iter().map(|parameter| tree.name(parameter.name));
        let near = cx.diagnostics.suggester().nearest(name, known).map(str::to_owned);
        let diagnostic =
            Diagnostic::new(codes::INTERFACE, format!("the interface names {}, which is not a parameter", shown(name)))
                .at(tree.span(node))
                .fact(Fact::Name(name.to_owned()));
        let diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("remove the name, or declare the parameter"),
        };
        cx.push(diagnostic, severity);
    }
}

/// Reports keys that are nearly those of the interface: CloudFormation ignores their values.
fn keys(cx: &mut Context<'_>, interface: NodeId) {
    let tree = cx.tree;
    let mut found: Vec<(NodeId, &str, &'static str)> = Vec::new();
    let mut look = |node: NodeId, place: &'static str, known: &[&'static str]| {
        for entry in tree.entries(node) {
            let near = suggest::slip(tree.text(entry.key), known.iter().copied());
            if let Some(near) = near.filter(|near| tree.get_text(node, near).is_none()) {
                found.push((entry.key, place, known.iter().find(|known| **known == near).copied().unwrap_or_default()));
            }
        }
    };
    look(interface, "the interface", &["ParameterGroups", "ParameterLabels"]);
    let below = |name| tree.get_text(interface, name);
    for &group in below("ParameterGroups").into_iter().flat_map(|groups| tree.items(groups)) {
        look(group, "a parameter group", &["Label", "Parameters"]);
        if let Some(label) = tree.get_text(group, "Label") {
            look(label, "a label", &["default"]);
        }
    }
    for label in below("ParameterLabels").into_iter().flat_map(|labels| tree.entries(labels)) {
        look(label.value, "a label", &["default"]);
    }
    for (key, place, near) in found {
        slip(cx, key, place, near);
    }
}

fn slip(cx: &mut Context<'_>, key: NodeId, place: &str, near: &str) {
    let diagnostic =
        Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("{place} has the unknown key {}", shown(cx.tree.text(key))))
            .at(cx.tree.span(key))
            .note("CloudFormation ignores it, and the console shows the parameters in another order")
            .help(format!("did you mean `{near}`?"))
            .fix("rename the key", cx.tree.span(key), near);
    cx.push(diagnostic, if cx.goal == Goal::Check { Severity::Error } else { Severity::Warning });
}
