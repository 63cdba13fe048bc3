//! `formwork check` (reference/command-line.md#checks).

use formwork_check::CheckChoices;

use crate::Status;
use crate::args::CheckArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    if args.list_codes {
        return super::explain_code::list();
    }
    let choices = CheckChoices::from(args);
    #[cfg(feature = "aws")]
    if args.watch {
        return formwork_check::watch(&choices);
    }
    formwork_check::run(&choices)
}
