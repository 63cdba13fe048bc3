//! Keys of the formats: `samconfig.toml`, and `formwork.toml` by its published schema.

use std::sync::OnceLock;

use serde_json::Value;

/// The common settings of `samconfig.toml` of Formwork and SAM CLI, each with its description.
pub(super) const SAM_SETTINGS: [(&str, &str); 24] = [
    ("stack_name", "The name of the stack."),
    ("template_file", "The template, relative to this file."),
    ("parameter_overrides", "Values of parameters: `\"Name=value Other=value\"`, a list of these, or a table."),
    ("region", "The Region."),
    ("profile", "The profile of the AWS configuration."),
    ("s3_bucket", "The bucket that files are uploaded to."),
    ("s3_prefix", "The prefix of the keys of uploaded files."),
    ("resolve_s3", "Whether the bucket is created and chosen for you."),
    ("kms_key_id", "The KMS key that uploaded files are encrypted with."),
    ("image_repository", "The repository that images are pushed to."),
    ("image_repositories", "Repositories that images are pushed to, by function."),
    ("capabilities", "Capabilities that the stack needs, such as `CAPABILITY_IAM`."),
    ("confirm_changeset", "Whether to ask before a change set is executed."),
    ("fail_on_empty_changeset", "Whether a deployment without changes fails."),
    ("disable_rollback", "Whether resources are kept when the deployment fails."),
    ("on_failure", "What happens when creating the stack fails."),
    ("notification_arns", "The topics that are notified of events of the stack."),
    ("role_arn", "The role that CloudFormation assumes."),
    ("tags", "Tags of the stack: `\"Name=value\"`."),
    ("force_upload", "Whether files are uploaded that are in the bucket already."),
    ("cached", "Whether functions that did not change are not built again."),
    ("parallel", "Whether functions are built in parallel."),
    ("use_json", "Whether the packaged template is JSON."),
    ("port", "The port of a local server."),
];

pub(super) fn sam_setting(name: &str) -> Option<&'static str> {
    SAM_SETTINGS.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}

pub(super) const SAM_FLAGS: [&str; 8] = [
    "resolve_s3",
    "confirm_changeset",
    "fail_on_empty_changeset",
    "disable_rollback",
    "force_upload",
    "cached",
    "parallel",
    "use_json",
];

pub(super) const SAM_COMMANDS: [&str; 14] = [
    "global",
    "deploy",
    "build",
    "package",
    "validate",
    "sync",
    "delete",
    "logs",
    "check",
    "expand",
    "resolve",
    "plan",
    "local_invoke",
    "local_start_api",
];

fn project_schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        serde_json::from_str(include_str!("../../../../docs/schemas/formwork-toml.json")).unwrap_or_default()
    })
}

/// The schema of a table of `formwork.toml`, or of a setting in it.
pub(super) fn project_setting(table: &[String], name: Option<&str>) -> Option<&'static Value> {
    let mut node = project_schema();
    for part in table.iter().map(String::as_str).chain(name) {
        node = match node.get("properties").and_then(|properties| properties.get(part)) {
            Some(known) => known,
            None => node.get("additionalProperties").filter(|below| below.is_object())?,
        };
    }
    Some(node)
}

/// The settings and tables of a table of `formwork.toml`, by name: each with its schema.
pub(super) fn project_keys(table: &[String]) -> Vec<(&'static str, &'static Value)> {
    let properties = project_setting(table, None).and_then(|node| node.get("properties")).and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, node)| (name.as_str(), node)).collect()
}

pub(super) fn is_table(node: &Value) -> bool {
    node.get("type").and_then(Value::as_str) == Some("object")
}

/// The values of a setting that has few, as TOML; `None` when it accepts others.
pub(super) fn enum_values(node: &Value) -> Option<Vec<String>> {
    if node.get("type").and_then(Value::as_str) == Some("boolean") {
        return Some(vec!["true".to_owned(), "false".to_owned()]);
    }
    let values = node.get("enum").and_then(Value::as_array)?;
    // `true` and `"true"` mean the same.
    let quoted = |value: &&Value| value.as_str().is_none_or(|text| !matches!(text, "true" | "false"));
    Some(values.iter().filter(quoted).map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_the_project_file_is_known() {
        let names: Vec<&str> = project_keys(&["fmt".to_owned()]).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"indent") && names.contains(&"line-ending"), "{names:?}");
        let colon = project_setting(&["fmt".to_owned()], Some("colon-spaces")).and_then(enum_values);
        assert_eq!(colon, Some(vec!["\"align\"".to_owned(), "\"one\"".to_owned()]));
        assert!(project_setting(&["parameters".to_owned(), "prod".to_owned()], None).is_some());
    }
}
