//! A stack as a plan compares it with a template, for use offline (reference/plan.md#stack).

/// What is recorded of a stack. Lists are sorted by their keys, and no time is in it: the same stack is the same record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RecordedStack {
    /// The name.
    pub name: String,
    /// The ARN.
    pub id: String,
    /// The status.
    pub status: String,
    /// The template as it was sent.
    pub template: String,
    /// The template as CloudFormation processed it.
    pub processed: String,
    /// The parameters: key, value, and the value that a parameter of SSM has.
    pub parameters: Vec<(String, String, Option<String>)>,
    /// The resources: logical ID, physical ID, type, status.
    pub resources: Vec<[String; 4]>,
    /// The tags.
    pub tags: Vec<(String, String)>,
    /// The capabilities that were acknowledged.
    pub capabilities: Vec<String>,
    /// The nested stacks, by logical ID.
    pub nested: Vec<(String, RecordedStack)>,
}
