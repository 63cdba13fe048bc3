//! Notes about failed calls that a command can do without.

use formwork_aws::CallError;
use formwork_deploy::Unavailable;
use formwork_report::{Notice, printable};

/// Returns a note that `what` is unknown, with the permission that the call requires. For a call that the endpoint does
/// not support, nothing is printed without `--verbose`.
pub fn missing_answer(missing: &Unavailable, what: &str, action: &str, is_verbose: bool) -> Option<Notice> {
    let reason = |failure: &CallError| match failure.sentence() {
        Some(sentence) => format!("`{}`", printable(sentence)),
        None => failure.kind.words().to_owned(),
    };
    match missing {
        Unavailable::Denied(failure) => {
            Some(Notice::note(format!("{what}: {}", reason(failure))).help(format!("allow {action} to see them")))
        }
        Unavailable::Unanswered(failure) => Some(Notice::note(format!("{what}: {}", reason(failure)))),
        Unavailable::Unsupported(_) if is_verbose => {
            Some(Notice::note(format!("{what}: the endpoint does not have {action}")))
        }
        Unavailable::Unsupported(_) | Unavailable::Ended(_) => None,
    }
}
