//! The suite `rules`: outcomes of rules, or an error.

use formwork::{Format, Goal, SourceFile};
use serde_json::Value;

use super::case::{self, Case};
use crate::words::Rules;

pub(super) fn holds(case: &Case) -> Result<(), String> {
    let mut request = case.request(Goal::Rules)?;
    request.rules = Some(Rules::Check);
    request.format = Some(Format::Json);
    for file in case.data["constraints"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let bytes = case.file(file)?.into();
        request.options.constraints.push(SourceFile { path: file.to_owned(), display: file.to_owned(), bytes });
    }
    let outcome = case.run(&request)?;
    let expect = &case.data["expect"];
    let absent = case.expected_texts("messages_absent");
    if let Some(error) = expect["error"].as_str() {
        return case::fails_with(&outcome, error, &absent);
    }
    let report: Value = serde_json::from_str(&outcome.text())
        .map_err(|error| format!("there is no report: {error}\n{}", outcome.human))?;
    let rules = report["rules"].as_array().into_iter().flatten();
    let got: serde_json::Map<String, Value> =
        rules.filter_map(|rule| Some((rule["name"].as_str()?.to_owned(), rule["result"].clone()))).collect();
    let got = Value::Object(got);
    if got != expect["rules"] {
        return Err(format!("want {} got {got}", expect["rules"]));
    }
    let is_bad = got.as_object().into_iter().flatten().any(|(_, result)| result == "fail" || result == "unknown");
    if is_bad != outcome.failed {
        return Err(format!("failed is {} with {got}", outcome.failed));
    }
    let said = outcome.human.clone() + &outcome.text();
    if let Some(text) = case.expected_texts("messages").into_iter().find(|text| !said.contains(text)) {
        return Err(format!("message without {text:?}: {said}"));
    }
    if let Some(text) = absent.into_iter().find(|text| said.contains(text)) {
        return Err(format!("message should not hold {text:?}"));
    }
    Ok(())
}
