//! The Resources section (reference/structure.md#resources).

mod attributes;
mod malformed;
mod types;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::{Entry, Kind, NodeId, Tree, function, symbol};
use formwork_template::{attribute, logical_id};

use super::sections::is_comment;
use crate::Context;
use attributes::{AttributeNames, attributes};
pub(super) use attributes::{is_misspelt, unindented};
use malformed::{beside, is_body_beside, malformed};
use types::{import_among_resources, is_import, is_path, meant_type, module_in_loop, serverless, type_inside};

/// Checks the section as written: it exists, and its entries are objects. Returns `false` when it is missing.
pub(super) fn section(cx: &mut Context<'_>) -> bool {
    let root = cx.template.root;
    let Some(entry) = cx.tree.member(root, symbol::RESOURCES) else {
        // A misspelt section is reported as that.
        let is_slip = |entry: Entry| {
            let text = cx.tree.text(entry.key);
            is_misspelt(text, "Resources") || is_comment(text)
        };
        if cx.tree.kind(root) == Kind::Map && cx.tree.entries(root).any(is_slip) {
            return false;
        }
        let diagnostic = Diagnostic::new(
            codes::NO_RESOURCES,
            "the template has no Resources: `Template format error: At least one Resources member must be defined.`",
        )
        .at(cx.tree.span(root).at_start())
        .help("add `Resources: {Name: {Type: AWS::Service::Resource}}`");
        let severity = if cx.language_extensions { Severity::Error } else { cx.as_written() };
        cx.push(diagnostic, severity);
        return false;
    };
    match cx.tree.kind(entry.value) {
        Kind::Map => {}
        Kind::Call => return true,
        Kind::Null => {
            let diagnostic =
                Diagnostic::new(codes::NO_RESOURCES, "Resources is null: `The Resources section must not be null`")
                    .at(cx.tree.span(entry.key))
                    .quoting("`Template format error: At least one Resources member must be defined.`")
                    .help("add a resource: `Name: {Type: AWS::Service::Resource}`");
            cx.push(diagnostic, Severity::Error);
            return false;
        }
        _ => {
            let diagnostic = Diagnostic::new(
                codes::NOT_AN_OBJECT,
                "Resources is not a mapping: `Template format error: Any Resources member must be an object.`",
            )
            .at(cx.tree.span(entry.value))
            .help("write the names of resources below `Resources:`");
            cx.push(diagnostic, Severity::Error);
            return false;
        }
    }
    let members = cx.tree.entries(entry.value).collect::<Vec<_>>();
    if let Some(at) = members.windows(2).position(|pair| is_body_beside(cx.tree, pair)) {
        beside(cx, &members[at..]);
        return false;
    }
    for member in members {
        if cx.is_cancelled() {
            return false;
        }
        let is_loop = cx.tree.loop_name(member.key).is_some()
            || [symbol::FN_MAP, symbol::FN_MERGE].contains(&cx.tree.symbol(member.key));
        let kind = cx.tree.kind(member.value);
        if !is_loop && !matches!(kind, Kind::Map | Kind::Call) {
            malformed(cx, member);
        }
    }
    true
}

fn is_duplicate(cx: &Context<'_>, key: NodeId) -> bool {
    cx.diagnostics.is_reported(codes::DUPLICATE_KEY, cx.tree.span(key))
}

/// Checks the entries after expansion.
pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.tree.get(cx.result, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map)
    else {
        return;
    };
    let is_rewritten = is_rewritten(cx, section);
    // After an error in a loop, that is why it is empty.
    if cx.tree.is_empty(section) && cx.unchecked.is_empty() && !cx.diagnostics.has_errors() {
        let diagnostic = Diagnostic::new(
            codes::NO_RESOURCES,
            "no resource is left: `Template format error: At least one Resources member must be defined.`",
        )
        .at(cx.tree.span(section))
        .help(if cx.tree.is_generated(section) {
            "pass values to a loop or condition that generate at least one resource"
        } else {
            "add a resource: `Name: {Type: AWS::Service::Resource}`"
        });
        cx.push(diagnostic, cx.as_result());
    }
    let tree = cx.tree;
    // The last one without a finding.
    let mut sound = None;
    for member in tree.entries(section) {
        if cx.is_cancelled() {
            return;
        }
        let name = tree.text(member.key);
        let is_opaque = [symbol::FN_TRANSFORM, symbol::FN_MAP, symbol::FN_MERGE].contains(&cx.tree.symbol(member.key))
            || cx.tree.loop_name(member.key).is_some();
        if is_opaque {
            continue;
        }
        if !logical_id::is_alphanumeric(name) {
            // A type in the place of the name is reported as that.
            let is_type = attribute::is_type_name(name) && !name.starts_with("Fn::");
            if !is_type || cx.tree.get(member.value, symbol::TYPE).is_some() {
                not_alphanumeric(cx, member.key, "Resource");
            }
        }
        if cx.tree.kind(member.value) == Kind::Map {
            let is_sound = sound.is_some_and(|sound| is_declared_like(cx.tree, member, sound));
            if is_sound || has_macro(cx.tree, member.value) {
                continue;
            }
            let severity = cx.severity_of(member.key);
            if is_rewritten {
                attributes(cx, member, severity, AttributeNames::Near);
                continue;
            }
            let is_sound = resource(cx, member, severity);
            sound = is_sound.then_some(member);
        } else if cx.strict.is_some_and(|strict| strict.contains(member.key))
            && cx.tree.kind(member.value) != Kind::Call
        {
            malformed(cx, member);
        }
    }
}

/// Returns `true` if two resources have equal types and share their attributes, as those of a loop do.
fn is_declared_like(tree: &Tree, member: Entry, other: Entry) -> bool {
    let is_like = |(own, other): (Entry, Entry)| {
        let is_same = own.value == other.value;
        let are_values = || [own.value, other.value].iter().all(|&value| tree.kind(value) != Kind::Null);
        own.key == other.key && (is_same || tree.symbol(own.key) != symbol::TYPE && are_values())
    };
    tree.len(member.value) == tree.len(other.value)
        && tree.frame_of(member.key).is_none() == tree.frame_of(other.key).is_none()
        && tree.entries(member.value).zip(tree.entries(other.value)).all(is_like)
}

/// Functions in the place of declarations, besides loops, whose names have their own part.
const FUNCTIONS: [&str; 2] = ["Fn::Merge", "Fn::Transform"];

pub(super) fn not_alphanumeric(cx: &mut Context<'_>, key: NodeId, what: &str) {
    let name = shown(cx.tree.text(key));
    let diagnostic = Diagnostic::new(
        codes::NAME_NOT_ALPHANUMERIC,
        format!("{name} is not alphanumeric: `Template format error: {what} name {name} is non alphanumeric.`"),
    )
    .at(cx.tree.span(key));
    // The value under the name of a function is an argument, not a declaration under another name.
    let is_function = name.starts_with("Fn::");
    let near = suggest::nearest(&name, FUNCTIONS).filter(|_| is_function && !cx.tree.is_generated(key));
    let name = logical_id::stripped(cx.tree.text(key));
    let diagnostic = if let Some(near) = near {
        diagnostic.help(format!("did you mean `{near}`?")).fix("rename it", cx.tree.span(key), near)
    } else if is_function {
        diagnostic.help("write a function that generates declarations, or an alphanumeric name")
    } else if name.is_empty() {
        diagnostic.help("write an alphanumeric name")
    } else if cx.tree.is_generated(key) {
        diagnostic.help(format!("write `{name}`"))
    } else {
        diagnostic.help(format!("write `{name}`")).fix("rename it", cx.tree.span(key), name)
    };
    let severity = cx.severity_of(key);
    cx.push(diagnostic, severity);
}

/// Returns `true` if a macro decides the shape of the resources of a section: one of the whole template, or one beside
/// the resources (reference/structure.md#function-places).
fn is_rewritten(cx: &Context<'_>, section: NodeId) -> bool {
    cx.template.has_own_macros() || has_macro(cx.tree, section)
}

/// Returns `true` if a macro is in an object, and so changes its other entries. An include adds entries and leaves the
/// others as they are.
fn has_macro(tree: &Tree, object: NodeId) -> bool {
    let names = tree.get(object, symbol::FN_TRANSFORM).map(|node| match tree.kind(node) {
        Kind::List => tree.items(node).to_vec(),
        _ => vec![node],
    });
    names.into_iter().flatten().any(|node| {
        let name = tree.get(node, symbol::NAME).unwrap_or(node);
        tree.string(name) != Some("AWS::Include")
    })
}

/// Checks the declaration of a resource. Returns `true` if it has no error.
fn resource(cx: &mut Context<'_>, member: Entry, severity: Severity) -> bool {
    let id = || shown(cx.tree.text(member.key));
    let frames = || cx.tree.frame_chain(cx.tree.frame_of(member.key));
    let found = match cx.tree.get(member.value, symbol::TYPE) {
        None if cx.tree.get(member.value, symbol::FN_TRANSFORM).is_some() => None,
        // A misspelt `Type` is reported as that.
        None if cx.tree.entries(member.value).any(|entry| is_misspelt(cx.tree.text(entry.key), "Type")) => None,
        // The duplicate entry may have it.
        None if is_duplicate(cx, member.key) => None,
        None => {
            let sentence = format!(
                "Template format error: [/Resources/{}] Every Resources object must contain a Type member.",
                id()
            );
            let name = cx.tree.text(member.key);
            let help = match name.rsplit("::").next().filter(|_| name.contains("::") && attribute::is_type_name(name)) {
                Some(last) => format!("write a name, and the type below it: `{last}: {{Type: {}}}`", shown(name)),
                None => "add `Type: AWS::Service::Resource`".to_owned(),
            };
            let diagnostic = Diagnostic::new(codes::NO_TYPE, format!("resource {} has no Type: `{sentence}`", id()))
                .at(cx.tree.span(member.key))
                .frames(frames())
                .help(help);
            Some((diagnostic, severity))
        }
        // A macro returns a literal.
        Some(kind) if cx.tree.argument_of(kind, function::Known::Transform).is_some() => None,
        Some(kind) if is_import(cx.tree, member.value, kind) => {
            import_among_resources(cx, member, kind);
            return false;
        }
        Some(kind) if cx.tree.kind(kind) != Kind::String => {
            let sentence = format!("Template format error: [/Resources/{}] Every Type member must be a string.", id());
            let diagnostic = Diagnostic::new(
                codes::WRONG_KIND,
                format!("the Type of resource {} is not a string: `{sentence}`", id()),
            )
            .at(cx.tree.span(kind))
            .frames(frames())
            .help(match type_inside(cx, kind) {
                Some(name) => format!("write `Type: {}`", shown(&name)),
                None => "write a literal type, such as `AWS::S3::Bucket`".to_owned(),
            });
            Some((diagnostic, severity))
        }
        Some(kind)
            if !attribute::is_type_name(cx.tree.text(kind))
                || cx.goal.is_thorough() && attribute::is_cut_short(cx.tree.text(kind)) =>
        {
            let sentence =
                format!("Template format error: Unrecognized resource types: [{}]", shown(cx.tree.text(kind)));
            let diagnostic = Diagnostic::new(
                codes::WRONG_KIND,
                format!("the Type of resource {} is not a type name: `{sentence}`", id()),
            )
            .at(cx.tree.span(kind))
            .frames(frames())
            .help(match meant_type(cx.tree.text(kind)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if is_path(cx.tree.text(kind)) => format!(
                    "a module is imported in the section Modules: `{}: {{Source: {}}}`",
                    id(),
                    shown(cx.tree.text(kind))
                ),
                None => "type names have the form `AWS::S3::Bucket`".to_owned(),
            });
            Some((diagnostic, Severity::Error))
        }
        Some(kind) => module_in_loop(cx, member, kind).or_else(|| serverless(cx, member, kind)),
    };
    let mut is_sound = found.is_none();
    if let Some((diagnostic, severity)) = found {
        cx.push(diagnostic, severity);
    }
    is_sound &= attributes(cx, member, severity, AttributeNames::All);
    is_sound
}
