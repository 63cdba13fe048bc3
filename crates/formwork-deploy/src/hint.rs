//! Advice on failures, by the sentence of the service.

/// The kind of a failure, which determines the advice.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Hint {
    /// The resource exists: it needs another name, or an import.
    Exists,
    /// A permission is missing: the action, when the sentence contains it.
    Permission(Option<String>),
    /// Too many calls in a short time.
    Throttled,
    /// A quota is reached.
    Quota,
    /// Other stacks import an export.
    Imported,
    /// The resource is in use or not empty.
    Kept,
    /// A custom resource failed, whose function has the reason in its logs.
    CustomResource,
    /// The resource did not become ready in time.
    NotStable,
    /// A replacement while rollback is disabled.
    Replacement,
    /// The template does not fit its uploaded files or its parameter values: it has to be packaged again.
    Packaging,
}

type Reader = fn(&str) -> Hint;

/// The more specific sentences come first.
const SENTENCES: [(&[&str], Reader); 10] = [
    (&["from custom resource", "CloudWatch Log Stream:"], |_| Hint::CustomResource),
    (&["is not authorized to perform", "AccessDenied", "Access Denied", "not authorized"], |reason| {
        Hint::Permission(action(reason))
    }),
    (&["already exists"], |_| Hint::Exists),
    (&["Rate exceeded", "Throttling"], |_| Hint::Throttled),
    (&["as it is in use by", "in use by another stack"], |_| Hint::Imported),
    (&["DependencyViolation", "not empty", "is in use", "cannot be deleted while"], |_| Hint::Kept),
    (&["did not stabilize", "NotStabilized", "timed out", "Timed out"], |_| Hint::NotStable),
    (&["Replacement type updates not supported"], |_| Hint::Replacement),
    (&["Could not unzip uploaded file", "not found in Mapping"], |_| Hint::Packaging),
    (&["LimitExceeded", "limit", "quota", "Limit", "Quota"], |_| Hint::Quota),
];

impl Hint {
    /// Returns the hint for a sentence of the service; `None` for an unknown one.
    pub fn of(reason: &str) -> Option<Hint> {
        let (_, hint) = SENTENCES.iter().find(|(words, _)| words.iter().any(|word| reason.contains(word)))?;
        Some(hint(reason))
    }
}

/// Returns the action in `... is not authorized to perform: s3:CreateBucket on resource ...`.
fn action(reason: &str) -> Option<String> {
    let (_, rest) = reason.split_once("authorized to perform")?;
    let word = rest.trim_start_matches(':').split_whitespace().next()?;
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '*');
    word.contains(':').then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_the_service() {
        for (reason, hint) in [
            ("shop-logs already exists", Some(Hint::Exists)),
            (
                "User: arn:aws:iam::1:user/x is not authorized to perform: s3:CreateBucket on resource: \"arn\" because",
                Some(Hint::Permission(Some("s3:CreateBucket".to_owned()))),
            ),
            ("Access Denied (Service: S3, Status Code: 403)", Some(Hint::Permission(None))),
            ("Rate exceeded (Service: Iam)", Some(Hint::Throttled)),
            ("Account limit exceeded: VPCs", Some(Hint::Quota)),
            ("The bucket you tried to delete is not empty", Some(Hint::Kept)),
            ("Export shop-a cannot be deleted as it is in use by web", Some(Hint::Imported)),
            ("Received response status [FAILED] from custom resource. Message: no", Some(Hint::CustomResource)),
            ("See the details in CloudWatch Log Stream: 2026/01/31/[$LATEST]a", Some(Hint::CustomResource)),
            ("Resource handler returned message: \"x\" (HandlerErrorCode: NotStabilized)", Some(Hint::NotStable)),
            ("Replacement type updates not supported on stack with disable-rollback.", Some(Hint::Replacement)),
            ("Could not unzip uploaded file", Some(Hint::Packaging)),
            ("Something new", None),
        ] {
            assert_eq!(Hint::of(reason), hint, "{reason}");
        }
    }
}
