//! The JSON of checkov.

use serde_json::Value;

use crate::finding::{Level, Target, ToolFinding};

/// Returns the failed checks of a report: of one framework, or of a list of them.
pub(crate) fn findings(report: &Value) -> Vec<ToolFinding> {
    let reports = report.as_array().map_or_else(|| std::slice::from_ref(report), Vec::as_slice);
    let failed = reports.iter().filter_map(|one| one["results"]["failed_checks"].as_array()).flatten();
    failed.enumerate().map(|(number, one)| finding(number, one)).collect()
}

fn finding(number: usize, one: &Value) -> ToolFinding {
    let line = |at: usize| one["file_line_range"][at].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(1);
    let id = one["resource"].as_str().and_then(|resource| resource.rsplit_once('.')).map(|(_, id)| id.to_owned());
    ToolFinding {
        tool: "checkov".to_owned(),
        rule: one["check_id"].as_str().unwrap_or_default().to_owned(),
        level: one["severity"].as_str().map_or(Level::Error, Level::of),
        message: one["check_name"].as_str().unwrap_or_default().to_owned(),
        url: one["guideline"].as_str().map(str::to_owned),
        target: match id {
            Some(id) if !id.is_empty() => Target::Resource(id),
            _ => Target::Lines { first: line(0), last: line(1) },
        },
        number,
    }
}
