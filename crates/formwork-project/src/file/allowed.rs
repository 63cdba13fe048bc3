//! The options that `formwork.toml` may set (reference/configuration.md#allowed). A stranger may have written the file,
//! so it has no influence on networks, credentials, files outside of the project, confirmations and the exit status.

/// The kind of influence of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Influences how something is printed or how work is distributed.
    Form,
    /// Influences what is reported or decided; a note lists the option.
    Result,
}

/// The options that may be set, by their long names.
pub const ALLOWED: [(&str, Effect); 32] = [
    ("baseline", Effect::Result),
    ("brace-spaces", Effect::Form),
    ("bracket-spaces", Effect::Form),
    ("build-in-source", Effect::Result),
    ("cached", Effect::Form),
    ("colon-spaces", Effect::Form),
    ("color", Effect::Form),
    ("comment-spaces", Effect::Form),
    ("compat", Effect::Result),
    ("dash-spaces", Effect::Form),
    ("dependency-layer", Effect::Result),
    ("exclude", Effect::Result),
    ("format", Effect::Form),
    ("ignore", Effect::Result),
    ("indent", Effect::Form),
    ("indent-lists", Effect::Form),
    ("jobs", Effect::Form),
    ("language-extensions", Effect::Result),
    ("line-ending", Effect::Form),
    ("manifest", Effect::Result),
    ("max-empty-lines", Effect::Form),
    ("message-format", Effect::Form),
    ("no-cached", Effect::Form),
    ("parallel", Effect::Form),
    ("parameter-set", Effect::Result),
    ("port", Effect::Form),
    ("schemas", Effect::Result),
    ("select", Effect::Result),
    ("serverless", Effect::Result),
    ("strict", Effect::Result),
    ("use-json", Effect::Form),
    ("values", Effect::Result),
];

/// Returns the effect of an option that the file may set; `None` for an option that it may not set.
pub fn effect_of(option: &str) -> Option<Effect> {
    ALLOWED.iter().find(|(name, _)| *name == option).map(|(_, effect)| *effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_beyond_the_project_is_not_allowed() {
        for name in [
            "allow-remote",
            "allow-unresolved",
            "ca-bundle",
            "endpoint-url",
            "exit-zero",
            "live",
            "log-file",
            "no-suppress",
            "no-verify-ssl",
            "output",
            "profile",
            "project-root",
            "quiet",
            "record-account",
            "region",
            "role-arn",
            "s3-bucket",
            "source-map",
            "with",
            "with-config",
            "write-baseline",
            "yes",
        ] {
            assert_eq!(effect_of(name), None, "{name}");
        }
    }
}
