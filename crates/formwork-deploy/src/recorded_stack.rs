//! The record of a stack, which a plan compares with a template offline (reference/plan.md#stack).

/// The record of a stack. Lists are sorted by their keys, and it contains no time: equal stacks have equal records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RecordedStack {
    /// Name of the stack.
    pub name: String,
    /// ARN of the stack.
    pub id: String,
    /// Status of the stack.
    pub status: String,
    /// The template as it was sent.
    pub template: String,
    /// The template as CloudFormation processed it.
    pub processed: String,
    /// The parameters: key, value, and the resolved value of an SSM parameter.
    pub parameters: Vec<(String, String, Option<String>)>,
    /// The resources: logical ID, physical ID, type, status.
    pub resources: Vec<[String; 4]>,
    /// Tags of the stack.
    pub tags: Vec<(String, String)>,
    /// Acknowledged capabilities.
    pub capabilities: Vec<String>,
    /// Nested stacks, by logical ID.
    pub nested: Vec<(String, RecordedStack)>,
}
