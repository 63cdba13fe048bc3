//! Attributes of `Fn::GetAtt` that the type does not have (reference/schemas.md#attributes).

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, Fact, Severities, Severity, Span, codes};
use formwork_schemas::{ResourceType, Schemas};
use formwork_syntax::{NodeId, Symbol, symbol};
use formwork_template::Section;
use formwork_template::reference::{self, By};
use rustc_hash::FxHashMap;

use super::words;
use crate::Context;
use crate::checks::repeats::Repeats;
use crate::checks::written::Variables;

/// Another stack, whose attributes are its outputs.
const PRODUCT: &str = "AWS::ServiceCatalog::CloudFormationProvisionedProduct";

struct AttributeReference<'w> {
    member: NodeId,
    /// The string that has the attribute: that of `Fn::Sub`, `Id.Attribute`, or the attribute in a list.
    node: NodeId,
    variable: Option<u32>,
    is_alone: bool,
    /// The type as it is written.
    kind: String,
    id: String,
    attribute: String,
    known: ResourceType<'w>,
}

pub(super) fn check<'w>(
    cx: &Context<'_>,
    schemas: &'w Schemas,
    decided: &FxHashMap<Symbol, NodeId>,
    out: &mut Vec<(Diagnostic, Severity)>,
) {
    let tree = cx.tree;
    let Some(resources) = tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    let mut types: FxHashMap<&str, Option<ResourceType<'w>>> = FxHashMap::default();
    let (mut found, mut repeats) = (Vec::new(), Repeats::default());
    for section in [Section::Resources, Section::Outputs] {
        let members = tree.get(cx.unrolled, section.symbol());
        let result = tree.get(cx.result, section.symbol());
        for member in members.into_iter().flat_map(|members| tree.entries(members)) {
            if cx.is_cancelled() {
                return;
            }
            let name = tree.symbol(member.key);
            let value = match section {
                Section::Resources => decided.get(&name).copied(),
                _ => result.and_then(|result| tree.get(result, name)),
            };
            let mut enter = |node| repeats.enter(tree, node);
            reference::visit(tree, value.unwrap_or(member.value), &mut enter, &mut |reference| {
                let Some(attribute) = reference.attribute.filter(|name| !name.contains(['$', '&'])) else { return };
                if !matches!(reference.by, By::GetAtt | By::Sub) {
                    return;
                }
                let Some(resource) = tree.get_text(resources, reference.name) else { return };
                let Some(kind) = tree.get(resource, symbol::TYPE).and_then(|kind| tree.string(kind)) else { return };
                let known = types.entry(kind).or_insert_with(|| looked_up(schemas, kind));
                let Some(known) = *known else { return };
                if known.attribute(attribute).is_none() {
                    let alone = reference.attribute_node;
                    found.push(AttributeReference {
                        member: member.key,
                        node: alone.unwrap_or(reference.node),
                        is_alone: alone.is_some(),
                        kind: kind.to_owned(),
                        variable: reference.variable,
                        id: reference.name.to_owned(),
                        attribute: attribute.to_owned(),
                        known,
                    });
                }
            });
        }
    }
    let counts = repeats.counts(tree, found.iter().map(|one: &AttributeReference<'_>| one.node));
    let mut variables = Variables::default();
    for one in found {
        let from = out.len();
        report(cx, schemas, &one, &mut variables, out);
        if let (Some((diagnostic, _)), Some(&count)) = (out.get_mut(from), counts.get(&one.node)) {
            diagnostic.count = count;
        }
    }
}

fn looked_up<'w>(schemas: &'w Schemas, kind: &str) -> Option<ResourceType<'w>> {
    let is_open = formwork_template::attribute::is_nested_stack(kind)
        || kind == PRODUCT
        || kind.starts_with("Custom::")
        || kind == "AWS::CloudFormation::CustomResource"
        || formwork_template::attribute::is_registry_module(kind);
    if is_open {
        return None;
    }
    schemas.resource_type(kind).filter(|known| !known.is_serverless())
}

fn report(
    cx: &Context<'_>,
    schemas: &Schemas,
    found: &AttributeReference<'_>,
    variables: &mut Variables,
    out: &mut Vec<(Diagnostic, Severity)>,
) {
    let tree = cx.tree;
    let AttributeReference { known, .. } = found;
    let (id, attribute, kind) = (shown(&found.id), shown(&found.attribute), shown(&found.kind));
    let names: Vec<&str> = found.attribute.split('.').collect();
    let is_property = known.properties().at(&names).is_some();
    let row = if is_property { Severities::ThoroughDoubt } else { Severities::Thorough };
    let Some(severity) = row.at(cx.goal) else { return };
    let place = match found.variable {
        Some(number) => variables.span(tree, cx.sources, found.node, number as usize),
        None => tree.span(found.node),
    };
    let attributes = known.attributes();
    let near = slip(&found.attribute, attributes.iter().map(|one| one.name.as_str()));
    let title = if is_property {
        format!("{attribute} is a property of {kind}, not an attribute")
    } else {
        format!("{kind} does not have an attribute {attribute}")
    };
    let listed: Vec<&str> = attributes.iter().map(|one| one.name.as_str()).collect();
    let is_ref = is_reference(known, &found.attribute) && near.is_none();
    let help = match near {
        _ if is_ref => {
            format!("use `!Ref {id}`, which returns {}", known.reference().first().copied().unwrap_or(&attribute))
        }
        Some(near) => format!("write {near}"),
        None if listed.is_empty() => "the type has no attributes".to_owned(),
        None => format!("write one of its attributes: {}", words::some(&listed)),
    };
    let mut diagnostic = Diagnostic::titled(codes::NO_SUCH_ATTRIBUTE, title)
        .at(place)
        .frames(tree.frame_chain(tree.frame_of(found.member)))
        .fact(Fact::Name(found.attribute.clone()))
        .quoting(&format!("Requested attribute {attribute} does not exist in schema for {kind}"));
    if let Some(date) = schemas.date().filter(|_| !known.is_own()) {
        diagnostic = diagnostic.note(format!("known as of {date}; `formwork schemas {kind}` lists the attributes"));
    }
    diagnostic = diagnostic.help(help);
    if let Some(near) = near.filter(|_| !is_ref) {
        diagnostic = diagnostic.label(format!("did you mean {near}?"));
        if let Some((span, text)) = edit(cx, found, place, near) {
            let fix = format!("write {near}");
            let is_case = near.eq_ignore_ascii_case(&found.attribute);
            diagnostic = if is_case { diagnostic.fix(fix, span, text) } else { diagnostic.unsafe_fix(fix, span, text) };
        }
    }
    out.push((diagnostic, severity));
}

/// Returns `true` if `Ref` returns what an attribute is meant to be: `VpcId` for `Id`, `BucketName` for `Name`.
fn is_reference(known: &ResourceType<'_>, attribute: &str) -> bool {
    let reference = known.reference();
    let [name] = reference.as_slice() else { return false };
    let (name, attribute) = (name.to_ascii_lowercase(), attribute.to_ascii_lowercase());
    name == attribute || ["id", "name", "arn", "url"].contains(&attribute.as_str()) && name.ends_with(&attribute)
}

/// Returns the edit for another attribute; `None` where the string contains more.
fn edit(cx: &Context<'_>, found: &AttributeReference<'_>, place: Span, near: &str) -> Option<(Span, String)> {
    let tree = cx.tree;
    let is_written = !tree.is_generated(found.node) && !tree.is_alias(found.node);
    let source = cx.sources.slice(place);
    let has_attribute = source.matches(found.attribute.as_str()).count() == 1;
    if !is_written || !(found.is_alone || source.contains('.')) || !has_attribute {
        return None;
    }
    let start = u32::try_from(source.find(found.attribute.as_str())?).ok()? + place.start();
    let length = u32::try_from(found.attribute.len()).ok()?;
    Some((Span::new(start, start + length), near.to_owned()))
}
