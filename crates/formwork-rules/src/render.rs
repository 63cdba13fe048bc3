//! Expressions with their values, for people.

use formwork_base::display::MASK;
use std::fmt::Write as _;

use super::environment::Environment;
use super::evaluator::truth_text;
use super::expression::{Expression, ExpressionKind};
use super::functions::{value_of, value_of_all};
use super::value::{Member, Value};

/// Limit of shown elements.
const MEMBERS: usize = 5;
/// Limit of shown characters.
const TEXT: usize = 60;

/// Writes an expression in the short spelling, each name followed by its value, such as `!Equals [!Ref Stage = "test",
/// "prod"]`. Values of `NoEcho` parameters are not shown.
pub(crate) fn render(expression: &Expression, environment: &Environment<'_>) -> String {
    let mut out = String::new();
    push(expression, environment, &mut out);
    out
}

fn push(expression: &Expression, environment: &Environment<'_>, out: &mut String) {
    let name = |symbol| environment.account.tree.name(symbol);
    let list = |short: &str, operands: &[Expression], out: &mut String| {
        out.push_str(short);
        out.push('[');
        let shown = if short.is_empty() { operands.len().min(MEMBERS) } else { operands.len() };
        for (at, operand) in operands[..shown].iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            push(operand, environment, out);
        }
        if shown < operands.len() {
            let _ = write!(out, " and {} more", operands.len() - shown);
        }
        out.push(']');
    };
    match &expression.kind {
        ExpressionKind::Truth(truth) => out.push_str(truth_text(*truth)),
        ExpressionKind::Text(text) => quoted(text, out),
        ExpressionKind::List(members) => list("", members, out),
        ExpressionKind::And(operands) => list("!And ", operands, out),
        ExpressionKind::Or(operands) => list("!Or ", operands, out),
        ExpressionKind::Not(operand) => list("!Not ", std::slice::from_ref(operand), out),
        ExpressionKind::Equals(operands) => list("!Equals ", operands.as_slice(), out),
        ExpressionKind::Contains(operands) => list("!Contains ", operands.as_slice(), out),
        ExpressionKind::EachMemberEquals(operands) => list("!EachMemberEquals ", operands.as_slice(), out),
        ExpressionKind::EachMemberIn(operands) => list("!EachMemberIn ", operands.as_slice(), out),
        ExpressionKind::RefAll(kind) => {
            let _ = write!(out, "!RefAll {kind} = ");
            value(&environment.account.all(kind), out);
        }
        ExpressionKind::ValueOf(parameter, attribute) => {
            let _ = write!(out, "!ValueOf [{}, {attribute}] = ", name(*parameter));
            if environment.is_secret(*parameter) {
                out.push_str(MASK);
            } else {
                value(&value_of::evaluate(environment, *parameter, attribute), out);
            }
        }
        ExpressionKind::ValueOfAll(kind, attribute) => {
            let _ = write!(out, "!ValueOfAll [{kind}, {attribute}] = ");
            value(&value_of_all::evaluate(environment, kind, attribute), out);
        }
        ExpressionKind::Ref(symbol) => {
            let _ = write!(out, "!Ref {} = ", name(*symbol));
            if environment.is_secret(*symbol) {
                out.push_str(MASK);
            } else {
                value(&environment.get(*symbol), out);
            }
        }
    }
}

fn value(value: &Value<'_>, out: &mut String) {
    match value {
        Value::Truth(truth) => out.push_str(truth_text(*truth)),
        Value::Text(text) => quoted(text, out),
        Value::Absent => out.push_str("(none)"),
        Value::Unknown(_) => out.push_str("(unknown)"),
        Value::List(members) => {
            out.push('[');
            for (at, member) in members.iter().take(MEMBERS).enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                match member {
                    Member::Text(text) => quoted(text, out),
                    Member::Absent => out.push_str("(none)"),
                    Member::Unknown(_) => out.push_str("(unknown)"),
                }
            }
            if members.len() > MEMBERS {
                let _ = write!(out, " and {} more", members.len() - MEMBERS);
            }
            out.push(']');
        }
    }
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => {
            out.push_str(&text[..end]);
            out.push('…');
        }
        None => out.push_str(text),
    }
    out.push('"');
}
