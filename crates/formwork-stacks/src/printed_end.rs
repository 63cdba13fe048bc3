//! Prints the end of a deployment for people.

use formwork::Severity;
use formwork_deploy::{DeployFailure, DeployRequest, DeployResult, Outcome, sentence};
use formwork_project::Failure;
use formwork_report::Notice;
use formwork_run::Status;
use serde_json::json;

use super::observer::Printer;
use super::{capabilities, ending, express, imports, places, refusal, summary};

/// Prints the result of a deployment and its summary, and returns the exit status of the program.
///
/// # Errors
/// When standard output cannot be written.
pub fn finished(
    ran: Result<Outcome, Box<DeployFailure>>,
    request: &DeployRequest,
    is_json: bool,
    printer: &mut Printer<'_, '_>,
) -> Result<Status, Failure> {
    match ran {
        Ok(outcome) => {
            let status = ended(&outcome, request, printer);
            summary::print(&outcome, is_json, printer.reporter, Some(&mut printer.sources))?;
            Ok(status)
        }
        Err(failure) => {
            let status = not_deployed(&failure, printer);
            summary::print_object(&failure.outcome, is_json, printer.reporter, Some(&mut printer.sources))?;
            Ok(status)
        }
    }
}

/// Prints the result of a deployment that ran to its end, and returns the exit status of the program.
fn ended(outcome: &Outcome, request: &DeployRequest, printer: &mut Printer<'_, '_>) -> Status {
    let name = printer.stack_name;
    let Printer { reporter, sources, .. } = printer;
    match outcome.result {
        DeployResult::NoChanges if request.fails_when_empty => Status::NothingToChange,
        DeployResult::Cancelled => {
            let status = outcome.status.as_deref().unwrap_or_default();
            let message = format!("the update of {name} was cancelled: the stack is in {status}");
            reporter.print(&Notice::warning(message), None);
            Status::Interrupted
        }
        DeployResult::Failed => {
            if let Some(end) = &outcome.failure {
                let (notice, unit) = ending::failed(end, name, request, sources, reporter);
                reporter.print(&notice, Some(sources.of_unit(unit)));
            }
            if let Some(cleanup) = &outcome.cleanup {
                reporter.print(&ending::cleaned_up(cleanup, name), None);
            }
            Status::Errors
        }
        _ => {
            if let Some(notice) = express::unfinished(outcome, "deployed", "stabilizing") {
                reporter.print(&notice, None);
            }
            if outcome.status.as_deref() == Some("IMPORT_COMPLETE") {
                let command = format!("`aws cloudformation detect-stack-drift --stack-name {name}`");
                let notice = Notice::note("the template is not compared with the configuration of what was imported");
                reporter.print(&notice.help(format!("check for drift: {command}")), None);
            }
            Status::Done
        }
    }
}

/// Prints why a deployment ended early, with the lines of the resources that CloudFormation names, and returns the exit
/// status of the program.
pub fn not_deployed(failure: &DeployFailure, printer: &mut Printer<'_, '_>) -> Status {
    let Printer { reporter, sources, .. } = printer;
    let sentence = failure.error.sentence().unwrap_or_default();
    let mut notice = refusal::of_failure(failure);
    if failure.outcome.examination.has_errors() {
        // Each finding was printed at its place.
    } else if imports::print_not_importable(sentence, reporter, sources) {
        // So was each of these.
    } else if sentence::needs_capabilities(sentence) {
        notice = capabilities::reasons(notice, sources.root(), sentence);
    } else if notice.severity == Severity::Error {
        for (id, origin) in places::named_in(sentence, sources.root()) {
            let failure = json!({"path": [], "logical_id": id, "reason": reporter.mask(sentence)});
            reporter.add_failure(places::with_source(failure, Some(&origin)));
            let words = if origin.items.is_empty() { id } else { format!("{id}: {}", origin.items) };
            notice = notice.at(origin.span, words);
        }
    }
    reporter.print(&notice, Some(sources.root()));
    refusal::status_of(&failure.error)
}
