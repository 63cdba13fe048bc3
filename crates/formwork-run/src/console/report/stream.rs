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
        match args.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if args.verbose => {
                configured::note_variables(&["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"]);
                choice != anstream::ColorChoice::Never
            }
            Color::Auto => choice != anstream::ColorChoice::Never,
        }
    }
}
