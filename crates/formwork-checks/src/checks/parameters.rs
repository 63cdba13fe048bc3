//! The Parameters section as declared (reference/structure.md#declarations).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Format, Kind, symbol};
use formwork_template::{Section, attribute, logical_id};

use super::declarations;
use super::equals_sign;
use super::foreign_names;
use super::resources::not_alphanumeric;
use crate::Context;

/// Limit in bytes.
const MOST_DEFAULT: usize = 4096;
/// Limit in bytes of code in a help.
const MOST_SHOWN: usize = 80;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.template.section(cx.tree, Section::Parameters) else { return };
    let severity = cx.as_written();
    for member in cx.tree.entries(section).collect::<Vec<_>>() {
        if cx.is_cancelled() {
            return;
        }
        let name = cx.tree.text(member.key);
        let is_from_macro = cx.tree.symbol(member.key) == symbol::FN_TRANSFORM
            || cx.tree.argument_of(member.value, Known::Transform).is_some();
        if !is_from_macro && function::loop_name(name).is_none() {
            parameter(cx, member, severity);
        }
    }
}

fn parameter(cx: &mut Context<'_>, member: Entry, severity: Severity) {
    if !logical_id::is_alphanumeric(cx.tree.text(member.key)) {
        not_alphanumeric(cx, member.key, "Parameter");
    }
    let name = shown(cx.tree.text(member.key));
    if cx.tree.kind(member.value) != Kind::Map {
        if cx.tree.kind(member.value) != Kind::Null {
            let diagnostic = Diagnostic::new(
                codes::NOT_AN_OBJECT,
                format!("parameter {name} is not an object: `Template format error: Any Parameters member must be an object.`"),
            )
            .at(cx.tree.span(member.key))
            .help(format!("write `{name}: {{Type: String}}`"));
            cx.push(diagnostic, severity);
        }
        return;
    }
    // A module may have inputs of any type (reference/modules/parameters.md#types).
    if cx.template.is_module {
        return;
    }
    // A misspelt `Type` is reported as that.
    let is_misspelt = |key| super::resources::is_misspelt(cx.tree.text(key), "Type");
    let has_slip = || cx.tree.entries(member.value).any(|entry| is_misspelt(entry.key));
    if cx.tree.get(member.value, symbol::TYPE).is_none() && !has_slip() {
        let diagnostic = Diagnostic::new(
            codes::NO_TYPE,
            format!("parameter {name} has no Type: `Template format error: Every Parameters object must contain a Type member.`"),
        )
        .at(cx.tree.span(member.key))
        .help("add `Type: String`");
        cx.push(diagnostic, severity);
    }
    default(cx, member.value, &name, severity);
    declarations::check(cx, member.value, &name, severity);
    for entry in cx.tree.entries(member.value).collect::<Vec<_>>() {
        if !attribute::PARAMETER.contains(&cx.tree.symbol(entry.key)) && !equals_sign::report(cx, entry) {
            unknown_attribute(cx, &name, entry, severity);
        }
    }
}

fn unknown_attribute(cx: &mut Context<'_>, name: &str, entry: Entry, severity: Severity) {
    let text = shown(cx.tree.text(entry.key));
    let near =
        suggest::nearest(&text, attribute::PARAMETER.iter().map(|&known| cx.tree.name(known))).map(str::to_owned);
    let mut diagnostic = Diagnostic::new(
        codes::UNKNOWN_ATTRIBUTE,
        format!("parameter {name} has the unknown attribute {text}: `Invalid template parameter property '{text}'`"),
    )
    .at(cx.tree.span(entry.key));
    diagnostic = match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
            "rename the attribute",
            cx.tree.span(entry.key),
            near,
        ),
        None => diagnostic.help(match foreign_names::parameter_attribute(&text) {
            Some(meant) => format!("write `{meant}`"),
            None => "remove it; describe the parameter in its `Description`".to_owned(),
        }),
    };
    cx.push(diagnostic, severity);
}

fn default(cx: &mut Context<'_>, node: formwork_syntax::NodeId, name: &str, severity: Severity) {
    let Some(default) = cx.tree.get(node, symbol::DEFAULT) else { return };
    if cx.tree.kind(default) == Kind::List {
        let elements = cx.tree.items(default);
        let text: Vec<String> = elements.iter().map(|&item| shown(cx.tree.text_form(item))).collect();
        let text = text.join(",");
        let are_plain = elements.iter().all(|&item| cx.tree.is_scalar(item)) && text.len() <= MOST_SHOWN;
        let diagnostic = Diagnostic::new(codes::WRONG_KIND, format!("the Default of parameter {name} is a list"))
            .at(cx.tree.span(default))
            .quoting("Template format error: Every Default member must be a string.")
            .help(match (are_plain, cx.document.format) {
                (true, Format::Json) => format!("write `\"Default\": \"{text}\"`"),
                (true, Format::Yaml) => format!("write `Default: \"{text}\"`"),
                (false, _) => "write one string: its elements separated by commas".to_owned(),
            });
        cx.push(diagnostic, severity);
    } else if matches!(cx.tree.kind(default), Kind::Map | Kind::Call) {
        let diagnostic = Diagnostic::new(
            codes::WRONG_KIND,
            format!("the Default of parameter {name} is not a literal value: `Template format error: Every Default member must be a string.`"),
        )
        .at(cx.tree.span(default))
        .help("write a literal value: functions are not supported in Parameters");
        cx.push(diagnostic, severity);
    } else if cx.tree.text(default).len() > MOST_DEFAULT {
        let sentence =
            format!("Template format error: Parameter '{name}' default value '[****]' length is greater than 4096.");
        let diagnostic =
            Diagnostic::new(codes::QUOTA_LENGTHS, format!("the Default of parameter {name} is too long: `{sentence}`"))
                .at(cx.tree.span(default))
                .help(format!("shorten it to {MOST_DEFAULT} bytes"));
        cx.push(diagnostic, severity);
    }
}
