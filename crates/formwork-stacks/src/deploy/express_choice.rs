//! Decides on express mode (reference/deploy.md#express).

use formwork_deploy::OnFailure;
use formwork_project::{Config, Failure};
use formwork_report::Notice;

use super::DeployArgs;

/// Returns `true` for a deployment in express mode, the default of `sync`, and a note when a setting turns it off.
///
/// # Errors
/// When the command line combines express mode with an option that it does not support.
pub(super) fn chosen(
    args: &DeployArgs,
    section: &Config,
    command: &str,
    on_failure: OnFailure,
) -> Result<(bool, Option<Notice>), Failure> {
    let is_chosen = args.run.is_express().or_else(|| section.flag("express")).unwrap_or(command == "sync");
    // AWS does not document imports in express mode.
    let is_chosen = is_chosen && args.change_set.resources_to_import.is_none();
    if !is_chosen || on_failure != OnFailure::Delete {
        return Ok((is_chosen, None));
    }
    if args.run.is_express() == Some(true) {
        return Err(
            "--express does not go with --on-failure delete: CloudFormation cannot roll such an update back".into()
        );
    }
    let notice = Notice::note("express mode is off: it does not go with `on_failure` delete");
    Ok((false, Some(notice.help("pass `--on-failure rollback` to deploy in express mode"))))
}
