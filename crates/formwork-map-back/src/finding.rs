//! A finding of another tool.

/// The severity of a finding in the tool's report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// Any lower severity.
    Note,
}

impl Level {
    /// Parses a severity of a tool, in any letter case; an unknown one is a warning.
    pub fn of(word: &str) -> Level {
        match word.to_ascii_lowercase().as_str() {
            "error" | "fatal" | "critical" | "high" => Level::Error,
            "note" | "none" | "info" | "informational" | "information" | "low" => Level::Note,
            _ => Level::Warning,
        }
    }
}

/// The position of a finding in the output. Lines and columns start at 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The node at this path; if the path does not exist, the one at this position.
    Path {
        /// Keys, and indexes of list elements.
        path: Vec<String>,
        /// The line in the tool's report.
        line: u32,
        /// The column in the tool's report.
        column: u32,
    },
    /// The node at this position.
    Point {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
    },
    /// The node on this line that is nearest to a column.
    Line {
        /// The line.
        line: u32,
        /// The column, which may be off by one.
        column: u32,
    },
    /// The entry of a section that contains these lines.
    Lines {
        /// The first line.
        first: u32,
        /// The last line.
        last: u32,
    },
    /// A resource by its logical ID, and a path in it.
    Resource(String),
    /// The whole file.
    File,
}

/// A finding of another tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolFinding {
    /// The name of the tool.
    pub tool: String,
    /// The ID of the tool's rule.
    pub rule: String,
    /// The severity of the finding.
    pub level: Level,
    /// The message of the tool.
    pub message: String,
    /// The URL of a page about the rule.
    pub url: Option<String>,
    /// The position in the output.
    pub target: Target,
    /// The number of the finding in the report.
    pub number: usize,
}
