//! Constraints of a parameter as declared (reference/structure.md#declarations): their errors do not depend on a value,
//! so they are reported without one.

use formwork_base::{Diagnostic, Severities, Severity, codes};
use formwork_evaluate::{Dialect, Pattern};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Symbol, View, symbol};
use formwork_template::no_echo::{self, NoEcho};

use crate::Context;
use formwork_evaluate::constraints::number;

pub(super) fn check(cx: &mut Context<'_>, node: NodeId, name: &str, severity: Severity) {
    for (attribute, word) in [
        (symbol::ALLOWED_PATTERN, "AllowedPattern"),
        (symbol::CONSTRAINT_DESCRIPTION, "ConstraintDescription"),
        (symbol::DESCRIPTION, "Description"),
    ] {
        if let Some(value) = written(cx, node, attribute).filter(|&value| !cx.tree.is_scalar(value)) {
            wrong_kind(cx, value, name, word, "is not a string", severity);
        }
    }
    pattern(cx, node, name, severity);
    allowed_values(cx, node, name, severity);
    for [least, most] in [
        [(symbol::MIN_LENGTH, "MinLength"), (symbol::MAX_LENGTH, "MaxLength")],
        [(symbol::MIN_VALUE, "MinValue"), (symbol::MAX_VALUE, "MaxValue")],
    ] {
        let is_length = least.0 == symbol::MIN_LENGTH;
        for one in [least, most] {
            bound_of_other_type(cx, node, name, one, is_length);
        }
        let least = bound(cx, node, name, least, is_length, severity);
        let most = bound(cx, node, name, most, is_length, severity);
        if let (Some(least), Some(most)) = (least, most) {
            range(cx, name, &least, &most, severity);
        }
    }
    flag(cx, node, name, severity);
}

/// Returns an attribute, unless it is null, which is reported as such.
fn written(cx: &Context<'_>, node: NodeId, attribute: Symbol) -> Option<NodeId> {
    cx.tree.get(node, attribute).filter(|&value| cx.tree.kind(value) != Kind::Null)
}

fn wrong_kind(cx: &mut Context<'_>, value: NodeId, name: &str, word: &str, what: &str, severity: Severity) {
    // These two are reported wherever they are not allowed.
    if let View::Call(Function::Known(Known::Map | Known::Merge), _) = cx.tree.view(value) {
        return;
    }
    let help = if cx.tree.kind(value) == Kind::Call {
        "write a literal value: functions are not supported in Parameters".to_owned()
    } else {
        match word {
            "AllowedValues" => "write `AllowedValues: [a, b]`".to_owned(),
            "NoEcho" => "write `NoEcho: true` or `NoEcho: false`".to_owned(),
            "AllowedPattern" | "ConstraintDescription" | "Description" => format!("write one string as {word}"),
            _ => format!("write a number, such as `{word}: 1`"),
        }
    };
    let diagnostic =
        Diagnostic::new(codes::WRONG_KIND, format!("the {word} of parameter {name} {what}")).at(cx.tree.span(value));
    cx.push(diagnostic.help(help), severity);
}

/// Reports an `AllowedPattern` that no engine compiles. One that only the engine here cannot run is a warning where a
/// value is checked.
fn pattern(cx: &mut Context<'_>, node: NodeId, name: &str, severity: Severity) {
    let Some(pattern) = cx.tree.get(node, symbol::ALLOWED_PATTERN) else { return };
    let error = cx.tree.string(pattern).and_then(|pattern| Pattern::error(pattern, Dialect::Java));
    let Some(error) = error else { return };
    let diagnostic = Diagnostic::new(
        codes::PATTERN_UNCHECKED,
        format!("the AllowedPattern of parameter {name} is not a regular expression"),
    )
    .at(cx.tree.span(pattern))
    .note(error)
    .note("no value can match it: CloudFormation compiles it as a Java regular expression")
    .help("correct the pattern; write `\\` before a literal bracket, parenthesis or quantifier");
    cx.push(diagnostic, severity);
}

fn allowed_values(cx: &mut Context<'_>, node: NodeId, name: &str, severity: Severity) {
    let Some(values) = written(cx, node, symbol::ALLOWED_VALUES) else { return };
    if cx.tree.kind(values) != Kind::List {
        return wrong_kind(cx, values, name, "AllowedValues", "is not a list", severity);
    }
    for value in cx.tree.items(values).to_vec() {
        if !cx.tree.is_scalar(value) && cx.tree.kind(value) != Kind::Null {
            wrong_kind(cx, value, name, "AllowedValues", "has an element that is not a string", severity);
        }
    }
}

struct Bound {
    node: NodeId,
    word: &'static str,
    number: f64,
}

fn bound(
    cx: &mut Context<'_>,
    node: NodeId,
    name: &str,
    (attribute, word): (Symbol, &'static str),
    is_length: bool,
    severity: Severity,
) -> Option<Bound> {
    let value = written(cx, node, attribute)?;
    let number = if cx.tree.is_scalar(value) { number(cx.tree.text_form(value)) } else { None };
    let is_right = |number: &f64| !is_length || *number >= 0.0 && number.fract() == 0.0;
    let Some(number) = number.filter(is_right) else {
        let what = if is_length { "is not a whole number of 0 or more" } else { "is not a number" };
        wrong_kind(cx, value, name, word, what, severity);
        return None;
    };
    Some(Bound { node: value, word, number })
}

/// Reports a bound that values of the type do not have.
fn bound_of_other_type(
    cx: &mut Context<'_>,
    node: NodeId,
    name: &str,
    (attribute, word): (Symbol, &'static str),
    is_length: bool,
) {
    let Some(severity) = Severities::Advice.at(cx.goal) else { return };
    let Some(entry) = cx.tree.member(node, attribute) else { return };
    let kind = cx.tree.get(node, symbol::TYPE).map_or("String", |kind| cx.tree.text(kind));
    let has_effect = if is_length { kind != "Number" } else { kind != "String" };
    if has_effect {
        return;
    }
    let diagnostic =
        Diagnostic::new(codes::WRONG_KIND, format!("{word} of parameter {name} has no effect on a {kind}"))
            .at(cx.tree.span(entry.key))
            .help(if is_length {
                "bound a number with `MinValue` and `MaxValue`"
            } else {
                "bound a string with `MinLength` and `MaxLength`, or write `Type: Number`"
            });
    cx.push(diagnostic, severity);
}

fn range(cx: &mut Context<'_>, name: &str, least: &Bound, most: &Bound, severity: Severity) {
    if least.number <= most.number {
        return;
    }
    let message = format!("the {} of parameter {name} is greater than its {}", least.word, most.word);
    let diagnostic = Diagnostic::new(codes::CONSTRAINT, message)
        .at(cx.tree.span(least.node))
        .related(cx.tree.span(most.node), format!("the {}", most.word))
        .note("no value satisfies both")
        .help("swap the two, or correct one of them");
    cx.push(diagnostic, severity);
}

/// Reports a `NoEcho` that is not clearly true or false; the value is treated as a secret.
fn flag(cx: &mut Context<'_>, node: NodeId, name: &str, severity: Severity) {
    let Some(flag) = written(cx, node, symbol::NO_ECHO) else { return };
    if no_echo::read(cx.tree, flag) == NoEcho::Unclear {
        wrong_kind(cx, flag, name, "NoEcho", "is not a Boolean", severity);
    }
}
