//! The content of a change set.

use formwork_aws::QueryRequest;

use crate::rollback_configuration::RollbackConfiguration;

/// The location of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateSource {
    /// In the request itself.
    Body(String),
    /// In an S3 bucket.
    Url(String),
}

impl TemplateSource {
    pub(crate) fn sent_by(&self, request: QueryRequest) -> QueryRequest {
        match self {
            TemplateSource::Body(body) => request.with("TemplateBody", body),
            TemplateSource::Url(url) => request.with("TemplateURL", url),
        }
    }
}

/// The value of a parameter in a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentValue {
    /// A new value.
    New(String),
    /// The value that the stack has.
    Previous,
}

/// The input of a change set. Values that are `None` or empty are not sent: the stack keeps its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// The template.
    pub template: TemplateSource,
    /// Parameters, by name. Omitted ones take their Defaults.
    pub parameters: Vec<(String, SentValue)>,
    /// Acknowledged capabilities.
    pub capabilities: Vec<String>,
    /// Tags; an empty list removes all tags.
    pub tags: Option<Vec<(String, String)>>,
    /// ARNs of the topics that receive stack events.
    pub notification_arns: Option<Vec<String>>,
    /// Name of the change set; generated when it is missing.
    pub change_set_name: Option<String>,
    /// Description of the change set.
    pub description: Option<String>,
    /// Computes the changes of nested stacks as well.
    pub with_nested: bool,
    /// Disables early validation.
    pub disables_validation: bool,
    /// Reverts drift from the last deployment.
    pub reverts_drift: bool,
    /// Imports resources that exist already.
    pub imports_existing: bool,
    /// Existing resources to import into the stack; nothing else is changed then.
    pub imports: Vec<ImportedResource>,
    /// Alarms that roll the deployment back.
    pub rollback: Option<RollbackConfiguration>,
    /// The types of resources that may be changed; others make the change set fail.
    pub resource_types: Option<Vec<String>>,
    /// The policy that is set once the stack is deployed.
    pub policy: Option<String>,
}

/// An existing resource to import into a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedResource {
    /// Type of the resource.
    pub kind: String,
    /// Logical ID in the stack.
    pub logical_id: String,
    /// Properties that identify the resource, and their values.
    pub identifier: Vec<(String, String)>,
}

impl ImportedResource {
    /// Adds the resource to a request under a number, from 1.
    pub(crate) fn sent_by(&self, request: QueryRequest, number: usize) -> QueryRequest {
        let name = |member: &str| format!("ResourcesToImport.member.{number}.{member}");
        let mut request =
            request.with(&name("ResourceType"), &self.kind).with(&name("LogicalResourceId"), &self.logical_id);
        for ((property, value), entry) in self.identifier.iter().zip(1..) {
            let name = |part: &str| name(&format!("ResourceIdentifier.entry.{entry}.{part}"));
            request = request.with(&name("key"), property).with(&name("value"), value);
        }
        request
    }
}

/// A submission and its stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeSetRequest<'a> {
    /// Name of the stack.
    pub stack_name: &'a str,
    /// Creates the stack because it does not exist.
    pub is_create: bool,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<&'a str>,
    /// In express mode, `true` if rollback is disabled.
    pub express: Option<bool>,
    /// Reverts drift.
    pub reverts_drift: bool,
    /// The content of the change set.
    pub submission: &'a Submission,
}

/// Merges tags key by key; those of the command line take precedence over those of parameters files. `None` when both
/// are empty: the stack keeps its tags.
pub fn merged_tags(
    files: &[(String, String)],
    arguments: Option<&[(String, String)]>,
) -> Option<Vec<(String, String)>> {
    if files.is_empty() && arguments.is_none() {
        return None;
    }
    let mut tags: Vec<(String, String)> = Vec::new();
    for (key, value) in files.iter().chain(arguments.unwrap_or_default()) {
        match tags.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => known.clone_from(value),
            None => tags.push((key.clone(), value.clone())),
        }
    }
    Some(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_replace_tags_of_files_key_by_key() {
        let tags = |text: &[(&str, &str)]| text.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let (files, arguments): (Vec<_>, Vec<_>) = (tags(&[("a", "1"), ("b", "2")]), tags(&[("b", "3"), ("c", "4")]));
        assert_eq!(merged_tags(&files, Some(&arguments)), Some(tags(&[("a", "1"), ("b", "3"), ("c", "4")])));
        assert_eq!(merged_tags(&[], Some(&[])), Some(Vec::new()), "an empty list takes all tags away");
        assert_eq!(merged_tags(&[], None), None);
    }
}
