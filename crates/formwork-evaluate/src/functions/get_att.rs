//! `Fn::GetAtt`: known only after deployment; functions in its two parts are computed
//! (reference/functions.md#get-att).

use formwork_base::codes;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    match ev.tree.kind(argument) {
        Kind::String => {
            let sound = ev
                .tree
                .text(argument)
                .split_once('.')
                .is_some_and(|(name, attribute)| !name.is_empty() && !attribute.is_empty());
            if sound {
                return Outcome::Residual(call);
            }
            let diagnostic = if ev.settings.language_extensions {
                ev.layout(call, Known::GetAtt, "the string has no dot between the resource and the attribute")
            } else {
                ev.sentence(
                    codes::GETATT_LAYOUT,
                    call,
                    "the string has no dot between the resource and the attribute",
                    "Template error: if specifying one argument to Fn::GetAtt, that argument must be a non-empty string in format <LogicalId>.<Attribute>",
                )
            };
            let name = ev.tree.text(argument);
            if let Some(meant) = with_dots(name) {
                let code =
                    if ev.tree.style(call) == formwork_syntax::Style::Tag { format!("!GetAtt {meant}") } else { meant };
                return ev.wrong(diagnostic.help(format!("write `{code}`")));
            }
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let name = if is_name { name } else { "LogicalId" };
            ev.wrong(diagnostic.help(format!("add the name of an attribute: `{name}.Attribute`")))
        }
        Kind::List if ev.tree.len(argument) == 2 => parts(ev, call, argument),
        _ => {
            let diagnostic = ev.layout(call, Known::GetAtt, "Fn::GetAtt takes a resource name and an attribute");
            let is_advised = !diagnostic.help.is_empty();
            ev.wrong(if is_advised {
                diagnostic
            } else {
                diagnostic.help("write `Fn::GetAtt: [LogicalId, Attribute]`")
            })
        }
    }
}

/// Corrects a resource and its attribute that are separated by something else than a dot: `Topic/Arn`, `Topic:Arn`,
/// `Topic, Arn`.
fn with_dots(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split([':', '/', ',', ' ', '#', '>', '-']).filter(|part| !part.is_empty()).collect();
    let is_name = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (parts.len() > 1 && parts.iter().all(is_name)).then(|| parts.join("."))
}

fn parts(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    // A name such as `5` is read as a number, and is a name all the same. An attribute is never a number.
    let is_attribute = |part: NodeId| ev.tree.items(argument).get(1) == Some(&part);
    let is_written = |&part: &NodeId| match ev.tree.kind(part) {
        Kind::String => !ev.tree.text(part).is_empty(),
        _ => ev.tree.is_scalar(part) && !is_attribute(part),
    };
    if ev.tree.items(argument).iter().all(is_written) {
        return Outcome::Residual(call);
    }
    let outcomes = ev.arguments(argument);
    for (at, outcome) in outcomes.iter().enumerate() {
        let is_text = match outcome {
            Outcome::Known(value) if at == 1 && is_number(ev, argument) => ev.tree.kind(*value) == Kind::String,
            Outcome::Known(value) => ev.tree.is_scalar(*value) && !ev.tree.text(*value).is_empty(),
            Outcome::Omit(_) => false,
            Outcome::Residual(_) | Outcome::Secret { .. } => true,
            Outcome::Poison => return Outcome::Poison,
        };
        if !is_text {
            let part = if at == 0 { "the resource name" } else { "the attribute" };
            let diagnostic = ev.layout(call, Known::GetAtt, &format!("{part} is not a string"));
            let literal = ev.tree.kind(ev.tree.items(argument)[at]) != Kind::Call;
            return if literal { ev.wrong(diagnostic) } else { ev.fail(call, diagnostic) };
        }
    }
    let list = ev.argument_list(argument, &outcomes);
    Outcome::Residual(ev.kept(call, list))
}

fn is_number(ev: &Evaluator<'_>, argument: NodeId) -> bool {
    let attribute = ev.tree.items(argument).get(1);
    attribute.is_some_and(|&attribute| matches!(ev.tree.kind(attribute), Kind::Number | Kind::Bool))
}
