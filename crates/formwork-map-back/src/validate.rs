//! Findings of cloudformation-validate. This is a library: a script prints its diagnostics as a list of objects.

use serde_json::Value;

use crate::finding::{Level, Target, ToolFinding};

/// The script, for Python. Its argument is the template. For a script in an argument, Python searches modules in the
/// working directory first: a `json` module of the repository must not run.
pub(crate) const SCRIPT: &str = "\
import sys
sys.path[:] = [path for path in sys.path if path]
import json
from cloudformation_validate import CompositeEngine
found = CompositeEngine().validate_template(sys.argv[1]).diagnostics
print(json.dumps([{'rule': d.rule_id, 'severity': d.severity.name, 'message': d.message, 'line': d.start_line,
                   'column': d.start_column, 'url': d.documentation_url} for d in found]))
";

pub(crate) fn findings(report: &Value) -> Vec<ToolFinding> {
    let list = report.as_array().map(Vec::as_slice).unwrap_or_default();
    let finding = |(number, one): (usize, &Value)| {
        let place = |name: &str| one[name].as_u64().and_then(|number| u32::try_from(number).ok());
        let text = |name: &str| one[name].as_str().map(str::to_owned);
        ToolFinding {
            tool: "cloudformation-validate".to_owned(),
            rule: text("rule").unwrap_or_default(),
            level: Level::of(&text("severity").unwrap_or_default()),
            message: text("message").unwrap_or_default(),
            url: text("url"),
            target: match (place("line"), place("column")) {
                (Some(line), Some(column)) if line > 0 => Target::Point { line, column },
                (Some(line), None) if line > 0 => Target::Line { line, column: 1 },
                _ => Target::File,
            },
            number,
        }
    };
    list.iter().enumerate().map(finding).collect()
}
