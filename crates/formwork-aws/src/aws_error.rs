//! Errors of AWS calls, for people to read.

use crate::call_error::{CallError, CallErrorKind, OPT_IN};
use crate::sign_in::{sign_in, sign_in_with};

/// An error that leaves something unknown. Its strings contain no credential, and no value that was passed to a
/// template.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct AwsError {
    /// Kind of the error.
    pub kind: AwsErrorKind,
    /// The error, in one line.
    pub message: String,
    /// The sentence of the service, word for word, when helpful.
    pub detail: Option<String>,
    /// Advice for the user.
    pub help: String,
}

/// Kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AwsErrorKind {
    /// No Region is configured: no call was made.
    Region,
    /// The credentials are missing, or AWS does not accept them: nothing is known.
    Credentials,
    /// A permission is missing.
    Denied,
    /// The requested object does not exist.
    Missing,
    /// A call failed for another reason.
    Failed,
    /// The program was interrupted.
    Interrupted,
    /// A stored parameter is a `SecureString`, whose value is never decrypted.
    Secure,
    /// A type that no call lists.
    Unlisted,
}

impl AwsErrorKind {
    /// Returns `true` if no call can succeed.
    pub fn is_fatal(self) -> bool {
        matches!(self, AwsErrorKind::Region | AwsErrorKind::Credentials)
    }
}

/// Advice on a certificate that is not trusted.
pub const TRUST: &str = "name the PEM file of the certificate authority in AWS_CA_BUNDLE or SSL_CERT_FILE, for instance that of your organization's proxy";

impl AwsError {
    /// Creates the error that nothing is known of `subject` (such as a type), since the call that needs `permission`
    /// failed.
    pub(crate) fn of_call(subject: &str, permission: &str, failure: CallError) -> AwsError {
        let (kind, message, help) = match failure.kind {
            CallErrorKind::Credentials => return AwsError::rejected(&failure),
            CallErrorKind::Denied => (
                AwsErrorKind::Denied,
                format!("no account data for {subject}: the permission {permission} is missing"),
                format!("allow {permission} for these credentials, or pass the data with --account FILE"),
            ),
            CallErrorKind::Throttled => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: AWS throttles {permission}"),
                "try again later, or set AWS_MAX_ATTEMPTS to a higher number".to_owned(),
            ),
            CallErrorKind::TimedOut => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: {permission} took too long"),
                "try again; look at the network and at AWS_ENDPOINT_URL".to_owned(),
            ),
            CallErrorKind::Unreachable => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: the endpoint of {permission} cannot be reached"),
                "look at the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL".to_owned(),
            ),
            CallErrorKind::Untrusted => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: the certificate of {permission}'s endpoint is not trusted"),
                TRUST.to_owned(),
            ),
            CallErrorKind::Endless => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: the answer to {permission} does not end"),
                "look at what answers at the endpoint: AWS_ENDPOINT_URL, or a proxy".to_owned(),
            ),
            CallErrorKind::Malformed => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: the answer to {permission} cannot be read"),
                "look at what answers at the endpoint: a proxy, or another service".to_owned(),
            ),
            CallErrorKind::Refused => (
                AwsErrorKind::Failed,
                format!("no account data for {subject}: {permission} failed"),
                "try again, or pass the data with --account FILE".to_owned(),
            ),
        };
        AwsError { kind, message, detail: failure.detail, help }
    }

    /// Creates the error that AWS does not accept the credentials, the clock that they are used with, or the account.
    pub fn rejected(failure: &CallError) -> AwsError {
        let detail = failure.detail.clone();
        let made = |message: &str, help: String| AwsError {
            kind: AwsErrorKind::Credentials,
            message: message.to_owned(),
            detail,
            help,
        };
        if failure.is_about_clock() {
            return made(
                "AWS rejects the time of the calls: the clock of this machine is wrong",
                "set the clock, for instance by the time service of the system, and try again".to_owned(),
            );
        }
        if failure.code.as_deref() == Some(OPT_IN) {
            return made(
                "the account has no subscription for this service in this Region",
                "enable the Region in the settings of the account, finish its registration, or name another one with --region"
                    .to_owned(),
            );
        }
        made(
            "AWS does not accept the credentials",
            format!("sign in again (`{}`), or name other credentials with --profile", sign_in()),
        )
    }

    pub(crate) fn expired(detail: Option<String>) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Credentials,
            message: "the credentials for AWS have expired".to_owned(),
            detail,
            help: format!(
                "sign in again (`{}`), and run the command again: finished steps are not repeated",
                sign_in()
            ),
        }
    }

    pub(crate) fn no_credentials(profile: Option<&str>, detail: String) -> AwsError {
        let message = match profile {
            Some(profile) => format!("the profile {profile} has no credentials for AWS"),
            None => "no credentials for AWS were found".to_owned(),
        };
        AwsError {
            kind: AwsErrorKind::Credentials,
            message,
            detail: Some(detail),
            help: format!(
                "sign in (`{}`), set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile",
                profile.map_or_else(sign_in, |profile| sign_in_with(Some(profile)))
            ),
        }
    }

    pub(crate) fn no_region() -> AwsError {
        AwsError {
            kind: AwsErrorKind::Region,
            message: "no Region is known".to_owned(),
            detail: None,
            help: "pass --region NAME, set AWS_REGION, or set a region in the profile".to_owned(),
        }
    }

    /// Rejects a Region that is not a valid name: a host built from it would be another one.
    pub(crate) fn unfit_region(region: &str) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Region,
            message: format!("`{region}` is not the name of a Region"),
            detail: None,
            help: "write a name such as eu-west-1".to_owned(),
        }
    }

    /// Creates the error that the runtime of the calls does not start.
    pub fn no_runtime(error: &std::io::Error) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Credentials,
            message: "calls to AWS cannot be made here".to_owned(),
            detail: Some(error.to_string()),
            help: "pass the data with --account FILE".to_owned(),
        }
    }

    /// Creates the error that the configured certificate authorities cannot be used.
    pub(crate) fn no_trust(message: String) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Region,
            message,
            detail: None,
            help: "name a PEM file of certificate authorities, or none".to_owned(),
        }
    }

    pub(crate) fn no_endpoint(detail: String) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Region,
            message: "no endpoint of S3 is known".to_owned(),
            detail: Some(detail),
            help: "look at the Region, --endpoint-url and AWS_ENDPOINT_URL_S3".to_owned(),
        }
    }

    pub(crate) fn unfit_bucket(message: String, help: &str) -> AwsError {
        AwsError { kind: AwsErrorKind::Failed, message, detail: None, help: help.to_owned() }
    }

    pub(crate) fn unreadable(error: &std::io::Error) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Failed,
            message: "what is to be uploaded cannot be read".to_owned(),
            detail: Some(error.to_string()),
            help: "leave the files alone while they are packaged, and package again".to_owned(),
        }
    }

    /// Creates the error that the content in S3 differs from the content that was sent.
    pub(crate) fn altered(detail: Option<String>) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Failed,
            message: "what S3 received is not what was sent".to_owned(),
            detail,
            help: "package again; if that happens again, look at the proxies between here and S3".to_owned(),
        }
    }

    pub(crate) fn left_open(bucket: &str, key: &str, id: &str, detail: Option<String>) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Failed,
            message: format!("the upload {id} of {key} to {bucket} could not be aborted"),
            detail,
            help: format!(
                "abort it with `aws s3api abort-multipart-upload --bucket {bucket} --key {key} --upload-id {id}`"
            ),
        }
    }

    pub(crate) fn interrupted() -> AwsError {
        AwsError {
            kind: AwsErrorKind::Interrupted,
            message: "interrupted".to_owned(),
            detail: None,
            help: "package again: files that are uploaded already are skipped".to_owned(),
        }
    }

    /// Adds a second error that resulted from this one.
    pub(crate) fn and_also(self, other: &AwsError) -> AwsError {
        let detail = match self.detail {
            Some(detail) => format!("{detail}; {}", other.message),
            None => other.message.clone(),
        };
        AwsError { detail: Some(detail), help: format!("{}; {}", self.help, other.help), ..self }
    }

    pub(crate) fn secure(name: &str) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Secure,
            message: format!("the SSM parameter {name} is a SecureString: its value is not read"),
            detail: None,
            help: "use a dynamic reference, {{resolve:ssm-secure:...}}, or a parameter of type String".to_owned(),
        }
    }

    pub(crate) fn unlisted(kind: &str) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Unlisted,
            message: format!("no call lists the values of {kind}"),
            detail: None,
            help: format!("the types are {}", crate::all_kinds().collect::<Vec<_>>().join(", ")),
        }
    }
}
