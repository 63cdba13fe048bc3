//! Strings of `Fn::Sub` with a placeholder that is not closed, or without any (reference/functions.md#sub).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Goal, Severity, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Style, flags, symbol};
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};
use formwork_template::{PseudoParameter, Section};
use rustc_hash::FxHashSet;

use super::calls_in::{CallIn, calls_in};
use crate::Context;

const SECTIONS: [Section; 3] = [Section::Conditions, Section::Resources, Section::Outputs];

pub(super) fn unclosed(cx: &mut Context<'_>) {
    if !cx.sources.files().any(|file| sub_string::may_be_unclosed(cx.sources.text(file))) {
        return;
    }
    // Strings that are assembled from modules are reported where they are computed.
    let is_alone = cx.modules().is_empty();
    let reported = cx.diagnostics.iter().filter(|found| !is_alone && found.code == codes::SUB_VARIABLE);
    let mut seen: FxHashSet<Span> = reported.map(Diagnostic::span).collect();
    // In a loop a call may become a string: it is checked as it is written.
    let mut calls = calls_of_loops(cx);
    calls.extend(calls_in(cx, Known::Sub, SECTIONS.into_iter().flat_map(|section| cx.judged(section))));
    for CallIn { member, call, .. } in calls {
        let tree = cx.tree;
        let (text, _) = sub_parts(tree, tree.call(call).1);
        if !seen.contains(&tree.span(text))
            && let Some(rest) = tree.string(text).and_then(sub_string::unclosed)
        {
            seen.insert(tree.span(text));
            report_unclosed(cx, member, text, rest);
        }
    }
}

fn calls_of_loops(cx: &Context<'_>) -> Vec<CallIn> {
    if cx.goal == Goal::Resolve {
        return Vec::new();
    }
    let modules = cx.modules().into_iter().map(|(root, _)| root);
    let roots = std::iter::once(cx.template.root).chain(modules);
    let sections = roots.flat_map(|root| SECTIONS.map(|section| cx.tree.get(root, section.symbol()))).flatten();
    let entries = sections.flat_map(|section| cx.tree.entries(section));
    calls_in(cx, Known::Sub, entries.filter(|entry| cx.tree.has(entry.value, flags::HAS_LOOP) || is_loop(cx, *entry)))
}

fn is_loop(cx: &Context<'_>, entry: Entry) -> bool {
    cx.tree.loop_name(entry.key).is_some() || [symbol::FN_MAP, symbol::FN_MERGE].contains(&cx.tree.symbol(entry.key))
}

fn report_unclosed(cx: &mut Context<'_>, member: NodeId, text: NodeId, rest: &str) {
    const SHOWN: usize = 30;
    let tree = cx.tree;
    let inner = &rest[2..];
    let name_end = inner.find(|c: char| !c.is_ascii_alphanumeric() && !"_.:".contains(c)).unwrap_or(inner.len());
    let (name, behind) = inner.split_at(name_end);
    let line = rest.lines().next().unwrap_or_default();
    let is_short = line.chars().count() <= SHOWN && line.len() == rest.len();
    let placeholder = if is_short { rest } else { &rest[..2 + name_end] };
    let span = tree.span(text);
    let source = cx.sources.slice(span);
    // The last one of the source is the unclosed one.
    let at = source.rfind("${").filter(|&at| !tree.is_generated(text) && source[at..].starts_with(placeholder));
    let place = match at.and_then(|at| Some((u32::try_from(at).ok()?, u32::try_from(placeholder.len()).ok()?))) {
        Some((at, len)) => Span::new(span.start() + at, span.start() + at + len),
        None => span,
    };
    let diagnostic =
        Diagnostic::new(codes::SUB_VARIABLE, format!("the placeholder `{}` is not closed", shown(placeholder)))
            .at(place)
            .frames(tree.frame_chain(tree.frame_of(member)))
            .note("a placeholder ends with `}`; what is not one begins with `${!`");
    let diagnostic = match (is_short, name.is_empty()) {
        (true, false) => diagnostic.help(format!("write `${{{}}}{}`", shown(name), shown(behind))),
        (false, false) => diagnostic.help(format!("close it behind the name: `${{{}}}`", shown(name))),
        (_, true) => diagnostic.help("close it behind a name, or remove it"),
    };
    let severity = cx.severity_of(member);
    cx.push(diagnostic, severity);
}

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::PLAIN_SUB) else { return };
    let advised = advised_names(cx);
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for CallIn { call, .. } in calls_of_loops(cx) {
        let (text, _) = sub_parts(cx.tree, cx.tree.call(call).1);
        if let Some(string) = cx.tree.string(text) {
            seen.insert(cx.tree.span(text));
            literal_function(cx, text, string);
        }
    }
    for CallIn { call, .. } in calls_in(cx, Known::Sub, SECTIONS.into_iter().flat_map(|section| cx.judged(section))) {
        let tree = cx.tree;
        let argument = tree.call(call).1;
        let (text, variables) = sub_parts(tree, argument);
        let Some(string) = tree.string(text) else { continue };
        // Another form is an error.
        let is_right = match variables {
            None => argument == text,
            Some(variables) => tree.len(argument) == 2 && tree.kind(variables) == Kind::Map,
        };
        if !is_right {
            continue;
        }
        unused_variables(cx, (string, variables), &advised, severity);
        // Strings in loops were checked as they are written.
        if seen.is_empty() || !seen.contains(&tree.span(text)) {
            literal_function(cx, text, string);
        }
        let tree = cx.tree;
        let is_plain = !sub_string::has_variables(string);
        // A generated string had a variable.
        if !is_plain
            || tree.is_generated(call)
            || tree.is_generated(text)
            || variables.is_some_and(|map| tree.is_empty(map))
        {
            continue;
        }
        let mut diagnostic = Diagnostic::new(codes::PLAIN_SUB, "the string of Fn::Sub has no variable")
            .at(tree.span(tree.call_name(call)));
        if let Some(name) = name_in_other_brackets(cx, string) {
            diagnostic = diagnostic.fact(Fact::Advises(name.clone()));
            diagnostic = match place_in_other_brackets(cx, text, &name) {
                Some(place) => diagnostic.at(place).help(format!("write `${{{name}}}`")),
                None => diagnostic.help(format!("write {name} as a placeholder, between `${{` and `}}`")),
            };
            cx.push(diagnostic, severity);
            continue;
        }
        diagnostic = diagnostic.help("remove Fn::Sub, or add the placeholder that is missing");
        if let Some(removed) = tag(cx, call, text).filter(|_| variables.is_none()) {
            diagnostic = diagnostic.fix("write the string alone", removed, "");
        }
        cx.push(diagnostic, severity);
    }
}

/// Reports `${!Ref Name}`, which is kept as the characters `${Ref Name}`.
fn literal_function(cx: &mut Context<'_>, text: NodeId, string: &str) {
    let functions = ["Ref ", "GetAtt ", "ImportValue ", "FindInMap ", "Sub ", "Select ", "Join "];
    let mut literals = sub_string::parts(string).filter_map(|part| match part {
        Part::Literal(name) => Some(name),
        _ => None,
    });
    let Some(name) = literals.find(|name| functions.iter().any(|function| name.starts_with(function))) else { return };
    let (function, argument) = name.split_once(' ').unwrap_or((name, ""));
    let title = format!("`${{!{}}}` stays a plain string: `!` in a placeholder is not a tag", shown(name));
    let help = match function {
        "Ref" | "GetAtt" => format!("write `${{{}}}`", shown(argument.trim())),
        _ => format!("write `${{Value}}`, and `Value: !{}` in the mapping of Fn::Sub", shown(name)),
    };
    let tree = cx.tree;
    let diagnostic = Diagnostic::titled(codes::SUB_VARIABLE, title)
        .at(tree.span(text))
        .frames(tree.frame_chain(tree.frame_of(text)))
        .help(help);
    cx.push(diagnostic, Severity::Warning);
}

/// Returns a declared name, or one of a pseudo parameter, written as `$(Name)`, `$Name`, `{Name}` or `%Name%`.
fn name_in_other_brackets(cx: &Context<'_>, string: &str) -> Option<String> {
    let words = string.split(|c: char| !c.is_ascii_alphanumeric() && c != ':').filter(|word| !word.is_empty());
    let is_marked = |word: &str| ["$(", "$", "{", "%"].iter().any(|mark| string.contains(&format!("{mark}{word}")));
    let is_declared = |word: &str| {
        if PseudoParameter::from_name(word).is_some() {
            return true;
        }
        let resources = cx.tree.get(cx.unrolled, symbol::RESOURCES);
        cx.tree.symbols().get(word).is_some_and(|name| {
            cx.template.parameter(name).is_some()
                || resources.is_some_and(|resources| cx.tree.get(resources, name).is_some())
        })
    };
    const MOST: usize = 100;
    words.take(MOST).find(|word| is_declared(word) && is_marked(word)).map(shown)
}

/// Includes the brackets.
fn place_in_other_brackets(cx: &Context<'_>, text: NodeId, name: &str) -> Option<Span> {
    let span = cx.tree.span(text);
    let source = cx.sources.slice(span);
    let forms = [("&{", "}"), ("{{", "}}"), ("$(", ")"), ("{", "}"), ("%", "%"), ("$", "")];
    let mut forms = forms.into_iter().map(|(before, behind)| format!("{before}{name}{behind}"));
    let (at, len) = forms.find_map(|form| Some((source.find(&form)?, form.len())))?;
    let (at, len) = (u32::try_from(at).ok()?, u32::try_from(len).ok()?);
    Some(Span::new(span.start() + at, span.start() + at + len))
}

fn advised_names(cx: &Context<'_>) -> FxHashSet<String> {
    let unresolved = cx.diagnostics.iter().filter(|found| found.code == codes::UNRESOLVED_NAME);
    unresolved.flat_map(Diagnostic::advised_names).map(str::to_owned).collect()
}

/// Reports variables of the second element that the string does not use. A map with one variable that looks like a
/// function is reported where the call is evaluated.
fn unused_variables(
    cx: &mut Context<'_>,
    (string, variables): (&str, Option<NodeId>),
    advised: &FxHashSet<String>,
    severity: Severity,
) {
    let tree = cx.tree;
    let Some(variables) = variables.filter(|&map| !tree.is_generated(map)) else { return };
    let used: FxHashSet<&str> = sub_string::parts(string).filter_map(Part::variable).map(str::trim).collect();
    for entry in tree.entries(variables) {
        let name = tree.text(entry.key);
        let is_function = name == Known::Ref.long() || name.starts_with("Fn::");
        if used.contains(name) || is_function || tree.is_generated(entry.key) {
            continue;
        }
        // A placeholder that misspells the variable is reported as that.
        if advised.contains(name) {
            continue;
        }
        let message = format!("the string of Fn::Sub does not use variable {}", shown(name));
        let diagnostic = Diagnostic::new(codes::PLAIN_SUB, message)
            .at(tree.span(entry.key))
            .help("use it in the string, or remove it");
        cx.push(diagnostic, severity);
    }
}

/// Returns the tag of a call and the space after it, where the string without it has the same meaning.
fn tag(cx: &Context<'_>, call: NodeId, text: NodeId) -> Option<Span> {
    let tree = cx.tree;
    let is_string = tree.kind(text) == Kind::String && tree.style(call) == Style::Tag && !tree.is_alias(call);
    // A string without its tag may be read as a number, a Boolean or a null.
    let string = tree.text(text);
    let is_certain = tree.style(text) != Style::Plain
        || string.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/')
            && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&string.to_lowercase().as_str());
    let (start, end) = (tree.span(call).start(), tree.span(text).start());
    let between = cx.sources.slice(Span::new(start, end));
    let is_simple =
        between.starts_with('!') && between[1..].trim_end().bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_string && is_certain && is_simple && !between.contains('\n')).then(|| Span::new(start, end))
}
