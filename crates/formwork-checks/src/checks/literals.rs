//! Attributes of resources and outputs that must be literal strings where the language transform does not apply
//! (reference/structure.md#function-places).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Format, Function, Kind, NodeId, Symbol, View, symbol};
use formwork_template::attribute;

use super::late_names::is_late;
use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    if cx.template.has_own_macros() {
        return;
    }
    descriptions(cx);
    let Some(section) = cx.tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    let names: Vec<Symbol> = attribute::LITERAL.into_iter().filter(|&name| cx.tree.has_key(name)).collect();
    if names.is_empty() {
        return;
    }
    let tree = cx.tree;
    for resource in tree.entries(section) {
        if cx.is_cancelled() {
            return;
        }
        for &name in &names {
            // Functions in policies under the transform are checked where they are evaluated.
            if cx.language_extensions && ![symbol::DEPENDS_ON, symbol::CONDITION].contains(&name) {
                continue;
            }
            let Some(entry) = cx.tree.member(resource.value, name) else { continue };
            let nodes: Vec<NodeId> = match cx.tree.kind(entry.value) {
                Kind::List => cx.tree.items(entry.value).to_vec(),
                _ => vec![entry.value],
            };
            for node in nodes {
                let (is_wrong, help) = if cx.language_extensions {
                    let help = "write the string literally, or compute it from parameters and items of loops";
                    (is_late(cx, node), help)
                } else {
                    let help =
                        "write the string literally, or add `Transform: AWS::LanguageExtensions` to the template";
                    (cx.tree.kind(node) == Kind::Call, help)
                };
                // Evaluation reports that one. A macro returns a literal.
                let is_from_macro = cx.tree.argument_of(node, Known::Transform).is_some();
                if is_wrong && !is_from_macro && cx.tree.argument_of(node, Known::Condition).is_none() {
                    let text = cx.tree.name(name).to_owned();
                    let diagnostic = Diagnostic::new(
                        codes::FUNCTION_NOT_ALLOWED,
                        format!(
                            "{text} must be a literal string: `Template format error: Every {text} member must be a string.`"
                        ),
                    )
                    .at(cx.tree.span(node))
                    .frames(cx.tree.frame_chain(cx.tree.frame_of(resource.key)))
                    .help(literal_name(cx, name, node).unwrap_or_else(|| help.to_owned()));
                    cx.push(diagnostic, cx.as_written());
                }
            }
        }
    }
}

/// Returns the name to write instead of a reference such as `DependsOn: !Ref Queue` or `Condition: !Condition IsProd`.
fn literal_name(cx: &Context<'_>, attribute: Symbol, node: NodeId) -> Option<String> {
    let tree = cx.tree;
    let compares = [Known::Equals, Known::And, Known::Or, Known::Not];
    if attribute == symbol::CONDITION && compares.iter().any(|&known| tree.argument_of(node, known).is_some()) {
        return Some("declare the condition under Conditions, and write its name here".to_owned());
    }
    let (section, functions) = match attribute {
        symbol::DEPENDS_ON => (symbol::RESOURCES, [Known::Ref, Known::GetAtt]),
        symbol::CONDITION => (symbol::CONDITIONS, [Known::Ref, Known::Condition]),
        _ => return None,
    };
    let argument = functions.into_iter().find_map(|known| tree.argument_of(node, known))?;
    let first = tree.items(argument).first().copied().unwrap_or(argument);
    let name = tree.string(first)?;
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    let members = tree.get(cx.unrolled, section)?;
    tree.get(members, tree.symbols().get(name)?)?;
    let name = shown(name);
    Some(match cx.document.format {
        Format::Json => format!("write the name alone: `\"{name}\"`"),
        Format::Yaml => format!("write the name alone: `{name}`"),
    })
}

fn descriptions(cx: &mut Context<'_>) {
    let Some(section) = cx.tree.get(cx.unrolled, symbol::OUTPUTS) else { return };
    for output in cx.tree.entries(section).collect::<Vec<_>>() {
        let Some(node) = cx.tree.get(output.value, symbol::DESCRIPTION) else { continue };
        let (code, what, help) = match cx.tree.kind(node) {
            Kind::Call if cx.language_extensions && !is_late(cx, node) => continue,
            Kind::Call if cx.language_extensions => (
                codes::FUNCTION_NOT_ALLOWED,
                "is a function of values that are known only at deployment",
                "write the string literally, or compute it from parameters and items of loops",
            ),
            Kind::Call => (
                codes::FUNCTION_NOT_ALLOWED,
                "is a function, not a literal string",
                "write the string literally, or add `Transform: AWS::LanguageExtensions` to the template",
            ),
            Kind::Map | Kind::List => (codes::WRONG_KIND, "is not a string", "write a single string as Description"),
            _ => continue,
        };
        // Two are reported wherever they are not allowed, and a macro returns a literal.
        if let View::Call(Function::Known(Known::Map | Known::Merge | Known::Transform), _) = cx.tree.view(node) {
            continue;
        }
        let id = shown(cx.tree.text(output.key));
        let diagnostic = Diagnostic::new(code, format!("the Description of output {id} {what}"))
            .at(cx.tree.span(node))
            .frames(cx.tree.frame_chain(cx.tree.frame_of(node)))
            .help(help);
        cx.push(diagnostic, cx.severity_of(output.key));
    }
}
