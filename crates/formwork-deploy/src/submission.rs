//! The content of a change set.

use formwork_aws::QueryRequest;

use crate::rollback_configuration::RollbackConfiguration;

/// Where the service finds a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateSource {
    /// In the request itself.
    Body(String),
    /// In a bucket.
    Url(String),
}

impl TemplateSource {
    /// A request that names the template, too.
    pub(crate) fn sent_by(&self, request: QueryRequest) -> QueryRequest {
        match self {
            TemplateSource::Body(body) => request.with("TemplateBody", body),
            TemplateSource::Url(url) => request.with("TemplateURL", url),
        }
    }
}

/// How a parameter is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentValue {
    /// With this value.
    New(String),
    /// With the value that the stack has.
    Previous,
}

/// What a front end sends. What is `None` or empty is not sent: the stack keeps what it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// The template.
    pub template: TemplateSource,
    /// Parameters, by name. Those that are left out take their Defaults.
    pub parameters: Vec<(String, SentValue)>,
    /// Capabilities that are acknowledged.
    pub capabilities: Vec<String>,
    /// Tags; an empty list takes all tags away.
    pub tags: Option<Vec<(String, String)>>,
    /// Topics that are notified of events.
    pub notification_arns: Option<Vec<String>>,
    /// Name of the change set; a generated one when it is missing.
    pub change_set_name: Option<String>,
    /// Description of the change set.
    pub description: Option<String>,
    /// Whether the changes of nested stacks are computed, too.
    pub with_nested: bool,
    /// Whether early validation is disabled.
    pub disables_validation: bool,
    /// Whether what drifted from the last deployment is reverted.
    pub reverts_drift: bool,
    /// Whether resources that exist already are imported.
    pub imports_existing: bool,
    /// Existing resources that become those of the stack; nothing else is changed then.
    pub imports: Vec<ImportedResource>,
    /// Alarms that roll the deployment back.
    pub rollback: Option<RollbackConfiguration>,
    /// The types of resources that may be changed; others make the change set fail.
    pub resource_types: Option<Vec<String>>,
    /// The policy that the stack gets once it is deployed.
    pub policy: Option<String>,
}

/// An existing resource that becomes one of a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedResource {
    /// Its type.
    pub kind: String,
    /// The logical ID that it gets.
    pub logical_id: String,
    /// The properties that identify it, and their values.
    pub identifier: Vec<(String, String)>,
}

impl ImportedResource {
    /// A request that names the resource with a number, from 1, too.
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

/// A submission and the stack that it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeSetRequest<'a> {
    /// Name of the stack.
    pub stack_name: &'a str,
    /// Whether the stack is created because it does not exist.
    pub is_create: bool,
    /// The role that the service assumes.
    pub role_arn: Option<&'a str>,
    /// In express mode, whether rollback is disabled.
    pub express: Option<bool>,
    /// Whether what drifted is reverted.
    pub reverts_drift: bool,
    /// What is sent.
    pub submission: &'a Submission,
}

/// Merges tags key by key; those of the command line win over those of parameters files. `None` when neither names
/// any: the stack keeps its tags.
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
