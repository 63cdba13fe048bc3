//! Warnings of rules that do not check what they seem to check (reference/rules.md#ref, reference/rules.md#attributes).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Diagnostics, codes};
use formwork_syntax::Tree;

use super::ValueOfAll;
use super::environment::Environment;
use super::evaluator::Evaluator;
use super::expression::{Expression, ExpressionKind};
use super::model::Rule;
use super::outcome::{Outcome, outcome};
use super::report::RuleResult;

/// Reports warnings that depend only on the rule itself.
pub(super) fn of_rule(rule: &Rule, tree: &Tree, reading: ValueOfAll, diagnostics: &mut Diagnostics) {
    let mut uses_values = false;
    for expression in rule.expressions() {
        expression.walk(&mut |expression| match &expression.kind {
            ExpressionKind::Ref(_) | ExpressionKind::ValueOf(..) => uses_values = true,
            ExpressionKind::ValueOfAll(..) => uses_values |= reading == ValueOfAll::Parameters,
            ExpressionKind::Text(text) if text == "AWS::NoValue" => no_value(expression, tree, diagnostics),
            _ => {}
        });
    }
    if !uses_values {
        let message = format!("rule {} does not use a parameter, so its result is always the same", shown(&rule.name));
        diagnostics.push(
            Diagnostic::new(codes::RULE_DOUBTFUL, message)
                .at(tree.span(rule.key))
                .note("Fn::RefAll and Fn::ValueOfAll read the whole account, whatever the values of the parameters are")
                .help("use `Ref` or `Fn::ValueOf` with a parameter"),
        );
    }
}

fn no_value(expression: &Expression, tree: &Tree, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        Diagnostic::new(
            codes::RULE_DOUBTFUL,
            "AWS::NoValue is an ordinary string here, and does not match a parameter without a value",
        )
        .at(tree.span(expression.node))
        .help("a parameter without a value has its Default, often the empty string: compare with \"\""),
    );
}

/// Returns `true` if the two readings of `Fn::ValueOfAll` may result in different outcomes.
pub(super) fn depends_on_reading(rule: &Rule) -> bool {
    let mut found = false;
    for expression in rule.expressions() {
        expression.walk(&mut |expression| found |= matches!(expression.kind, ExpressionKind::ValueOfAll(..)));
    }
    found
}

pub(super) fn of_readings(
    rule: &Rule,
    own: &Outcome,
    environment: &Environment<'_>,
    other: &Environment<'_>,
    diagnostics: &mut Diagnostics,
) {
    let evaluator = Evaluator::new(other);
    let Some(theirs) = outcome(rule, &evaluator) else { return };
    if own.result == theirs.result || [own.result, theirs.result].contains(&RuleResult::Unknown) {
        return;
    }
    let (reading, option) = match environment.reading {
        ValueOfAll::Account => ("all of the account", "parameters"),
        ValueOfAll::Parameters => ("the values of this template's parameters", "account"),
    };
    let message = format!(
        "rule {} depends on the meaning of Fn::ValueOfAll: {} here, {} with the other reading",
        shown(&rule.name),
        own.result.name(),
        theirs.result.name(),
    );
    diagnostics.push(
        Diagnostic::new(codes::RULE_DOUBTFUL, message)
            .at(environment.account.tree.span(rule.key))
            .note(format!("it is read as {reading}; `--value-of-all {option}` selects the other reading"))
            .help("write `Fn::ValueOf` with a parameter to make the meaning explicit"),
    );
}
