//! Plain strings that look like a forgotten `Fn::Sub` (reference/diagnostics.md#codes).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Severity, codes};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Format, Function, NodeId, View, flags, symbol};
use formwork_template::sub_string::{self, Part};
use formwork_template::{Section, artifact};

use super::foreign_placeholders::{self, Foreign};
use super::{misquoted, misspelt_calls};
use crate::Context;

/// Properties with a language of their own, in which `${Name}` means something else.
const OTHER_LANGUAGES: [&str; 17] = [
    "BuildSpec",
    "Code",
    "ConnectionId",
    "Content",
    "Definition",
    "DefinitionBody",
    "DefinitionString",
    "FilterPattern",
    "InlineCode",
    "LogFormat",
    "RequestMappingTemplate",
    "ResponseMappingTemplate",
    "RouteSelectionExpression",
    "TemplateBody",
    "TopicRulePayload",
    "UserData",
    "ZipFile",
];

/// Checks the template as written; strings that a loop fills in are reported with the loop.
pub(super) fn check(cx: &mut Context<'_>) {
    if cx.severity_of_code(codes::FORGOTTEN_SUB).is_none() {
        return;
    }
    let mut found = Vec::new();
    for section in [Section::Resources, Section::Outputs] {
        let Some(node) = cx.tree.get(cx.template.root, section.symbol()) else { continue };
        // A plain string in a loop takes no item; one that has an item is reported with the loop.
        for entry in misspelt_calls::members(cx.tree, node) {
            if cx.is_cancelled() {
                return;
            }
            if is_loop(cx, entry) {
                in_loops(cx, entry, &mut found);
                continue;
            }
            match section {
                Section::Resources => {
                    let Some(properties) = cx.tree.get(entry.value, symbol::PROPERTIES) else { continue };
                    let kind = cx.tree.get(entry.value, symbol::TYPE).map_or("", |kind| cx.tree.text(kind));
                    for property in cx.tree.entries(properties) {
                        let name = cx.tree.text(property.key);
                        if !artifact::is_in(kind, name) {
                            member(cx, property, &mut found);
                        }
                    }
                }
                // A Description takes functions only under the language transform.
                _ => cx
                    .tree
                    .entries(entry.value)
                    .filter(|part| cx.language_extensions || cx.tree.symbol(part.key) != symbol::DESCRIPTION)
                    .for_each(|part| member(cx, part, &mut found)),
            }
        }
    }
    for (node, name) in found {
        match name {
            Some(name) => report(cx, node, &name),
            None => report_foreign(cx, node),
        }
    }
}

/// Strings with the declared name in them; without one, a placeholder of another tool is in the string.
type PlaceholderStrings = Vec<(NodeId, Option<String>)>;

/// Adds placeholders of other tools in generated strings. Those of the loop's own variables are checked with the loop.
fn in_loops(cx: &Context<'_>, entry: Entry, found: &mut PlaceholderStrings) {
    let mut pending: Vec<Entry> = vec![entry];
    while let Some(entry) = pending.pop() {
        let tree = cx.tree;
        if OTHER_LANGUAGES.contains(&tree.text(entry.key)) || !tree.has(entry.value, flags::HAS_PLACEHOLDER) {
            continue;
        }
        let mut nodes = vec![entry.value];
        while let Some(node) = nodes.pop() {
            match tree.view(node) {
                View::String(text) if foreign_placeholders::first(text).is_some() => found.push((node, None)),
                View::List(items) => nodes.extend(items.iter().rev()),
                View::Map => pending.extend(tree.entries(node)),
                _ => {}
            }
        }
    }
}

fn walk(cx: &Context<'_>, node: NodeId, found: &mut PlaceholderStrings) {
    if !cx.tree.has(node, flags::HAS_PLACEHOLDER) {
        return;
    }
    match cx.tree.view(node) {
        // A function in quotes is reported as such.
        View::String(_) if misquoted::call(cx, node).is_some() => {}
        View::String(text) => {
            let name = sub_string::parts(text).find_map(|part| match part {
                Part::Variable(name) if cx.has_name(name) => Some(name.to_owned()),
                _ => None,
            });
            if name.is_some() || foreign_placeholders::first(text).is_some() {
                found.push((node, name));
            }
        }
        View::List(items) => items.iter().for_each(|&item| walk(cx, item, found)),
        View::Map => cx.tree.entries(node).for_each(|entry| member(cx, entry, found)),
        // The string of `Fn::Sub` is filled in, and generated strings are checked with the loop. The name in a
        // reference is looked up as it is.
        View::Call(Function::Known(Known::Sub), argument) => {
            cx.tree.items(argument).iter().skip(1).for_each(|&map| walk(cx, map, found));
        }
        View::Call(
            Function::Known(Known::Map | Known::Merge | Known::Ref | Known::GetAtt | Known::Transform)
            | Function::Other(_),
            _,
        ) => {}
        View::Call(_, argument) => walk(cx, argument, found),
        _ => {}
    }
}

fn member(cx: &Context<'_>, entry: Entry, found: &mut PlaceholderStrings) {
    if !is_loop(cx, entry) && !OTHER_LANGUAGES.contains(&cx.tree.text(entry.key)) {
        walk(cx, entry.value, found);
    }
}

fn is_loop(cx: &Context<'_>, entry: Entry) -> bool {
    function::loop_name(cx.tree.text(entry.key)).is_some()
        || [symbol::FN_MAP, symbol::FN_MERGE].contains(&cx.tree.symbol(entry.key))
}

fn report(cx: &mut Context<'_>, node: NodeId, name: &str) {
    let (help, name) = (write_sub(cx, cx.tree.text(node)), shown(name));
    let why = if name.starts_with("AWS::") { "a pseudo parameter" } else { "declared in the template" };
    let diagnostic =
        Diagnostic::new(codes::FORGOTTEN_SUB, format!("\"${{{name}}}\" is kept literally, but {name} is {why}"))
            .at(cx.tree.span(node))
            .label("a plain string")
            .note("variables are replaced only inside Fn::Sub")
            .help(help);
    let diagnostic = advising(diagnostic, cx.tree.text(node));
    cx.push(diagnostic, Severity::Warning);
}

/// Reports a placeholder of another tool. If the intended parameter is known, the help shows the string with it.
fn report_foreign(cx: &mut Context<'_>, node: NodeId) {
    let text = cx.tree.text(node);
    let Some(foreign @ Foreign { written, tool, .. }) = foreign_placeholders::first(text) else { return };
    let meant = foreign.parameter(cx).map(|name| text.replace(written, &format!("${{{name}}}")));
    let help = meant.as_ref().map_or_else(|| foreign.advice().to_owned(), |text| write_sub(cx, text));
    let title = format!("\"{}\" is a placeholder of {tool}, and is kept literally", shown(written));
    let diagnostic = Diagnostic::titled(codes::FORGOTTEN_SUB, title)
        .at(cx.tree.span(node))
        .label("a plain string")
        .note("CloudFormation replaces variables only inside Fn::Sub")
        .help(help);
    cx.push(advising(diagnostic, meant.as_deref().unwrap_or_default()), Severity::Warning);
}

fn advising(diagnostic: Diagnostic, text: &str) -> Diagnostic {
    let names = sub_string::parts(text).filter_map(Part::variable);
    names.fold(diagnostic, |found, name| found.fact(Fact::Advises(name.trim().to_owned())))
}

pub(super) fn write_sub(cx: &Context<'_>, text: &str) -> String {
    match (text.lines().count(), cx.document.format) {
        (0 | 1, Format::Json) => format!("write `{{\"Fn::Sub\": \"{}\"}}`", shown(text)),
        (0 | 1, Format::Yaml) => format!("write `!Sub \"{}\"`", shown(text)),
        _ => "put `Fn::Sub` around the string".to_owned(),
    }
}
