//! A deployment that cannot go on.

use formwork_deploy::DeployFailure;

use super::observer::Printer;
use super::{Exit, refusal};

/// Why there is no stack to send a change set to.
pub fn stopped(failure: DeployFailure, printer: &mut Printer<'_, '_>) -> Exit {
    printer.reporter.print(&refusal::of_failure(&failure), None);
    Exit::Stopped(Box::new(failure.outcome), refusal::status_of(&failure.error))
}
