//! `AWS::CloudFormation::Interface` in the Metadata, which names parameters (reference/structure.md#interface).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{NodeId, symbol};
use formwork_template::{PseudoParameter, Section};

use crate::Context;

const INTERFACE: &str = "AWS::CloudFormation::Interface";

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::INTERFACE) else { return };
    let tree = cx.tree;
    let metadata = tree.get(cx.document.root, symbol::METADATA);
    let Some(interface) = metadata.and_then(|metadata| tree.get_text(metadata, INTERFACE)) else { return };
    // A macro or an include may declare parameters.
    let parameters = cx.template.section(tree, Section::Parameters);
    let is_open = parameters.is_some_and(|section| tree.get(section, symbol::FN_TRANSFORM).is_some());
    if is_open || cx.template.has_own_macros() {
        return;
    }
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
                .at(tree.span(node));
        let diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("remove the name, or declare the parameter"),
        };
        cx.push(diagnostic, severity);
    }
}
