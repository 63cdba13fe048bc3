//! A finding of another tool.

/// How bad a tool calls a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// Anything less.
    Note,
}

impl Level {
    /// The level that a word of a tool names, in any letter case; a warning when it is unknown.
    pub fn of(word: &str) -> Level {
        match word.to_ascii_lowercase().as_str() {
            "error" | "fatal" | "critical" | "high" => Level::Error,
            "note" | "none" | "info" | "informational" | "information" | "low" => Level::Note,
            _ => Level::Warning,
        }
    }
}

/// What a finding is about in the output. Lines and columns start at 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The node at this path; where the path leads nowhere, the one at this place.
    Path {
        /// Keys and numbers of elements.
        path: Vec<String>,
        /// Line and column that the tool names.
        line: u32,
        /// See `line`.
        column: u32,
    },
    /// The node at this place.
    Point {
        /// Line.
        line: u32,
        /// Column.
        column: u32,
    },
    /// The node on this line that is nearest to a column.
    Line {
        /// Line.
        line: u32,
        /// Column, which may be off by one.
        column: u32,
    },
    /// The entry of a section that holds these lines.
    Lines {
        /// First line.
        first: u32,
        /// Last line.
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
    /// The tool's rule id.
    pub rule: String,
    /// How bad it is.
    pub level: Level,
    /// The tool's sentence.
    pub message: String,
    /// A page about the rule.
    pub url: Option<String>,
    /// What it is about.
    pub target: Target,
    /// Its number in the report.
    pub number: usize,
}
