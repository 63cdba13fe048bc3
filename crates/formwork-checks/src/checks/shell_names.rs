//! Parameters in plain strings as a shell writes them: `orders-$Env`, `${Env:-dev}` (reference/diagnostics.md#codes).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View, symbol};
use formwork_template::{PseudoParameter, Section, artifact, sub_string};

use super::forgotten_sub;
use crate::Context;

/// Parts of the names of properties with a language of their own, in lower case.
const OTHER_LANGUAGES: [&str; 22] = [
    "argument",
    "body",
    "buildspec",
    "code",
    "command",
    "content",
    "definition",
    "document",
    "entrypoint",
    "expression",
    "filter",
    "format",
    "parameters",
    "path",
    "pattern",
    "policy",
    "query",
    "regex",
    "routekey",
    "script",
    "template",
    "userdata",
];

/// The operators of a shell behind a name in braces.
const OPERATORS: [&str; 4] = [":-", ":=", ":?", ":+"];

/// A name as a shell writes it, and the string with that of CloudFormation in its place.
struct Found {
    node: NodeId,
    written: String,
    name: String,
    meant: String,
    /// Set if the string is that of an `Fn::Sub`.
    is_in_sub: bool,
}

/// Checks the template as written.
pub(super) fn check(cx: &mut Context<'_>) {
    if cx.severity_of_code(codes::FORGOTTEN_SUB).is_none() {
        return;
    }
    let mut found = Vec::new();
    for section in [Section::Resources, Section::Outputs] {
        let Some(node) = cx.tree.get(cx.template.root, section.symbol()) else { continue };
        declared(cx, node, section, &mut found);
    }
    for found in found {
        report(cx, &found);
    }
}

/// Walks through the declarations of a section, and of the loops in it.
fn declared(cx: &Context<'_>, section_node: NodeId, section: Section, found: &mut Vec<Found>) {
    let tree = cx.tree;
    let mut pending = vec![section_node];
    while let Some(node) = pending.pop() {
        for entry in tree.entries(node) {
            if cx.is_cancelled() {
                return;
            }
            if let View::List(&[_, _, body]) = tree.view(entry.value) {
                pending.push(body);
                continue;
            }
            match section {
                Section::Resources => resource(cx, entry, found),
                _ => tree
                    .entries(entry.value)
                    .filter(|part| tree.symbol(part.key) == symbol::VALUE)
                    .for_each(|part| walk(cx, part.value, found)),
            }
        }
    }
}

fn resource(cx: &Context<'_>, entry: Entry, found: &mut Vec<Found>) {
    let tree = cx.tree;
    let kind = tree.get(entry.value, symbol::TYPE).map_or("", |kind| tree.text(kind));
    // The function behind a custom resource may fill in what it gets.
    let is_read = kind.starts_with("AWS::") && kind != "AWS::CloudFormation::CustomResource";
    let Some(properties) = tree.get(entry.value, symbol::PROPERTIES).filter(|_| is_read) else { return };
    for property in tree.entries(properties) {
        if !artifact::is_in(kind, tree.text(property.key)) {
            member(cx, property, found);
        }
    }
}

fn member(cx: &Context<'_>, entry: Entry, found: &mut Vec<Found>) {
    let name = cx.tree.text(entry.key).to_ascii_lowercase();
    if !OTHER_LANGUAGES.iter().any(|word| name.contains(word)) {
        walk(cx, entry.value, found);
    }
}

fn walk(cx: &Context<'_>, node: NodeId, found: &mut Vec<Found>) {
    let tree = cx.tree;
    match tree.view(node) {
        View::String(text) => found.extend(first(cx, node, text)),
        View::List(items) => items.iter().for_each(|&item| walk(cx, item, found)),
        View::Map => tree.entries(node).for_each(|entry| member(cx, entry, found)),
        View::Call(Function::Known(Known::If | Known::Join | Known::ImportValue | Known::Select), argument) => {
            walk(cx, argument, found);
        }
        // A string without a variable is reported as that.
        View::Call(Function::Known(Known::Sub), argument) => {
            let text = tree.items(argument).first().copied().unwrap_or(argument);
            if let Some(string) = tree.string(text).filter(|text| sub_string::has_variables(text)) {
                found.extend(first(cx, text, string).map(|one| Found { is_in_sub: true, ..one }));
                tree.items(argument).iter().skip(1).for_each(|&variables| walk(cx, variables, found));
            }
        }
        _ => {}
    }
}

/// Returns the first name in a string of one line. A longer string may be a script.
fn first(cx: &Context<'_>, node: NodeId, text: &str) -> Option<Found> {
    /// Longer strings are code of some language.
    const LONGEST: usize = 300;
    if !text.contains('$') || text.len() > LONGEST || text.contains(['\n', ' ']) {
        return None;
    }
    text.match_indices('$').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let (name, len) = match rest.strip_prefix('{') {
            Some(inside) => {
                let end = inside.find('}')?;
                let (name, operator) = inside.get(..end)?.split_at(name_end(inside));
                OPERATORS.iter().any(|one| operator.starts_with(one)).then_some((name, end + 2))?
            }
            None => (rest.get(..name_end(rest))?, name_end(rest)),
        };
        if !is_parameter(cx, name) {
            return None;
        }
        let written = text.get(at..=at + len)?.to_owned();
        let meant = format!("{}${{{name}}}{}", text.get(..at)?, text.get(at + len + 1..)?);
        Some(Found { node, written, name: name.to_owned(), meant, is_in_sub: false })
    })
}

/// Returns the length of the name at the beginning of a string: letters and digits, or a pseudo parameter.
fn name_end(text: &str) -> usize {
    let end_of = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    match text.strip_prefix("AWS::") {
        Some(rest) => "AWS::".len() + end_of(rest),
        None => end_of(text),
    }
}

fn is_parameter(cx: &Context<'_>, name: &str) -> bool {
    let of_template = || cx.tree.symbols().get(name).is_some_and(|name| cx.template.parameter(name).is_some());
    PseudoParameter::from_name(name).is_some() || of_template()
}

fn report(cx: &mut Context<'_>, found: &Found) {
    let Found { node, written, name, meant, is_in_sub } = found;
    let help = if *is_in_sub { format!("write `\"{}\"`", shown(meant)) } else { forgotten_sub::write_sub(cx, meant) };
    let name = shown(name);
    let why = if name.starts_with("AWS::") { "a pseudo parameter" } else { "declared in the template" };
    let title = format!("\"{}\" is kept literally, but {name} is {why}", shown(written));
    let diagnostic = Diagnostic::titled(codes::FORGOTTEN_SUB, title)
        .at(cx.tree.span(*node))
        .note("a variable is `${Name}`, and is replaced only inside Fn::Sub")
        .help(help)
        .fact(Fact::Advises(name));
    cx.push(diagnostic, Severity::Warning);
}
