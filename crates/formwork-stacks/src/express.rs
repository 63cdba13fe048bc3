//! Express mode: an operation ends when the configuration is applied (reference/deploy.md#express).

use formwork::{Diagnostic, Severity, codes};
use formwork_deploy::{Change, DeployResult, Outcome, Replacement, Stack};
use formwork_report::{Notice, printable};

use super::places::Sources;
use super::reporter::DeployReporter;

const NAMED: usize = 5;

/// CloudFormation reports this for a replacement without rollback.
const SENTENCE: &str = "Replacement type updates not supported on stack with disable-rollback.";

const WAY_OUT: &str = "deploy the last template that worked with `--express --disable-rollback`";

/// Prints the changes that replace, or may replace, a resource while rollback is disabled.
pub fn print_replaced(changes: &[&Change], reporter: &mut DeployReporter<'_>, sources: &mut Sources) {
    for change in changes {
        let path = reporter.clean(&change.path());
        let (severity, verb) = match change.replacement {
            Replacement::Yes => (Severity::Error, "is"),
            Replacement::No | Replacement::Perhaps | Replacement::Unknown(_) => (Severity::Warning, "may be"),
        };
        let title = format!("{path} {verb} replaced, and rollback is disabled");
        let origin = sources.of(&change.within, &change.logical_id);
        let mut found = Diagnostic::titled(codes::REPLACEMENT, title).severity(severity).quoting(SENTENCE);
        if let Some(origin) = &origin {
            found = found.at(origin.span).label(origin.items.clone());
        }
        if !change.changed.is_empty() {
            found = found.note(format!("changed: {}", reporter.clean(&change.changed.join(", "))));
        }
        found = found.help("deploy with rollback: leave out `--disable-rollback` and `--on-failure do-nothing`");
        let about = sources.of_unit(origin.as_ref().and_then(|origin| origin.unit));
        reporter.more_diagnostics(std::slice::from_ref(&found), about);
    }
}

/// Returns a notice that an operation in express mode ended before its resources were ready or deleted.
pub fn unfinished(outcome: &Outcome, done: &str, going_on: &str) -> Option<Notice> {
    let is_done = matches!(outcome.result, DeployResult::Deployed | DeployResult::Deleted);
    if !is_done || outcome.stabilizing.is_empty() {
        return None;
    }
    let mut names = outcome.stabilizing.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if outcome.stabilizing.len() > NAMED {
        names = format!("{names}, and {} more", outcome.stabilizing.len() - NAMED);
    }
    let names = printable(&names).into_owned();
    Some(Notice::warning(format!("{done} in express mode, resources may still be {going_on}: {names}")))
}

/// Returns the advice for a stack whose update in express mode failed.
pub fn stuck(name: &str, stack: &Stack) -> Option<Notice> {
    (stack.status == "UPDATE_FAILED" && stack.is_express).then(|| {
        Notice::note(format!("stack {name} is in UPDATE_FAILED, and was last updated in express mode"))
            .because("CloudFormation does not roll such a stack back")
            .help(WAY_OUT)
    })
}

/// Returns the advice for a stack whose update in express mode ended in a status.
pub fn advice(status: &str) -> Option<&'static str> {
    (status == "UPDATE_FAILED").then_some(WAY_OUT)
}
