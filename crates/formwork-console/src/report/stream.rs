//! The streams that a report goes to.

use formwork_run::terminal;

use crate::{Color, ReportArgs, configured};

/// Where a report goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// Standard output: the report is what the command produces.
    Output,
    /// Standard error: the command produces something else.
    Error,
}

impl Stream {
    /// The columns of its terminal.
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
