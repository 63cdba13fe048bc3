//! Attributes of nested stacks, which are only their outputs (reference/functions.md#get-att).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::symbol;
use formwork_template::Section;
use formwork_template::attribute::is_nested_stack;
use formwork_template::reference::{self, By};

use super::repeats::Repeats;
use super::written::Variables;
use crate::Context;

const OUTPUTS: &str = "Outputs.";

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    let Some(severity) = cx.severity_of_code(codes::NO_SUCH_ATTRIBUTE) else { return };
    let Some(resources) = tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    let kind = |resource| tree.get(resource, symbol::TYPE).and_then(|kind| tree.string(kind));
    let is_stack = |resource| kind(resource).is_some_and(is_nested_stack);
    if !tree.entries(resources).any(|resource| is_stack(resource.value)) {
        return;
    }
    let (mut found, mut repeats) = (Vec::new(), Repeats::default());
    for section in [Section::Resources, Section::Outputs] {
        let members = tree.get(cx.unrolled, section.symbol());
        for member in members.into_iter().flat_map(|members| tree.entries(members)) {
            if cx.is_cancelled() {
                return;
            }
            let mut enter = |node| repeats.enter(tree, node);
            reference::visit(tree, member.value, &mut enter, &mut |reference| {
                let Some(attribute) = reference.attribute.filter(|name| !name.contains(['$', '&'])) else { return };
                let is_output = attribute.strip_prefix(OUTPUTS).is_some_and(|name| !name.is_empty());
                let is_of_stack = matches!(reference.by, By::GetAtt | By::Sub)
                    && tree.get_text(resources, reference.name).is_some_and(is_stack);
                if is_of_stack && !is_output {
                    let names = (reference.name.to_owned(), attribute.to_owned());
                    found.push((member.key, reference.node, reference.variable, names));
                }
            });
        }
    }
    let counts = repeats.counts(tree, found.iter().map(|&(_, node, _, _)| node));
    let mut variables = Variables::default();
    for (member, node, variable, (stack, attribute)) in found {
        let place = match variable {
            Some(number) => variables.span(tree, cx.sources, node, number as usize),
            None => tree.span(node),
        };
        let (stack, attribute) = (shown(&stack), shown(&attribute));
        let sentence =
            format!("Template error: resource {stack} does not support attribute type {attribute} in Fn::GetAtt");
        let diagnostic = Diagnostic::new(
            codes::NO_SUCH_ATTRIBUTE,
            format!("{attribute} is not an attribute of the nested stack {stack}"),
        )
        .at(place)
        .frames(tree.frame_chain(tree.frame_of(member)))
        .quoting(&sentence)
        .help(match attribute.as_str() {
            "Outputs" => "name one of its outputs: `Outputs.Name`".to_owned(),
            _ => format!("refer to an output of the stack: `{stack}.Outputs.{attribute}`"),
        });
        cx.push(diagnostic.times(counts.get(&node).copied().unwrap_or(1)), severity);
    }
}
