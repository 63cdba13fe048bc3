//! Options of a report, as plain data without the argument parser.

use formwork_report::MessageFormat;

/// When a report is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// Depending on the stream and the environment.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The options of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportChoices {
    /// The form of diagnostics.
    pub message_format: MessageFormat,
    /// When diagnostics are coloured.
    pub color: Color,
    /// Set to report warnings as errors.
    pub strict: bool,
    /// Set to print only errors.
    pub quiet: bool,
    /// Set to print details, too: the actions of the run and the inputs that were used.
    pub verbose: bool,
    /// Set to print the time of each stage.
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
