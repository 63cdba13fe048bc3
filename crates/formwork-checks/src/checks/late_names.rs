//! Names that are known only at deployment: those of `Ref` and `Fn::GetAtt` must be known before resources are created
//! (reference/functions.md#ref, reference/functions.md#get-att).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_evaluate::layout_sentence;
use formwork_syntax::function::Known;
use formwork_syntax::{Format, Function, NodeId, Tree, View, symbol};
use formwork_template::Section;
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};

use super::calls_in::{CallIn, calls_in};
use super::written;
use crate::Context;

/// Checks the template with its loops expanded. Without the language transform names are never computed.
pub(super) fn check(cx: &mut Context<'_>) {
    if !cx.language_extensions || cx.template.has_own_macros() {
        return;
    }
    for section in [Section::Resources, Section::Outputs] {
        for function in [Known::Ref, Known::GetAtt] {
            if cx.is_cancelled() {
                return;
            }
            for one in calls_in(cx, function, cx.judged(section)) {
                if let Some(part) = late_part(cx, function, cx.tree.call(one.call).1) {
                    report(cx, one, function, part);
                }
            }
        }
    }
}

fn late_part(cx: &Context<'_>, function: Known, argument: NodeId) -> Option<(NodeId, &'static str)> {
    let tree = cx.tree;
    if function == Known::Ref {
        return is_late_name(cx, argument).then_some((argument, "the name"));
    }
    let &[name, attribute] = tree.items(argument) else { return None };
    // Plain CloudFormation takes a `Ref` as the attribute.
    let takes_any = tree.argument_of(attribute, Known::Ref).is_some();
    if is_late_name(cx, name) {
        return Some((name, "the resource name"));
    }
    (!takes_any && is_late_name(cx, attribute)).then_some((attribute, "the attribute"))
}

/// Returns `true` if a name depends on the deployment whatever values are passed; they may decide which of several
/// values is taken.
fn is_late_name(cx: &Context<'_>, node: NodeId) -> bool {
    matches!(cx.tree.view(node), View::Call(..)) && !may_choose(cx.tree, node) && is_late(cx, node)
}

fn may_choose(tree: &Tree, node: NodeId) -> bool {
    match tree.view(node) {
        View::Call(Function::Known(Known::If | Known::Select | Known::FindInMap | Known::Transform), _) => true,
        View::Call(Function::Known(_), argument) => may_choose(tree, argument),
        View::Call(..) => true,
        _ => tree.child_nodes(node).any(|child| may_choose(tree, child)),
    }
}

/// Returns `true` if a value contains a function that no transform computes: a resource, an attribute, an import.
pub(super) fn is_late(cx: &Context<'_>, node: NodeId) -> bool {
    let tree = cx.tree;
    match tree.view(node) {
        View::Call(
            Function::Known(Known::ImportValue | Known::GetStackOutput | Known::GetAtt | Known::GetAZs | Known::Cidr),
            _,
        ) => true,
        View::Call(Function::Known(Known::Ref), name) if tree.string(name).is_some() => {
            is_resource(cx, tree.text(name))
        }
        View::Call(Function::Known(Known::Sub), argument) => {
            let (text, variables) = sub_parts(tree, argument);
            let mut names = sub_string::parts(tree.text(text)).filter_map(Part::variable);
            let is_own = |name: &str| variables.is_some_and(|own| tree.get_text(own, name).is_some());
            let is_late_variable = |name: &str| {
                let resource = name.split_once('.').map_or(name, |(resource, _)| resource);
                !is_own(name) && is_resource(cx, resource)
            };
            names.any(is_late_variable) || variables.is_some_and(|variables| is_late(cx, variables))
        }
        View::Call(_, argument) => is_late(cx, argument),
        View::List(items) => items.iter().any(|&item| is_late(cx, item)),
        View::Map => tree.entries(node).any(|entry| is_late(cx, entry.value)),
        _ => false,
    }
}

/// Returns `true` for the name of a resource that is not one of a parameter.
fn is_resource(cx: &Context<'_>, name: &str) -> bool {
    let Some(name) = cx.tree.symbols().get(name) else { return false };
    let resources = cx.tree.get(cx.unrolled, symbol::RESOURCES);
    cx.template.parameter(name).is_none() && resources.is_some_and(|resources| cx.tree.get(resources, name).is_some())
}

fn report(cx: &mut Context<'_>, one: CallIn, function: Known, (part, what): (NodeId, &'static str)) {
    let CallIn { member, count, .. } = one;
    let code = if function == Known::GetAtt { codes::GETATT_LAYOUT } else { codes::FUNCTION_LAYOUT };
    let title = format!("{what} of {} is known only at deployment", function.long());
    let mut diagnostic = Diagnostic::titled(code, title)
        .at(cx.tree.span(part))
        .frames(cx.tree.frame_chain(cx.tree.frame_of(member)))
        .times(count)
        .note("which resource is meant must be known before resources are created");
    if let Some(sentence) = layout_sentence(function, false) {
        diagnostic = diagnostic.quoting(&sentence);
    }
    let help = advice(cx, function, part);
    cx.push(diagnostic.help(help), cx.severity_of(member));
}

/// Returns the code to write instead: the function in the name of a `Ref` by itself, the name that a part of an
/// `Fn::GetAtt` refers to.
fn advice(cx: &Context<'_>, function: Known, part: NodeId) -> String {
    let tree = cx.tree;
    let referred = tree.argument_of(part, Known::Ref).and_then(|name| tree.string(name));
    if let Some(name) = referred.filter(|name| function == Known::GetAtt && is_resource(cx, name)) {
        let name = shown(name);
        return match cx.document.format {
            Format::Json => format!("write the name alone: `\"{name}\"`"),
            Format::Yaml => format!("write the name alone: `{name}`"),
        };
    }
    let is_value = [Known::Ref, Known::GetAtt, Known::ImportValue].iter();
    let is_value = is_value.into_iter().any(|&known| tree.argument_of(part, known).is_some());
    match written::code(tree, cx.sources, part).filter(|_| function == Known::Ref && is_value) {
        Some(own) => format!("remove the Ref around it: `{}` is a value by itself", own.inner),
        None => "compute the name from strings, parameters, mappings and items of loops alone".to_owned(),
    }
}
