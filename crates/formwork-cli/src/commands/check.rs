//! `formwork check` (reference/command-line.md#checks).

use formwork_run::check::CheckArgs;

use crate::Status;
use crate::failure::Failure;

pub(crate) fn run(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    if args.list_codes {
        return super::explain_code::list();
    }
    #[cfg(feature = "aws")]
    if args.watch {
        return formwork_run::check::watch(args);
    }
    formwork_run::check::run(args)
}
