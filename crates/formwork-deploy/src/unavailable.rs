//! Failures of calls that a deployment can do without.

use formwork_aws::{CallError, CallErrorKind};

use crate::error::DeployError;

/// The reason why a call that a deployment can do without failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unavailable {
    /// The permission is missing.
    Denied(CallError),
    /// The endpoint does not support the call: it is an emulator, or older than the call.
    Unsupported(CallError),
    /// The call was not answered, or rejected.
    Unanswered(CallError),
    /// The run ends: Ctrl-C, or its time limit.
    Ended(DeployError),
}

/// Error codes of endpoints that do not support a call.
const UNKNOWN: [&str; 2] = ["InvalidAction", "UnknownOperation"];

/// Error codes for a missing object, not for a missing call.
const MISSING: [&str; 3] = ["ChangeSetNotFound", "HookResultNotFound", "StackNotFound"];

impl From<CallError> for Unavailable {
    fn from(failure: CallError) -> Unavailable {
        let code = failure.code.as_deref().unwrap_or_default();
        let is_unknown = match failure.status {
            _ if UNKNOWN.iter().any(|known| code.starts_with(known)) => true,
            Some(404) => !MISSING.iter().any(|known| code.starts_with(known)),
            Some(501) => true,
            // moto reports an unknown call by a page of its web server.
            Some(500) => failure.code.is_none() && failure.kind == CallErrorKind::Malformed,
            _ => false,
        };
        if is_unknown {
            Unavailable::Unsupported(failure)
        } else if failure.kind == CallErrorKind::Denied || code.starts_with("AccessDenied") {
            Unavailable::Denied(failure)
        } else {
            Unavailable::Unanswered(failure)
        }
    }
}

impl Unavailable {
    /// `true` if the same call may be answered in a moment.
    pub(crate) fn passes(&self) -> bool {
        match self {
            Unavailable::Unanswered(failure) => {
                let is_on_the_way = matches!(failure.kind, CallErrorKind::TimedOut | CallErrorKind::Unreachable);
                failure.passes() || is_on_the_way
            }
            Unavailable::Denied(_) | Unavailable::Unsupported(_) | Unavailable::Ended(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_calls_and_missing_permissions() {
        let of = |code: Option<&str>, status, kind| {
            let code = code.map(str::to_owned);
            Unavailable::from(CallError { kind, code, detail: None, status: Some(status) })
        };
        let refused = CallErrorKind::Refused;
        for unknown in [
            of(Some("InvalidAction"), 400, refused),
            of(Some("UnknownOperationException"), 400, refused),
            of(None, 404, CallErrorKind::Malformed),
            of(Some("InternalFailure"), 501, refused),
            of(None, 500, CallErrorKind::Malformed),
        ] {
            assert!(matches!(unknown, Unavailable::Unsupported(_)) && !unknown.passes(), "{unknown:?}");
        }
        assert!(matches!(of(Some("AccessDenied"), 403, CallErrorKind::Denied), Unavailable::Denied(_)));
        assert!(!of(Some("ChangeSetNotFound"), 404, refused).passes());
        assert!(of(None, 503, CallErrorKind::Malformed).passes());
        assert!(of(Some("Throttling"), 400, CallErrorKind::Throttled).passes());
        assert!(of(Some("InternalFailure"), 500, refused).passes());
    }
}
