//! Outputs whose value is an attribute that is a list or an object (reference/structure.md#kinds). Kinds that do not
//! need the facts of types are checked with the kinds of values.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_schemas::{Kind, Kinds, Schemas};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View, symbol};
use formwork_template::Section;
use formwork_template::reference::get_att;

use crate::Context;
use crate::checks::written;

pub(super) fn check(cx: &Context<'_>, schemas: &Schemas, out: &mut Vec<(Diagnostic, Severity)>) {
    // An output of a module is data of any kind.
    if cx.template.is_module || cx.template.has_own_macros() {
        return;
    }
    let tree = cx.tree;
    for output in cx.judged(Section::Outputs) {
        let mut pending: Vec<NodeId> = tree.get(output.value, symbol::VALUE).into_iter().collect();
        while let Some(node) = pending.pop() {
            match tree.view(node) {
                View::Call(Function::Known(Known::If), argument) => {
                    pending.extend(tree.items(argument).iter().skip(1).rev());
                }
                View::Call(Function::Known(Known::GetAtt), argument) => {
                    if let Some((kind, of)) = kind_of(cx, schemas, argument) {
                        out.push((report(cx, output, node, kind, &of), cx.severity_of(output.key)));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the kind of an attribute that is a list or an object, and the attribute in words.
fn kind_of(cx: &Context<'_>, schemas: &Schemas, argument: NodeId) -> Option<(&'static str, String)> {
    let tree = cx.tree;
    let (name, attribute, _) = get_att(tree, argument)?;
    let attribute = attribute?;
    let resource = tree.get_text(tree.get(cx.unrolled, symbol::RESOURCES)?, name)?;
    let kind = tree.string(tree.get(resource, symbol::TYPE)?)?;
    let known = schemas.resource_type(kind).filter(|known| !known.is_serverless())?;
    let kinds = known.attribute(attribute)?.node?.kinds();
    let is_only = |kind| kinds == Kinds::ANY.with(kind);
    let found = [(Kind::Array, "a list"), (Kind::Object, "an object")].into_iter().find(|(kind, _)| is_only(*kind))?;
    Some((found.1, format!("attribute {} of {} is {}", shown(attribute), known.name(), found.1)))
}

fn report(cx: &Context<'_>, output: Entry, node: NodeId, kind: &str, of: &str) -> Diagnostic {
    let tree = cx.tree;
    let id = shown(tree.text(output.key));
    let end = if kind == "a list" { " and not a List." } else { "." };
    let sentence =
        format!("`Template format error: The Value field of every Outputs member must evaluate to a String{end}`");
    let help = match written::code(tree, cx.sources, node) {
        _ if kind != "a list" => "write an attribute that is a string".to_owned(),
        Some(own) => {
            let arguments = format!("\",\", {}", own.inner);
            format!("write `{}`", written::call(cx.document.format, Known::Join, &arguments, (&own, false)))
        }
        None => "join the elements with `Fn::Join`, or choose one with `Fn::Select`".to_owned(),
    };
    Diagnostic::new(codes::WRONG_KIND, format!("the Value of output {id} is {kind}, not a string"))
        .at(tree.span(node))
        .frames(tree.frame_chain(tree.frame_of(output.key)))
        .note(of)
        .quoting(&sentence)
        .help(help)
}
