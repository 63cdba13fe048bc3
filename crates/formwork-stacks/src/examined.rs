//! Reports the findings of early validation and hooks.

use formwork_aws::CallError;
use formwork_deploy::{Examination, Unavailable};
use formwork_report::Notice;

use super::findings;
use super::hooks;
use super::places::Sources;
use super::refusal;
use super::reporter::DeployReporter;

/// Prints the findings, and which of them are unknown.
pub fn print(examination: &Examination, reporter: &mut DeployReporter<'_>, sources: &mut Sources) {
    findings::print(examination, reporter, sources);
    hooks::print(examination, reporter, sources);
    for notice in missing(examination, reporter) {
        reporter.print(&notice, None);
    }
}

/// Returns notices about the unknown findings of calls that failed.
pub fn missing(examination: &Examination, reporter: &DeployReporter<'_>) -> Vec<Notice> {
    let unknown =
        |(call, why): &(&'static str, Unavailable)| unknown(call, why, examination.has_failed, reporter.is_verbose());
    examination.unavailable.iter().filter_map(unknown).collect()
}

/// Returns a notice about a failed call; `None` for a call that the endpoint does not support.
fn unknown(call: &str, why: &Unavailable, has_failed: bool, is_verbose: bool) -> Option<Notice> {
    // Without a failure, the results of hooks are not needed.
    let is_needed = has_failed || call != "ListHookResults";
    let what = match call {
        "DescribeEvents" => "what early validation found",
        "ListChangeSets" => "which change sets failed",
        _ => "what hooks found",
    };
    let not_known = |reason: String| format!("{what} is not known: {reason}");
    match why {
        Unavailable::Unsupported(_) => {
            is_verbose.then(|| Notice::note(not_known(format!("this endpoint does not support {call}"))))
        }
        _ if !is_needed => None,
        Unavailable::Denied(_) => {
            let message = not_known(format!("these credentials may not call cloudformation:{call}"));
            // A reader of a failure looks for its reason.
            let is_warning = has_failed && call == "DescribeEvents";
            Some(if is_warning { Notice::warning(message) } else { Notice::note(message) })
        }
        Unavailable::Unanswered(failure) => Some(Notice::note(not_known(unanswered(call, failure)))),
        Unavailable::Ended(_) => None,
    }
}

fn unanswered(call: &str, failure: &CallError) -> String {
    format!("{call} is not answered: {}", refusal::reason(failure))
}
