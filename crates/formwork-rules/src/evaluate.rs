//! Rules against values: outcomes and reports (reference/rules.md#evaluation).

use std::cell::LazyCell;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Diagnostics, Severity, codes};
use formwork_evaluate::{ParameterTable, ValueSource};
use formwork_syntax::Kind;
use formwork_template::Template;

use super::account::Account;
use super::environment::Environment;
use super::evaluator::{Evaluator, Finding};
use super::expression::ExpressionKind;
use super::model::{Rule, RuleSet};
use super::outcome::{Outcome, outcome};
use super::render::render;
use super::report::{AssertionReport, RuleReport, RuleResult, RulesReport};
use super::value::{Reason, Reasons, Verdict};
use super::{Settings, warnings};

/// Evaluates all rules; `None` when values of the wrong kind stop the evaluation.
pub(super) fn evaluate(
    rules: &RuleSet,
    account: &Account<'_>,
    template: &Template,
    table: &ParameterTable,
    settings: Settings,
    diagnostics: &mut Diagnostics,
) -> Option<RulesReport> {
    if rules.rules.is_empty() {
        return Some(RulesReport::default());
    }
    let environment = Environment::new(account, template, table, settings.value_of_all);
    let other = LazyCell::new(|| environment.with_other_reading());
    let mut report = RulesReport::default();
    let mut stopped = false;
    for rule in &rules.rules {
        warnings::of_rule(rule, account.tree, settings.value_of_all, diagnostics);
        let evaluator = Evaluator::new(&environment);
        let outcome = outcome(rule, &evaluator);
        findings(rule, &evaluator, diagnostics);
        let Some(outcome) = outcome else {
            stopped = true;
            continue;
        };
        let settings = Settings {
            judges_values: settings.judges_values && (settings.judges_defaults || !has_only_defaults(rule, table)),
            ..settings
        };
        report_result(rule, &outcome, &environment, settings, diagnostics);
        if warnings::depends_on_reading(rule) {
            warnings::of_readings(rule, &outcome, &environment, &other, diagnostics);
        }
        report.rules.push(reported(rule, &outcome));
    }
    (!stopped).then_some(report)
}

/// Returns `true` if a rule uses only Defaults: values that nobody chose.
fn has_only_defaults(rule: &Rule, table: &ParameterTable) -> bool {
    let (mut defaults, mut others) = (0, 0);
    for expression in rule.expressions() {
        expression.walk(&mut |expression| {
            if let ExpressionKind::Ref(name) | ExpressionKind::ValueOf(name, _) = &expression.kind {
                let is_default = table
                    .get(*name)
                    .is_some_and(|bound| bound.value.is_some() && !bound.pseudo && bound.given == ValueSource::Default);
                *(if is_default { &mut defaults } else { &mut others }) += 1;
            }
        });
    }
    defaults > 0 && others == 0
}

fn reported(rule: &Rule, outcome: &Outcome) -> RuleReport {
    let assertions = rule.assertions.iter().zip(&outcome.assertions).enumerate();
    RuleReport {
        name: rule.name.clone(),
        result: outcome.result,
        source: rule.file,
        condition: outcome.condition,
        assertions: assertions
            .map(|(index, (assertion, verdict))| AssertionReport {
                index,
                result: match verdict {
                    Verdict::True => RuleResult::Pass,
                    Verdict::False if outcome.condition == Some(true) => RuleResult::Fail,
                    Verdict::False | Verdict::Unknown(_) => RuleResult::Unknown,
                },
                description: assertion.description.clone(),
                path: path(rule, index),
            })
            .collect(),
    }
}

fn path(rule: &Rule, index: usize) -> String {
    format!("Rules.{}.Assertions.{index}", rule.name)
}

fn report_result(
    rule: &Rule,
    outcome: &Outcome,
    environment: &Environment<'_>,
    settings: Settings,
    diagnostics: &mut Diagnostics,
) {
    let tree = environment.account.tree;
    match outcome.result {
        RuleResult::Pass | RuleResult::Skipped => {}
        RuleResult::Fail => {
            for (index, (assertion, verdict)) in rule.assertions.iter().zip(&outcome.assertions).enumerate() {
                if *verdict != Verdict::False {
                    continue;
                }
                let what = match &assertion.description {
                    Some(description) => shown(description),
                    None => format!("Assertions[{index}] evaluated to false"),
                };
                let (how, severity) = if settings.judges_values {
                    ("failed", Severity::Error)
                } else {
                    ("fails for the Default values", Severity::Note)
                };
                let mut diagnostic =
                    Diagnostic::new(codes::RULE_FAILED, format!("Rule {} {how}: {what}", shown(&rule.name)))
                        .severity(severity)
                        .at(assertion.span)
                        .label("this is false")
                        .note(format!("with its values: {}", render(&assertion.assert, environment)))
                        .path(path(rule, index));
                if let Some(condition) = &rule.condition {
                    diagnostic = diagnostic
                        .related(tree.span(condition.node), "the rule applies, since this is true")
                        .note(format!("the rule applies: {}", render(condition, environment)));
                }
                diagnostics.push(diagnostic.help("pass values for which it holds; `formwork rules solve` finds some"));
            }
        }
        RuleResult::Unknown => {
            let Some(severity) = settings.unknown else { return };
            let is_asked = |reason: &Reason| match reason {
                Reason::NoValue(_) => settings.judges_values,
                Reason::AccountData(_) | Reason::StoredValue(_) => settings.judges_account,
            };
            if !outcome.reasons.iter().any(is_asked) {
                return;
            }
            let name = shown(&rule.name);
            let reasons = shown(&outcome.reasons.to_string());
            let diagnostic =
                Diagnostic::new(codes::RULE_UNKNOWN, format!("Rule {name} could not be evaluated: {reasons}"))
                    .severity(severity)
                    .at(tree.span(rule.key))
                    .help(advice(&outcome.reasons))
                    .path(format!("Rules.{}", rule.name));
            diagnostics.push(diagnostic);
        }
    }
}

fn advice(reasons: &Reasons) -> String {
    let is_account = |reason: &Reason| !matches!(reason, Reason::NoValue(_));
    if reasons.iter().any(is_account) {
        "pass account data with `--account FILE` or `--live`".to_owned()
    } else {
        "pass the value on the command line".to_owned()
    }
}

fn findings(rule: &Rule, evaluator: &Evaluator<'_, '_>, diagnostics: &mut Diagnostics) {
    let tree = evaluator.environment.account.tree;
    for finding in evaluator.findings.take() {
        match finding {
            Finding::Error(node, sentence) => diagnostics.push(
                Diagnostic::new(
                    codes::FUNCTION_LAYOUT,
                    format!("a value in rule {} has the wrong type: `{sentence}`", shown(&rule.name)),
                )
                .severity(Severity::Error)
                .at(tree.span(node))
                .help(match tree.kind(node) {
                    Kind::List if sentence.contains("requires a string as its second parameter") => {
                        "write the list first, then the value to look for"
                    }
                    _ => "write a value or a function of the expected type",
                }),
            ),
            Finding::ListAgainstText(node) => diagnostics.push(
                Diagnostic::new(codes::RULE_DOUBTFUL, "a list is compared with a string, which is never true")
                    .at(tree.span(node))
                    .help("compare elements with `Fn::Contains` or `Fn::EachMemberEquals`"),
            ),
        }
    }
}
