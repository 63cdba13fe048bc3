//! Values that satisfy and that violate rules.

use std::fmt::Write as _;

use formwork_rules::RuleResult;
use formwork_rules::solve::{Domain, Found, Solution};
use serde::Serialize;
use serde_json::{Map, Value};

use super::document;
use crate::sentence;

#[derive(Serialize)]
struct JsonSolution<'s> {
    parameters: Vec<JsonDomain<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<JsonFound>,
    rules: Vec<JsonRule<'s>>,
}

#[derive(Serialize)]
pub(super) struct JsonDomain<'s> {
    name: &'s str,
    values: &'s [String],
    complete: bool,
}

#[derive(Serialize)]
struct JsonRule<'s> {
    name: &'s str,
    satisfied: JsonFound,
    violated: JsonFound,
}

/// `found` is `values`, `none`, `unknown` or `given up`.
#[derive(Serialize)]
struct JsonFound {
    found: &'static str,
    result: Option<&'static str>,
    values: Option<Map<String, Value>>,
    reasons: Vec<String>,
}

/// Renders the values for machines.
pub fn json(solution: &Solution) -> String {
    let rules = solution
        .rules
        .iter()
        .map(|rule| JsonRule {
            name: &rule.name,
            satisfied: json_found(&rule.satisfied),
            violated: json_found(&rule.violated),
        })
        .collect();
    document(&JsonSolution {
        parameters: solution.domains.iter().map(json_domain).collect(),
        all: solution.all.as_ref().map(json_found),
        rules,
    })
}

pub(super) fn json_domain(domain: &Domain) -> JsonDomain<'_> {
    JsonDomain { name: &domain.name, values: &domain.values, complete: domain.is_complete }
}

fn json_found(found: &Found) -> JsonFound {
    let none = |found| JsonFound { found, result: None, values: None, reasons: Vec::new() };
    match found {
        Found::Values(values, result) => JsonFound {
            found: "values",
            result: Some(result.name()),
            values: Some(values.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()),
            reasons: Vec::new(),
        },
        Found::Nothing => none("none"),
        Found::Unknown(reasons) => {
            JsonFound { reasons: reasons.iter().map(ToString::to_string).collect(), ..none("unknown") }
        }
        Found::GivenUp => none("stopped"),
    }
}

/// Renders the values for people, in the syntax of the command line.
pub fn text(solution: &Solution) -> String {
    let mut out = String::new();
    if solution.rules.is_empty() {
        return "the template has no rules\n".to_owned();
    }
    if let Some(all) = &solution.all {
        let _ = writeln!(out, "all rules\n  hold with     {}", words(all, &solution.domains));
    }
    for rule in &solution.rules {
        let _ = writeln!(out, "{}", sentence(&rule.name));
        let verb = match &rule.satisfied {
            Found::Values(_, RuleResult::Skipped) => "is skipped with",
            _ => "holds with",
        };
        let _ = writeln!(out, "  {verb:15} {}", words(&rule.satisfied, &solution.domains));
        let _ = writeln!(out, "  {:15} {}", "fails with", words(&rule.violated, &solution.domains));
    }
    let partial: Vec<String> = solution
        .domains
        .iter()
        .filter(|domain| !domain.is_complete)
        .map(|domain| {
            let count = domain.values.len();
            format!("{} ({count} value{})", sentence(&domain.name), if count == 1 { "" } else { "s" })
        })
        .collect();
    if !partial.is_empty() {
        let _ = writeln!(out, "more values of {} exist", partial.join(", "));
    }
    out
}

fn words(found: &Found, domains: &[Domain]) -> String {
    match found {
        Found::Values(values, _) if values.is_empty() => "any values".to_owned(),
        Found::Values(values, _) => {
            let words: Vec<String> =
                values.iter().map(|(name, value)| format!("{}={}", sentence(name), quoted(value))).collect();
            words.join(" ")
        }
        Found::Nothing if domains.iter().all(|domain| domain.is_complete) => "no values at all".to_owned(),
        Found::Nothing => "none of the values tried".to_owned(),
        Found::Unknown(reasons) => format!("(unknown: {})", sentence(&reasons.to_string())),
        Found::GivenUp => "(the search was stopped: pass some of the values)".to_owned(),
    }
}

pub(super) fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@,+%".contains(c);
    let value = sentence(value);
    if !value.is_empty() && value.chars().all(is_plain) { value } else { format!("'{}'", value.replace('\'', r"'\''")) }
}
