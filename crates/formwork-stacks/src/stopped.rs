//! Ends deployments that cannot continue.

use formwork_deploy::DeployFailure;

use super::observer::Printer;
use super::{Exit, refusal};

/// Prints why a deployment cannot create a change set, and returns its end.
pub fn stopped(failure: DeployFailure, printer: &mut Printer<'_, '_>) -> Exit {
    printer.reporter.print(&refusal::of_failure(&failure), None);
    Exit::Stopped(Box::new(failure.outcome), refusal::status_of(&failure.error))
}
