//! What a change set is made of.

/// Where the service finds a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateSource {
    /// In the request itself.
    Body(String),
    /// In a bucket.
    Url(String),
}

/// How a parameter is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sent {
    /// With a value.
    Value(String),
    /// With the value that the stack has.
    Previous,
}

/// What a change set is made of. What is `None` or empty is not sent: the stack keeps what it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Name of the stack.
    pub stack_name: String,
    /// Whether the stack is created: there is none.
    pub is_create: bool,
    /// Name of the change set; one that nobody has when there is none.
    pub name: Option<String>,
    /// Description of the change set.
    pub description: Option<String>,
    /// The template.
    pub template: TemplateSource,
    /// Parameters, by name. Those that are left out take their Defaults.
    pub parameters: Vec<(String, Sent)>,
    /// Capabilities that are acknowledged.
    pub capabilities: Vec<String>,
    /// Tags; an empty list that is given takes all tags away.
    pub tags: Option<Vec<(String, String)>>,
    /// The role that the service takes on.
    pub role_arn: Option<String>,
    /// Topics that are told of events.
    pub notification_arns: Option<Vec<String>>,
    /// Whether changes of nested stacks are worked out, too.
    pub with_nested: bool,
}
