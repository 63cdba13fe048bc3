//! The Outputs section (reference/structure.md#outputs).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Style, Symbol, Tree, View, function, symbol};

use super::resources::not_alphanumeric;
use crate::Context;
use formwork_template::{attribute, logical_id};

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.tree.get(cx.result, symbol::OUTPUTS).filter(|&node| cx.tree.kind(node) == Kind::Map) else {
        return;
    };
    for member in cx.tree.entries(section).collect::<Vec<_>>() {
        if cx.is_cancelled() {
            return;
        }
        let name = cx.tree.text(member.key);
        if cx.tree.symbol(member.key) == symbol::FN_TRANSFORM || function::loop_name(name).is_some() {
            continue;
        }
        output(cx, member);
    }
}

fn output(cx: &mut Context<'_>, member: Entry) {
    if !logical_id::is_alphanumeric(cx.tree.text(member.key)) {
        not_alphanumeric(cx, member.key, "Output");
    }
    let severity = cx.severity_of(member.key);
    let id = shown(cx.tree.text(member.key));
    let frame = cx.tree.frame_of(member.key);
    match cx.tree.kind(member.value) {
        Kind::Null | Kind::Call => return,
        // Generated outputs are checked with their loop.
        kind if kind != Kind::Map && !frame.is_none() => return,
        Kind::Map => {}
        _ => {
            let diagnostic = Diagnostic::new(
                codes::NOT_AN_OBJECT,
                format!("output {id} is not an object: `Template format error: Any Outputs member must be an object.`"),
            )
            .at(cx.tree.span(member.key))
            .frames(cx.tree.frame_chain(frame))
            .help(format!("write `{id}: {{Value: ...}}`"));
            return cx.push(diagnostic, severity);
        }
    }
    // A missing value is one mistake: its key is misspelt, or missing.
    let has_value = cx.tree.get(member.value, symbol::VALUE).is_some();
    let is_misspelt = !has_value && has_misspelt_value(cx.tree, member.value);
    if has_value || is_misspelt {
        attributes(cx, member.key, member.value, (&attribute::OUTPUT, severity));
    }
    export(cx, member, severity);
    if !is_misspelt {
        value(cx, member, severity);
    }
}

fn value(cx: &mut Context<'_>, member: Entry, severity: Severity) {
    let id = || shown(cx.tree.text(member.key));
    let frames = || cx.tree.frame_chain(cx.tree.frame_of(member.key));
    // The transform removes a null; without it a null is reported as one.
    let is_there = |&value: &NodeId| !cx.language_extensions || cx.tree.kind(value) != Kind::Null;
    match cx.tree.get(member.value, symbol::VALUE).filter(is_there) {
        None if cx.tree.get(member.value, symbol::FN_TRANSFORM).is_some() => {}
        None => {
            let diagnostic = Diagnostic::new(
                codes::OUTPUT_WITHOUT_VALUE,
                format!(
                    "output {} has no Value: `Template format error: Every Outputs member must contain a Value object`",
                    id()
                ),
            )
            .at(cx.tree.span(member.key))
            .frames(frames())
            .help("add `Value: ...`");
            cx.push(diagnostic, severity);
        }
        Some(value) => {
            let is_condition =
                matches!(cx.tree.view(value), View::Call(Function::Known(known), _) if known.is_condition());
            if is_condition {
                let diagnostic = Diagnostic::new(
                    codes::FUNCTION_NOT_ALLOWED,
                    format!("the value of output {} is a condition: `Template format error: The Value field of every Outputs member must evaluate to a String.`", id()),
                )
                .at(cx.tree.span(value))
                .frames(frames())
                .help("declare it under Conditions and choose a string with `Fn::If`");
                cx.push(diagnostic, severity);
            }
            nothing(cx, member.key, value);
        }
    }
}

fn has_misspelt_value(tree: &Tree, output: NodeId) -> bool {
    let names = || attribute::OUTPUT.iter().map(|&known| tree.name(known));
    let mut keys = tree.entries(output).map(|entry| tree.text(entry.key));
    keys.any(|key| names().all(|name| name != key) && suggest::nearest(key, names()) == Some("Value"))
}

/// Reports unknown attributes of an output, or of its `Export`.
fn attributes(cx: &mut Context<'_>, output: NodeId, object: NodeId, (known, severity): (&[Symbol], Severity)) {
    if cx.template.has_own_macros() || cx.tree.get(object, symbol::FN_TRANSFORM).is_some() {
        return;
    }
    let tree = cx.tree;
    for entry in tree.entries(object) {
        let text = tree.text(entry.key);
        let is_null = tree.kind(entry.value) == Kind::Null;
        if known.contains(&tree.symbol(entry.key)) || is_null || text.starts_with("Fn::") {
            continue;
        }
        let (id, text) = (shown(tree.text(output)), shown(text));
        let what = if known.contains(&symbol::VALUE) { "output" } else { "the Export of output" };
        let near = suggest::nearest(&text, known.iter().map(|&known| tree.name(known))).map(str::to_owned);
        let diagnostic =
            Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("{what} {id} has the unknown attribute {text}"))
                .at(tree.span(entry.key))
                .frames(tree.frame_chain(tree.frame_of(output)));
        let diagnostic = if let Some(near) = near {
            let advised = diagnostic.help(format!("did you mean `{near}`?"));
            advised.fix("rename the attribute", tree.span(entry.key), near)
        } else {
            let known: Vec<&str> = known.iter().map(|&known| tree.name(known)).collect();
            let is_export = ["exportname", "export_name", "exportas"].contains(&text.to_ascii_lowercase().as_str());
            if let (true, Some(name)) = (is_export, tree.string(entry.value)) {
                let diagnostic = diagnostic.help(format!("write `Export: {{Name: {}}}`", shown(name)));
                cx.push(diagnostic, severity);
                continue;
            }
            diagnostic.help(format!("remove it; the attributes are {}", known.join(", ")))
        };
        cx.push(diagnostic, severity);
    }
}

fn is_string_function(tree: &Tree, node: NodeId) -> bool {
    let View::Call(Function::Known(known), _) = tree.view(node) else { return false };
    matches!(known, Known::Sub | Known::Join | Known::Ref | Known::GetAtt | Known::ImportValue | Known::Base64)
}

/// Reports an `Export` that is not an object with a `Name`. A null is reported as such, and a function may return an
/// object.
fn export(cx: &mut Context<'_>, output: Entry, severity: Severity) {
    let Some(export) = cx.tree.get(output.value, symbol::EXPORT) else { return };
    if cx.tree.kind(export) == Kind::Map {
        attributes(cx, output.key, export, (&[symbol::NAME], severity));
        if cx.tree.is_empty(export) {
            let id = shown(cx.tree.text(output.key));
            let diagnostic = Diagnostic::new(codes::WRONG_KIND, format!("the Export of output {id} has no Name"))
                .at(cx.tree.span(export))
                .frames(cx.tree.frame_chain(cx.tree.frame_of(output.key)))
                .help("write `{Name: ...}`");
            cx.push(diagnostic, severity);
        }
    }
    let is_string = is_string_function(cx.tree, export);
    if !cx.tree.is_scalar(export) && cx.tree.kind(export) != Kind::List && !is_string {
        return;
    }
    let id = shown(cx.tree.text(output.key));
    let diagnostic = Diagnostic::new(codes::WRONG_KIND, format!("the Export of output {id} is not an object"))
        .at(cx.tree.span(export))
        .frames(cx.tree.frame_chain(cx.tree.frame_of(export)))
        .note("the name of an export is the property `Name` of `Export`");
    let own = cx.sources.slice(cx.tree.span(export));
    let help = match cx.tree.kind(export) {
        Kind::Call if cx.tree.style(export) == Style::Tag && own.starts_with('!') && !own.contains('\n') => {
            format!("write `{{Name: {}}}`", shown(own))
        }
        Kind::Call => "write it as the value of `Name` in `Export`".to_owned(),
        Kind::List => "write `{Name: ...}`".to_owned(),
        _ => format!("write `{{Name: {}}}`", shown(cx.tree.text_form(export))),
    };
    cx.push(diagnostic.help(help), severity);
}

/// Reports a value that resolved to `AWS::NoValue` in a module (reference/functions.md#no-value). Where values are
/// computed, the evaluator reports it.
fn nothing(cx: &mut Context<'_>, key: NodeId, value: NodeId) {
    let is_no_value =
        cx.tree.argument_of(value, Known::Ref).and_then(|name| cx.tree.string(name)) == Some("AWS::NoValue");
    let place = cx.tree.span(value);
    let is_reported = cx.diagnostics.is_reported(codes::OUTPUT_WITHOUT_VALUE, place);
    if !is_no_value || !cx.tree.is_generated(value) || is_reported {
        return;
    }
    let id = shown(cx.tree.text(key));
    let message = format!(
        "the value of output {id} is AWS::NoValue: `Template format error: Every Outputs member must contain a Value object`"
    );
    let diagnostic = Diagnostic::new(codes::OUTPUT_WITHOUT_VALUE, message)
        .at(place)
        .frames(cx.tree.frame_chain(cx.tree.frame_of(value)))
        .help("add a `Condition` to the output, or use another value");
    cx.push(diagnostic, Severity::Error);
}
