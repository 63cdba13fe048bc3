//! Reports of other tools: detection, findings, and rewriting with authored locations.

use std::fmt;

use formwork_syntax::json::why_not;
use serde_json::Value;

use crate::finding::ToolFinding;
use crate::lines::is_output;
use crate::locate::Located;
use crate::merge::Merged;
use crate::{cfn_lint, checkov, events, sarif, validate};

/// The kind of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// SARIF, of any tool.
    Sarif,
    /// The JSON of cfn-lint.
    CfnLint,
    /// The JSON of `aws cloudformation describe-stack-events`.
    Events,
    /// Text with `FILE:LINE` or `FILE:LINE:COLUMN`.
    Lines,
}

impl Kind {
    /// Detects the kind of a report.
    pub fn of(text: &str) -> Kind {
        let start = text.trim_start();
        match serde_json::from_str::<Value>(start) {
            Ok(value) if value.get("runs").is_some() => Kind::Sarif,
            Ok(value) if value.get("StackEvents").is_some() => Kind::Events,
            Ok(Value::Array(_)) => Kind::CfnLint,
            Ok(_) => Kind::Lines,
            // A JSON document that was cut off is not text.
            Err(error) if error.is_eof() && start.starts_with('[') => Kind::CfnLint,
            Err(error) if error.is_eof() && start.contains("\"StackEvents\"") => Kind::Events,
            Err(error) if error.is_eof() && start.starts_with('{') => Kind::Sarif,
            Err(_) => Kind::Lines,
        }
    }
}

/// The error of a report that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAReport(String);

impl fmt::Display for NotAReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A parsed report.
#[derive(Debug)]
pub struct Report {
    kind: Kind,
    value: Value,
    /// The findings about the output.
    pub findings: Vec<ToolFinding>,
    /// Number of results about other files.
    pub others: usize,
}

/// Parses a report about the output at a path. Reports of kind [`Kind::Lines`] have no findings: see
/// [`crate::map_lines`].
///
/// # Errors
///
/// When it is not a report of this kind, or was cut off.
pub fn read(kind: Kind, text: &str, output: &str) -> Result<Report, NotAReport> {
    if kind == Kind::Lines {
        return Ok(Report { kind, value: Value::Null, findings: Vec::new(), others: 0 });
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let what = if error.is_eof() { "was cut off" } else { "is not JSON" };
        NotAReport(format!("the report {what}: {}", why_not(text.as_bytes())))
    })?;
    let is_ours = |path: &str| is_output(path, output);
    let (findings, all) = match kind {
        Kind::Sarif => (sarif::findings(&value, &is_ours), sarif::count(&value)),
        Kind::CfnLint => (cfn_lint::findings(&value, &is_ours), value.as_array().map_or(0, Vec::len)),
        Kind::Events | Kind::Lines => {
            let found = events::findings(&value);
            let all = found.len();
            (found, all)
        }
    };
    let others = all - findings.len();
    Ok(Report { kind, value, findings, others })
}

impl Report {
    /// Returns the report with authored locations. `located` has all findings, `merged` has those of one site merged.
    /// `text` returns the content of an authored file, `output` is the path of the output.
    pub fn rewritten(
        &self,
        located: &[Located],
        merged: &[Merged],
        text: &dyn Fn(&str) -> Option<String>,
        output: &str,
    ) -> String {
        let value = match self.kind {
            Kind::Sarif => sarif::rewritten(&self.value, merged, &sarif::Authored { text, output }),
            Kind::CfnLint => cfn_lint::rewritten(&self.value, merged),
            Kind::Events | Kind::Lines => events::rewritten(&self.value, located),
        };
        format!("{value:#}\n")
    }
}

/// A tool that `check --with` runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// cfn-lint.
    CfnLint,
    /// cloudformation-validate, a Python library.
    Validate,
    /// checkov.
    Checkov,
    /// cfn-guard.
    Guard,
}

impl Tool {
    /// Returns the name of the tool.
    pub fn name(self) -> &'static str {
        match self {
            Tool::CfnLint => "cfn-lint",
            Tool::Validate => "cloudformation-validate",
            Tool::Checkov => "checkov",
            Tool::Guard => "cfn-guard",
        }
    }

    /// Returns the program and its arguments for the output at `file`; `rules` are rule files for cfn-guard.
    pub fn command(self, file: &str, rules: &[String]) -> (&'static str, Vec<String>) {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        match self {
            Tool::CfnLint => ("cfn-lint", words(&["--format", "json", "--", file])),
            Tool::Validate => ("python3", words(&["-c", validate::SCRIPT, file])),
            Tool::Checkov => (
                "checkov",
                words(&["--file", file, "--framework", "cloudformation", "--output", "json", "--quiet", "--compact"]),
            ),
            Tool::Guard => {
                let mut all = words(&["validate", "--data", file, "--output-format", "sarif", "--structured"]);
                all.extend(words(&["--show-summary", "none"]));
                all.extend(rules.iter().flat_map(|rule| ["--rules".to_owned(), rule.clone()]));
                ("cfn-guard", all)
            }
        }
    }

    /// Parses the tool's findings about the output at `file` from its standard output.
    ///
    /// # Errors
    ///
    /// When that is not a report of the tool.
    pub fn findings(self, printed: &str, file: &str) -> Result<Vec<ToolFinding>, NotAReport> {
        if printed.trim().is_empty() {
            return Ok(Vec::new());
        }
        let value: Value = serde_json::from_str(printed).map_err(|_| {
            NotAReport(format!("what {} printed is not JSON: {}", self.name(), why_not(printed.as_bytes())))
        })?;
        Ok(match self {
            Tool::CfnLint => cfn_lint::findings(&value, &|path| is_output(path, file)),
            Tool::Validate => validate::findings(&value),
            Tool::Checkov => checkov::findings(&value),
            Tool::Guard => sarif::findings(&value, &|path| is_output(path, file)),
        })
    }
}
