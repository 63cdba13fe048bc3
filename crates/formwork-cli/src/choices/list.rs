//! Converts the arguments of `list` to the options of the library.

use formwork_stacks::list::{self, ListChoices, ListStacksChoices};
use formwork_stacks::outputs::OutputsChoices;

use crate::Status;
#[cfg(feature = "local")]
use crate::args::ListEndpointsArgs;
use crate::args::{ListCommand, ListResourcesArgs, ListStackOutputsArgs, ListStacksArgs, ReportFormatArg};
use crate::failure::Failure;

impl ListCommand {
    pub(crate) fn run(&self) -> Result<Status, Failure> {
        match self {
            ListCommand::Stacks(args) => list::stacks::run(&args.into()),
            ListCommand::Resources(args) => list::resources::run(&args.into()),
            #[cfg(feature = "local")]
            ListCommand::Endpoints(args) => list::endpoints::run(&args.into()),
            ListCommand::StackOutputs(args) => list::stack_outputs::run(&args.into()),
        }
    }
}

fn is_json(format: Option<ReportFormatArg>) -> bool {
    format == Some(ReportFormatArg::Json)
}

impl From<&ListStacksArgs> for ListStacksChoices {
    fn from(args: &ListStacksArgs) -> ListStacksChoices {
        ListStacksChoices {
            all: args.all,
            nested: args.nested,
            is_json: is_json(args.format),
            account: (&args.account).into(),
            report: (&args.report).into(),
        }
    }
}

impl From<&ListResourcesArgs> for ListChoices {
    fn from(args: &ListResourcesArgs) -> ListChoices {
        ListChoices {
            stack: args.stack.named(),
            is_json: is_json(args.format),
            lines: (&args.lines).into(),
            report: (&args.report).into(),
        }
    }
}

#[cfg(feature = "local")]
impl From<&ListEndpointsArgs> for ListChoices {
    fn from(args: &ListEndpointsArgs) -> ListChoices {
        ListChoices {
            stack: args.stack.named(),
            is_json: is_json(args.format),
            lines: args.expansion.lines(args.template_file.as_deref(), &args.account),
            report: (&args.report).into(),
        }
    }
}

impl From<&ListStackOutputsArgs> for OutputsChoices {
    fn from(args: &ListStackOutputsArgs) -> OutputsChoices {
        OutputsChoices {
            stack: args.stack.named(),
            output: None,
            is_json: is_json(args.format),
            account: (&args.account).into(),
            report: (&args.report).into(),
        }
    }
}
