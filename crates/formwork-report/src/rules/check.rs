//! Outcomes of rules (reference/rules.md#report).

use std::fmt::Write as _;

use formwork_base::SourceMap;
use formwork_rules::{RuleResult, RulesReport};
use serde::Serialize;

use super::document;
use crate::{Context, sentence};

#[derive(Serialize)]
struct JsonReport<'r> {
    rules: Vec<JsonRule<'r>>,
}

#[derive(Serialize)]
struct JsonRule<'r> {
    name: &'r str,
    result: &'r str,
    source: &'r str,
    condition: Option<bool>,
    assertions: Vec<JsonAssertion<'r>>,
}

#[derive(Serialize)]
struct JsonAssertion<'r> {
    index: usize,
    result: &'r str,
    description: Option<&'r str>,
    path: &'r str,
}

/// Renders the report for machines.
pub fn json(report: &RulesReport, sources: &SourceMap) -> String {
    let rules = report
        .rules
        .iter()
        .map(|rule| JsonRule {
            name: &rule.name,
            result: rule.result.name(),
            source: sources.display(rule.source),
            condition: rule.condition,
            assertions: rule
                .assertions
                .iter()
                .map(|assertion| JsonAssertion {
                    index: assertion.index,
                    result: assertion.result.name(),
                    description: assertion.description.as_deref(),
                    path: &assertion.path,
                })
                .collect(),
        })
        .collect();
    document(&JsonReport { rules })
}

/// Renders the report for people: a line for each rule, and for each assertion that does not pass.
pub fn text(report: &RulesReport, context: &Context<'_>) -> String {
    let mut out = String::new();
    let first = report.rules.first().map(|rule| rule.source);
    for rule in &report.rules {
        let _ = write!(out, "{:8} {}", rule.result.name(), sentence(&rule.name));
        if Some(rule.source) != first {
            let _ = write!(out, "  ({})", sentence(context.sources.display(rule.source)));
        }
        out.push('\n');
        for assertion in rule.assertions.iter().filter(|assertion| assertion.result != RuleResult::Pass) {
            let words = assertion.description.as_deref().map(sentence).unwrap_or_default();
            out += format!("         {} Assertions[{}] {words}", assertion.result.name(), assertion.index).trim_end();
            out.push('\n');
        }
    }
    out += &summary(report);
    out
}

fn summary(report: &RulesReport) -> String {
    if report.rules.is_empty() {
        return "the template has no rules\n".to_owned();
    }
    let count = |result| report.rules.iter().filter(|rule| rule.result == result).count();
    let results = [RuleResult::Pass, RuleResult::Fail, RuleResult::Skipped, RuleResult::Unknown];
    let parts: Vec<String> = results
        .into_iter()
        .filter(|result| count(*result) > 0)
        .map(|result| format!("{} {}", count(result), result.name()))
        .collect();
    format!("{}\n", parts.join(", "))
}
