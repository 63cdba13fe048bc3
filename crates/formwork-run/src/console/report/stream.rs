//! The streams of a report.

use crate::terminal;

use crate::console::{Color, ReportArgs, configured};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// The report is the output of the command.
    Output,
    /// The command has another output.
    Error,
}

impl Stream {
    pub(super) fn width(self) -> Option<usize> {
        match self {
            Stream::Output => terminal::width_of(&std::io::stdout()),
            Stream::Error => terminal::width(),
        }
    }

    pub(super) fn has_color(self, args: ReportArgs) -> bool {
        let choice = match self {
            Stream::Output => anstream::AutoStream::choice(&std::io::stdout()),
            Stream::Error => anstream::AutoStream::choice(&std::io::stderr()),
        };
        // anstream does not know it; NO_COLOR is stronger.
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        let is_forced = is_set("FORCE_COLOR") && !is_set("NO_COLOR");
        let has_color = is_forced || choice != anstream::ColorChoice::Never;
        match args.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if args.verbose => {
                configured::note_variables(&["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"]);
                has_color
            }
            Color::Auto => has_color,
        }
    }
}
