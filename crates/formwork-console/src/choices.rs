//! What the words of a command line choose for a report, as plain data.

use formwork_report::MessageFormat;

/// Whether a report has colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// As the stream and the environment have it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a run is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportChoices {
    /// The form of diagnostics.
    pub message_format: MessageFormat,
    /// Whether they have colours.
    pub color: Color,
    /// Whether warnings are errors.
    pub strict: bool,
    /// Whether only errors are printed.
    pub quiet: bool,
    /// Whether more is printed than is needed: what was done, and the inputs that were used.
    pub verbose: bool,
    /// Whether the time of each stage is printed.
    pub timings: bool,
}

impl Default for ReportChoices {
    fn default() -> ReportChoices {
        let message_format = MessageFormat::Human;
        ReportChoices {
            message_format,
            color: Color::Auto,
            strict: false,
            quiet: false,
            verbose: false,
            timings: false,
        }
    }
}

impl From<&ReportChoices> for ReportChoices {
    fn from(choices: &ReportChoices) -> ReportChoices {
        *choices
    }
}
