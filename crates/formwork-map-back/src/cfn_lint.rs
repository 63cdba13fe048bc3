//! The JSON of cfn-lint: a list of matches.

use serde_json::{Value, json};

use crate::finding::{Level, Target, ToolFinding};
use crate::merge::Merged;

/// Returns the matches about the output; `is_ours` returns whether a path is that of the output.
pub(crate) fn findings(report: &Value, is_ours: &dyn Fn(&str) -> bool) -> Vec<ToolFinding> {
    let list = report.as_array().map(Vec::as_slice).unwrap_or_default();
    let all = list.iter().enumerate();
    all.filter(|(_, one)| one["Filename"].as_str().is_some_and(is_ours))
        .map(|(number, one)| finding(number, one))
        .collect()
}

fn finding(number: usize, one: &Value) -> ToolFinding {
    let start = &one["Location"]["Start"];
    let place = |name: &str| start[name].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(1);
    let word = |word: &Value| match word {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let path = one["Location"]["Path"].as_array().map(|path| path.iter().map(word).collect()).unwrap_or_default();
    ToolFinding {
        tool: "cfn-lint".to_owned(),
        rule: text(&one["Rule"]["Id"]),
        level: Level::of(one["Level"].as_str().unwrap_or_default()),
        message: text(&one["Message"]),
        url: one["Rule"]["Source"].as_str().map(str::to_owned),
        target: Target::Path { path, line: place("LineNumber"), column: place("ColumnNumber") },
        number,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the report with authored locations: the first match of each site, with the paths of all.
pub(crate) fn rewritten(report: &Value, merged: &[Merged]) -> Value {
    let list = report.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut out = Vec::new();
    for (number, one) in list.iter().enumerate() {
        match merged.iter().find(|merged| merged.numbers.contains(&number)) {
            None => out.push(one.clone()),
            Some(merged) if merged.first.finding.number == number => out.push(placed(one, merged)),
            Some(_) => {}
        }
    }
    out.into()
}

fn placed(one: &Value, merged: &Merged) -> Value {
    let mut one = one.clone();
    let Some(site) = &merged.first.site else { return one };
    let number = |at: &str, name: &str| one["Location"][at][name].as_u64().unwrap_or(1);
    let is_line = number("Start", "LineNumber") == number("End", "LineNumber");
    let width = number("End", "ColumnNumber").saturating_sub(number("Start", "ColumnNumber"));
    let end = u64::from(site.column) + if is_line { width } else { 0 };
    one["Filename"] = site.file.clone().into();
    one["Location"]["Start"] = json!({"ColumnNumber": site.column, "LineNumber": site.line});
    one["Location"]["End"] = json!({"ColumnNumber": end, "LineNumber": site.line});
    if merged.count > 1 {
        one["FormworkInstances"] = merged.instances.clone().into();
    }
    one
}
