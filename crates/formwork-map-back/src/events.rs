//! Stack events, the JSON of `describe-stack-events`.

use serde_json::{Value, json};

use crate::finding::{Level, Target, ToolFinding};
use crate::locate::Located;

pub(crate) fn findings(report: &Value) -> Vec<ToolFinding> {
    let list = report["StackEvents"].as_array().map(Vec::as_slice).unwrap_or_default();
    let finding = |(number, one): (usize, &Value)| {
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        let status = text("ResourceStatus");
        ToolFinding {
            tool: "CloudFormation".to_owned(),
            level: if status.ends_with("_FAILED") { Level::Error } else { Level::Note },
            rule: status,
            message: text("ResourceStatusReason"),
            url: None,
            target: Target::Resource(text("LogicalResourceId")),
            number,
        }
    };
    list.iter().enumerate().map(finding).collect()
}

/// Returns the report with the authored location of the resource in each event.
pub(crate) fn rewritten(report: &Value, located: &[Located]) -> Value {
    let mut report = report.clone();
    for one in located {
        let event = report.get_mut("StackEvents").and_then(|events| events.get_mut(one.finding.number));
        if let (Some(event), Some(site)) = (event, &one.site) {
            event["FormworkSource"] = json!({"File": site.file, "Line": site.line, "Column": site.column});
        }
    }
    report
}
