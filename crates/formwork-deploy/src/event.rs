//! Events of stacks and resources.

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use formwork_aws::Element;

use crate::hook::HookInvocation;

/// An event of a stack or a resource.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Event {
    /// ID of the event; without one, a value that makes it equal to itself on another page.
    pub id: String,
    /// ARN of the stack.
    pub stack_id: String,
    /// Name of the stack.
    pub stack_name: String,
    /// Logical ID of the resource, or the name of the stack for its own events.
    pub logical_id: String,
    /// Physical ID of an existing resource.
    pub physical_id: String,
    /// Type of the resource.
    pub kind: String,
    /// Status of the resource.
    pub status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// Time in nanoseconds since 1970; 0 when no valid time was sent.
    pub time: i128,
    /// Logical IDs of the enclosing nested stacks, outermost first.
    pub within: Vec<String>,
    /// ID of the operation, when it is sent.
    pub operation_id: Option<String>,
    /// Token of the call that caused the event, when it is sent.
    pub token: Option<String>,
    /// `CONFIGURATION_COMPLETE`, `VALIDATION_FAILED`, or another value of CloudFormation.
    pub detailed_status: Option<String>,
    /// The hook that was invoked for the resource.
    pub hook: Option<HookInvocation>,
}

pub(crate) const STACK: &str = "AWS::CloudFormation::Stack";

/// Reasons of resources that were only stopped because another one failed.
const CANCELLED: &str = "cancelled";

impl Event {
    /// `true` if the event is known to have happened before a time.
    pub(crate) fn is_before(&self, time: i128) -> bool {
        self.time != 0 && self.time < time
    }

    /// Returns `true` for an event of the stack itself.
    pub fn is_of_stack(&self) -> bool {
        self.kind == STACK && self.physical_id == self.stack_id
    }

    /// Returns the ARN of a resource that is a nested stack.
    pub fn nested_stack(&self) -> Option<&str> {
        let is_nested = self.kind == STACK && !self.is_of_stack() && self.physical_id.starts_with("arn:");
        is_nested.then_some(self.physical_id.as_str())
    }

    /// Returns the resource of the event: the enclosing nested stacks, and its logical ID. An event of a nested stack
    /// belongs to its resource; one of the root stack, to no resource.
    pub fn resource(&self) -> Option<(&[String], &str)> {
        match (self.is_of_stack(), self.within.split_last()) {
            (true, None) => None,
            (true, Some((own, around))) => Some((around, own)),
            (false, _) => Some((&self.within, &self.logical_id)),
        }
    }

    /// Returns the path of the resource, or the name of the root stack: `Nested/Topic`.
    pub fn path(&self) -> String {
        match self.resource() {
            Some((within, logical_id)) => path(within, logical_id),
            None => self.logical_id.clone(),
        }
    }

    /// Returns `true` for a failure with a reason of its own. A cancelled resource failed because of another one.
    pub fn is_failure(&self) -> bool {
        self.status.ends_with("_FAILED") && !self.is_cancelled()
    }

    /// Returns `true` if the resource was only stopped because another one failed.
    pub fn is_cancelled(&self) -> bool {
        let reason = self.reason.as_deref().unwrap_or_default();
        reason.starts_with("Resource ") && reason.trim_end_matches('.').to_lowercase().ends_with(CANCELLED)
    }
}

/// Joins a logical ID to those of the enclosing nested stacks.
pub(crate) fn path(within: &[String], logical_id: &str) -> String {
    within.iter().map(String::as_str).chain([logical_id]).collect::<Vec<_>>().join("/")
}

/// Returns the ID of an event; for an event without one, all of its values, so that it is recognized on another page.
fn identity(event: &Element) -> String {
    match event.text_of("EventId") {
        Some(id) if !id.is_empty() => id.to_owned(),
        _ => event.children.iter().flat_map(|one| [&one.name, "=", &one.text, "\n"]).collect(),
    }
}

impl From<&Element> for Event {
    fn from(event: &Element) -> Event {
        let text = |name| event.string_of(name).unwrap_or_default();
        // A hook has properties of its own for the reason why it blocks an operation.
        let hook = event.text_of("HookType").zip(event.text_of("HookStatusReason"));
        let reason = match (event.string_of("ResourceStatusReason"), hook) {
            (Some(reason), _) if !reason.is_empty() => Some(reason),
            (_, Some((hook, reason))) => Some(format!("{hook}: {reason}")),
            _ => None,
        };
        let time = DateTime::from_str(event.text_of("Timestamp").unwrap_or_default(), Format::DateTimeWithOffset);
        Event {
            id: identity(event),
            stack_id: text("StackId"),
            stack_name: text("StackName"),
            logical_id: text("LogicalResourceId"),
            physical_id: text("PhysicalResourceId"),
            kind: text("ResourceType"),
            status: text("ResourceStatus"),
            reason,
            time: time.map_or(0, |time| time.as_nanos()),
            within: Vec::new(),
            operation_id: event.string_of("OperationId").filter(|id| !id.is_empty()),
            token: event.string_of("ClientRequestToken").filter(|token| !token.is_empty()),
            detailed_status: event.string_of("DetailedStatus").filter(|status| !status.is_empty()),
            hook: HookInvocation::of(event),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_failure(status: &str, reason: &str) -> bool {
        Event { status: status.to_owned(), reason: Some(reason.to_owned()), ..Event::default() }.is_failure()
    }

    #[test]
    fn failures_by_their_own_error() {
        assert!(is_failure("CREATE_FAILED", "shop-logs already exists"));
        assert!(is_failure("UPDATE_FAILED", "The order was cancelled by the bank"));
        assert!(!is_failure("CREATE_FAILED", "Resource creation cancelled"));
        assert!(!is_failure("UPDATE_FAILED", "Resource update cancelled."));
        assert!(!is_failure("CREATE_COMPLETE", ""));
    }

    #[test]
    fn an_event_without_an_id_is_equal_to_itself_alone() {
        let of = |members: &str| {
            let text = format!("<member>{members}<ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>");
            Event::from(&Element::parse(&text).expect("well-formed")).id
        };
        let one = of("<LogicalResourceId>A</LogicalResourceId><EventId/>");
        assert_eq!(one, of("<LogicalResourceId>A</LogicalResourceId><EventId/>"));
        assert_ne!(one, of("<LogicalResourceId>B</LogicalResourceId><EventId/>"));
        assert_eq!(of("<EventId>e-1</EventId>"), "e-1");
        assert_ne!(of(""), "");
    }

    #[test]
    fn stacks_and_nested_stacks() {
        let own = Event {
            kind: STACK.to_owned(),
            stack_id: "arn:a".to_owned(),
            physical_id: "arn:a".to_owned(),
            ..Event::default()
        };
        assert!(own.is_of_stack() && own.nested_stack().is_none());
        let nested = Event { physical_id: "arn:b".to_owned(), ..own.clone() };
        assert!(!nested.is_of_stack());
        assert_eq!(nested.nested_stack(), Some("arn:b"));
        assert_eq!(Event { physical_id: String::new(), ..own }.nested_stack(), None);
    }

    #[test]
    fn events_of_a_nested_stack_are_about_its_resource() {
        let event = |physical_id: &str, within: &[&str]| Event {
            kind: STACK.to_owned(),
            stack_id: "arn:a".to_owned(),
            logical_id: "shop".to_owned(),
            physical_id: physical_id.to_owned(),
            within: within.iter().map(|&id| id.to_owned()).collect(),
            ..Event::default()
        };
        assert_eq!((event("arn:a", &[]).resource(), event("arn:a", &[]).path().as_str()), (None, "shop"));
        let nested = event("arn:a", &["Outer", "Inner"]);
        assert_eq!(
            (nested.resource(), nested.path().as_str()),
            (Some((&["Outer".to_owned()][..], "Inner")), "Outer/Inner")
        );
        let resource = event("arn:b", &["Outer"]);
        assert_eq!((resource.resource().map(|(_, id)| id), resource.path().as_str()), (Some("shop"), "Outer/shop"));
    }
}
