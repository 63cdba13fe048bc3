//! What could not be answered, for people to read.

use crate::failure::{Failure, Reason};

/// Something that stays unknown, and why. No text of it holds a credential, or a value that a
/// template was given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Trouble {
    /// What sort of trouble it is.
    pub kind: TroubleKind,
    /// What is wrong, in one line.
    pub message: String,
    /// What the service said, word for word, if that helps.
    pub detail: Option<String>,
    /// What to do.
    pub help: String,
}

/// Sorts of trouble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TroubleKind {
    /// No Region is known: nothing was asked.
    Region,
    /// There are no credentials, or AWS does not accept them: nothing is known.
    Credentials,
    /// A permission is missing.
    Denied,
    /// What is named is not there.
    Missing,
    /// A call failed for another reason.
    Failed,
    /// The program was asked to end.
    Interrupted,
    /// A stored parameter is a `SecureString`, whose value is never decrypted.
    Secure,
    /// A type that no call lists.
    Unlisted,
}

impl TroubleKind {
    /// Whether nothing at all can be asked.
    pub fn is_fatal(self) -> bool {
        matches!(self, TroubleKind::Region | TroubleKind::Credentials)
    }
}

/// What to do about a certificate that is not trusted.
pub const TRUST: &str = "name the PEM file of the certificate authority in AWS_CA_BUNDLE or SSL_CERT_FILE, for instance that of your organization's proxy";

impl Trouble {
    /// Of `subject` (a type, or what else was asked) nothing is known, since the call that needs
    /// `permission` failed.
    pub(crate) fn of_call(subject: &str, permission: &str, failure: Failure) -> Trouble {
        let (kind, message, help) = match failure.reason {
            Reason::Credentials => return Trouble::rejected(failure.detail),
            Reason::Denied => (
                TroubleKind::Denied,
                format!("no account data for {subject}: the permission {permission} is missing"),
                format!("allow {permission} for these credentials, or give the data with --account FILE"),
            ),
            Reason::Throttled => (
                TroubleKind::Failed,
                format!("no account data for {subject}: AWS throttles {permission}"),
                "try again later, or set AWS_MAX_ATTEMPTS to a higher number".to_owned(),
            ),
            Reason::TimedOut => (
                TroubleKind::Failed,
                format!("no account data for {subject}: {permission} took too long"),
                "try again; look at the network and at AWS_ENDPOINT_URL".to_owned(),
            ),
            Reason::Unreachable => (
                TroubleKind::Failed,
                format!("no account data for {subject}: the endpoint of {permission} cannot be reached"),
                "look at the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL".to_owned(),
            ),
            Reason::Untrusted => (
                TroubleKind::Failed,
                format!("no account data for {subject}: the certificate of {permission}'s endpoint is not trusted"),
                TRUST.to_owned(),
            ),
            Reason::Endless => (
                TroubleKind::Failed,
                format!("no account data for {subject}: the answer to {permission} does not end"),
                "look at what answers at the endpoint: AWS_ENDPOINT_URL, or a proxy".to_owned(),
            ),
            Reason::Malformed => (
                TroubleKind::Failed,
                format!("no account data for {subject}: the answer to {permission} cannot be read"),
                "look at what answers at the endpoint: a proxy, or another service".to_owned(),
            ),
            Reason::Refused => (
                TroubleKind::Failed,
                format!("no account data for {subject}: {permission} failed"),
                "try again, or give the data with --account FILE".to_owned(),
            ),
        };
        Trouble { kind, message, detail: failure.detail, help }
    }

    /// AWS does not accept the credentials.
    pub fn rejected(detail: Option<String>) -> Trouble {
        Trouble {
            kind: TroubleKind::Credentials,
            message: "AWS does not accept the credentials".to_owned(),
            detail,
            help: "sign in again (`aws sso login`), or name other credentials with --profile".to_owned(),
        }
    }

    /// The credentials were good once.
    pub(crate) fn expired(detail: Option<String>) -> Trouble {
        Trouble {
            kind: TroubleKind::Credentials,
            message: "the credentials for AWS have expired".to_owned(),
            detail,
            help: "sign in again (`aws sso login`), and repeat the command: what was done is not done twice".to_owned(),
        }
    }

    /// No credentials were found.
    pub(crate) fn no_credentials(profile: Option<&str>, detail: String) -> Trouble {
        let message = match profile {
            Some(profile) => format!("the profile {profile} gives no credentials for AWS"),
            None => "there are no credentials for AWS".to_owned(),
        };
        Trouble {
            kind: TroubleKind::Credentials,
            message,
            detail: Some(detail),
            help: "sign in (`aws sso login`), set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile".to_owned(),
        }
    }

    /// No Region is known.
    pub(crate) fn no_region() -> Trouble {
        Trouble {
            kind: TroubleKind::Region,
            message: "no Region is known".to_owned(),
            detail: None,
            help: "give --region NAME, set AWS_REGION, or set a region in the profile".to_owned(),
        }
    }

    /// The runtime that drives the calls does not start.
    pub fn no_runtime(error: &std::io::Error) -> Trouble {
        Trouble {
            kind: TroubleKind::Credentials,
            message: "calls to AWS cannot be made here".to_owned(),
            detail: Some(error.to_string()),
            help: "give the data with --account FILE".to_owned(),
        }
    }

    /// The certificate authorities that are named cannot be used.
    pub(crate) fn no_trust(message: String) -> Trouble {
        Trouble {
            kind: TroubleKind::Region,
            message,
            detail: None,
            help: "name a PEM file of certificate authorities, or none".to_owned(),
        }
    }

    /// Nobody knows where to ask.
    pub(crate) fn no_endpoint(detail: String) -> Trouble {
        Trouble {
            kind: TroubleKind::Region,
            message: "there is no endpoint of S3 to ask".to_owned(),
            detail: Some(detail),
            help: "look at the Region, --endpoint-url and AWS_ENDPOINT_URL_S3".to_owned(),
        }
    }

    /// What is to be uploaded cannot be read.
    pub(crate) fn unreadable(error: &std::io::Error) -> Trouble {
        Trouble {
            kind: TroubleKind::Failed,
            message: "what is to be uploaded cannot be read".to_owned(),
            detail: Some(error.to_string()),
            help: "leave the files alone while they are packaged, and package again".to_owned(),
        }
    }

    /// What S3 has is not what was sent.
    pub(crate) fn altered(detail: Option<String>) -> Trouble {
        Trouble {
            kind: TroubleKind::Failed,
            message: "what S3 received is not what was sent".to_owned(),
            detail,
            help: "package again; if that happens again, look at what stands between here and S3".to_owned(),
        }
    }

    /// An upload in parts could not be taken back.
    pub(crate) fn left_open(bucket: &str, key: &str, id: &str, detail: Option<String>) -> Trouble {
        Trouble {
            kind: TroubleKind::Failed,
            message: format!("the upload {id} of {key} to {bucket} could not be taken back"),
            detail,
            help: format!(
                "`aws s3api abort-multipart-upload --bucket {bucket} --key {key} --upload-id {id}` takes it back"
            ),
        }
    }

    /// The program was asked to end.
    pub(crate) fn interrupted() -> Trouble {
        Trouble {
            kind: TroubleKind::Interrupted,
            message: "interrupted".to_owned(),
            detail: None,
            help: "package again: what is there already is not uploaded twice".to_owned(),
        }
    }

    /// The same with a second trouble that came of it.
    pub(crate) fn and_also(self, other: &Trouble) -> Trouble {
        let detail = match self.detail {
            Some(detail) => format!("{detail}; {}", other.message),
            None => other.message.clone(),
        };
        Trouble { detail: Some(detail), help: format!("{}; {}", self.help, other.help), ..self }
    }

    /// A stored parameter is a `SecureString`.
    pub(crate) fn secure(name: &str) -> Trouble {
        Trouble {
            kind: TroubleKind::Secure,
            message: format!("the SSM parameter {name} is a SecureString: its value is not taken"),
            detail: None,
            help: "use a dynamic reference, {{resolve:ssm-secure:...}}, or a parameter of type String".to_owned(),
        }
    }

    /// A type that no call lists.
    pub(crate) fn unlisted(kind: &str) -> Trouble {
        Trouble {
            kind: TroubleKind::Unlisted,
            message: format!("no call lists the values of {kind}"),
            detail: None,
            help: format!("the types are {}", crate::ALL_KINDS.join(", ")),
        }
    }
}
