//! Entries of Resources that are not objects.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Entry, Kind, Tree, symbol};
use formwork_template::attribute;

use crate::Context;

/// Returns `true` if an entry is empty, and the next one is `Type` with the name of a type: its body is not indented.
pub(super) fn is_body_beside(tree: &Tree, pair: &[Entry]) -> bool {
    let &[resource, body] = pair else { return false };
    let is_type = tree.symbol(body.key) == symbol::TYPE && tree.string(body.value).is_some_and(attribute::is_type_name);
    is_type && tree.kind(resource.value) == Kind::Null && !tree.is_generated(resource.key)
}

pub(super) fn beside(cx: &mut Context<'_>, members: &[Entry]) {
    let [resource, body, ..] = members else { return };
    let id = shown(cx.tree.text(resource.key));
    let sentence = format!("Template format error: [/Resources/{id}] resource definition is malformed");
    let diagnostic =
        Diagnostic::new(codes::NOT_AN_OBJECT, format!("resource {id} is empty: its body is at its own indentation"))
            .at(cx.tree.span(resource.key))
            .related(cx.tree.span(body.key), "the body begins here")
            .quoting(&sentence)
            .help("indent the lines of the body by two more spaces");
    cx.push(diagnostic, Severity::Error);
}

pub(super) fn malformed(cx: &mut Context<'_>, member: Entry) {
    let id = shown(cx.tree.text(member.key));
    if let Some(entry) = cx.tree.string(member.value).and_then(without_colon) {
        let text = shown(cx.tree.text(member.value));
        let sentence = format!("Template format error: [/Resources/{id}] resource definition is malformed");
        let diagnostic =
            Diagnostic::titled(codes::NOT_AN_OBJECT, format!("`{text}` is not an entry: `:` and a space are missing"))
                .at(cx.tree.span(member.value))
                .quoting(&sentence)
                .help(format!("write `{entry}`"));
        return cx.push(diagnostic, Severity::Error);
    }
    let what = match cx.tree.kind(member.value) {
        Kind::Null => "null",
        Kind::List => "a list",
        _ => "a single value",
    };
    let sentence = format!("[/Resources/{id}] resource definition is malformed");
    let diagnostic =
        Diagnostic::new(codes::NOT_AN_OBJECT, format!("resource {id} is {what}, not an object: `{sentence}`"))
            .at(cx.tree.span(member.key))
            .quoting(&format!("Template format error: {sentence}"))
            .help(format!("write `{id}: {{Type: AWS::Service::Resource}}`"));
    cx.push(diagnostic, Severity::Error);
}

/// Returns the entry that a string such as `Type AWS::SNS::Topic` was meant as: its colon, or the space after it, is
/// missing.
fn without_colon(text: &str) -> Option<String> {
    let (name, rest) = ATTRIBUTES.iter().find_map(|name| Some((*name, text.strip_prefix(name)?)))?;
    let is_mark = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '\u{ff1a}');
    let value = rest.trim_start_matches(is_mark);
    let is_entry = rest.starts_with(is_mark) && !value.is_empty() && !value.contains(['\n', '`']);
    is_entry.then(|| format!("{name}: {}", shown(value)))
}

/// Attributes whose value is on their line.
const ATTRIBUTES: [&str; 5] = ["Type", "Condition", "DependsOn", "DeletionPolicy", "UpdateReplacePolicy"];
