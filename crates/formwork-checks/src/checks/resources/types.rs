//! The type of a resource: the intended type of an invalid one, and types with requirements on the template.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severities, Severity, codes};
use formwork_syntax::{Entry, Kind, NodeId, Tree};
use formwork_template::attribute;
use formwork_template::template::SERVERLESS;

use crate::Context;

/// Reports a replica of a registry module (reference/for-each.md#places).
pub(super) fn module_in_loop(cx: &Context<'_>, member: Entry, kind: NodeId) -> Option<(Diagnostic, Severity)> {
    let frame = cx.tree.frame_of(member.key);
    let name = cx.tree.text(kind);
    let severity = cx.severity_of_code(codes::OTHERWISE_AT_SERVICE)?;
    if frame.is_none() || !attribute::is_registry_module(name) {
        return None;
    }
    let id = shown(cx.tree.text(member.key));
    let message = format!("resource {id} is a registry module in a loop: CloudFormation resolves modules before loops");
    let diagnostic = Diagnostic::new(codes::OTHERWISE_AT_SERVICE, message)
        .at(cx.tree.span(kind))
        .frames(cx.tree.frame_chain(frame))
        .note("CloudFormation does not find the module in a template that still contains its loop")
        .help("deploy the expanded template, or expand the loop by hand");
    Some((diagnostic, severity))
}

/// Reports a type of the serverless transform in a template that does not declare it
/// (reference/structure.md#resources).
pub(super) fn serverless(cx: &Context<'_>, member: Entry, kind: NodeId) -> Option<(Diagnostic, Severity)> {
    let name = cx.tree.text(kind);
    let severity = Severities::Undeployable.at(cx.goal)?;
    // The template that imports a module declares the transform.
    if !name.starts_with("AWS::Serverless::") || cx.template.has_other_transforms() || cx.is_imported {
        return None;
    }
    let (id, name) = (shown(cx.tree.text(member.key)), shown(name));
    let sentence = format!("Template format error: Unrecognized resource types: [{name}]");
    let diagnostic = Diagnostic::new(
        codes::TRANSFORM,
        format!("resource {id} needs the serverless transform, which the template does not declare: `{sentence}`"),
    )
    .at(cx.tree.span(kind))
    .frames(cx.tree.frame_chain(cx.tree.frame_of(member.key)))
    .help(match cx.template.transforms.first() {
        Some(first) => format!("write `Transform: [{}, {SERVERLESS}]`", shown(&first.name)),
        None => format!("add `Transform: {SERVERLESS}` to the template"),
    });
    Some((diagnostic, if cx.for_service { Severity::Error } else { severity }))
}

/// Returns `true` if a resource is meant to be a module: it has the word, and the key of an import.
pub(super) fn is_import(tree: &Tree, resource: NodeId, kind: NodeId) -> bool {
    let is_word = tree.string(kind).is_some_and(|word| word.eq_ignore_ascii_case("Module"));
    is_word && tree.entries(resource).any(|entry| tree.text(entry.key) == "Source")
}

pub(super) fn import_among_resources(cx: &mut Context<'_>, member: Entry, kind: NodeId) {
    let tree = cx.tree;
    let (id, word) = (shown(tree.text(member.key)), shown(tree.text(kind)));
    let source = tree.entries(member.value).find(|entry| tree.text(entry.key) == "Source");
    let source = source.and_then(|entry| tree.string(entry.value)).map_or_else(|| "...".to_owned(), shown);
    let sentence = format!("Template format error: Unrecognized resource types: [{word}]");
    let diagnostic = Diagnostic::new(codes::WRONG_KIND, format!("{id} is a module, not a resource: `{sentence}`"))
        .at(tree.span(kind))
        .frames(tree.frame_chain(tree.frame_of(member.key)))
        .help(format!("move it below the section Modules, without its Type: `{id}: {{Source: {source}}}`"));
    cx.push(diagnostic, Severity::Error);
}

/// Returns the type name that a list or an object has in the place of a type.
pub(super) fn type_inside(cx: &Context<'_>, node: NodeId) -> Option<String> {
    let name = match cx.tree.kind(node) {
        Kind::List => cx.tree.items(node).first().and_then(|&item| cx.tree.string(item)),
        Kind::Map => cx.tree.entries(node).next().map(|entry| cx.tree.text(entry.key)),
        _ => None,
    };
    name.filter(|name| attribute::is_type_name(name)).map(str::to_owned)
}

pub(super) fn is_path(text: &str) -> bool {
    let is_template = [".yaml", ".yml", ".json", ".template"].iter().any(|end| text.ends_with(end));
    is_template && !text.contains([' ', '`', '\n'])
}

/// Returns the intended type name where only the colons are wrong: `AWS:S3:Bucket`, `AWS.S3.Bucket`.
pub(super) fn meant_type(text: &str) -> Option<String> {
    // Quotes of a word processor, invisible spaces, and line terminators of other languages.
    let text = text.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = text.split([':', '.', '/', '-']).filter(|part| !part.is_empty()).collect();
    let is_word = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let [head, rest @ ..] = parts.as_slice() else { return None };
    let is_meant = head.eq_ignore_ascii_case("AWS") && matches!(rest.len(), 2 | 3) && rest.iter().all(is_word);
    is_meant.then(|| format!("AWS::{}", rest.join("::"))).filter(|meant| attribute::is_type_name(meant))
}
