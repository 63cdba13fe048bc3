//! Findings of early validation.

use formwork::json_pointer;
use formwork_aws::Element;

use crate::event::Event;

/// An event of an operation, as `DescribeEvents` lists it: one of a resource or stack, or a finding of early
/// validation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OperationEvent {
    /// The properties that a stack event has as well.
    pub event: Event,
    /// Kind of the event: `STACK_EVENT`, `VALIDATION_ERROR`, or another value of CloudFormation.
    pub event_type: String,
    /// The operation: `CREATE_CHANGESET`, `UPDATE_STACK`.
    pub operation_type: String,
    /// Status of the operation: `IN_PROGRESS`, `SUCCEEDED`, `FAILED`.
    pub operation_status: String,
    /// The finding of early validation.
    pub finding: Option<Finding>,
}

/// A finding of early validation. Names, modes and statuses are those that CloudFormation sends, known or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Finding {
    /// Name of the validation: `PROPERTY_VALIDATION`. No decision depends on it.
    pub name: String,
    /// `FAIL` or `WARN`; `None` when it is not sent.
    pub mode: Option<String>,
    /// `FAILED` or `SKIPPED`.
    pub status: String,
    /// The reason in CloudFormation's words.
    pub reason: String,
    /// JSON pointer into the processed template: `/Resources/Logs/Properties/Name`.
    pub validation_path: String,
    /// ARN of the stack that the finding is about.
    pub stack_id: String,
    /// Logical IDs of the enclosing nested stacks, outermost first.
    pub within: Vec<String>,
    /// Logical ID of the resource.
    pub logical_id: String,
    /// Physical ID of an existing resource.
    pub physical_id: Option<String>,
    /// Type of the resource.
    pub kind: String,
}

const FAIL: &str = "FAIL";

impl Finding {
    /// Returns `true` if the validation was skipped.
    pub fn is_skipped(&self) -> bool {
        self.status == "SKIPPED"
    }

    /// Returns `true` if the finding made the change set fail. Without a mode, `has_failed` decides.
    pub fn fails(&self, has_failed: bool) -> bool {
        !self.is_skipped() && self.mode.as_deref().map_or(has_failed, |mode| mode == FAIL)
    }

    /// Returns the path without its first slash, as keys: `~1` is a slash, `~0` a tilde.
    pub fn keys(&self) -> Vec<String> {
        let path = self.validation_path.strip_prefix('#').unwrap_or(&self.validation_path);
        let path = path.strip_prefix('/').unwrap_or(path);
        let keys = path.split('/').filter(|_| !path.is_empty());
        keys.map(json_pointer::unescaped).collect()
    }
}

impl From<&Element> for OperationEvent {
    fn from(element: &Element) -> OperationEvent {
        let text = |name| element.string_of(name).unwrap_or_default();
        let event = Event::from(element);
        let event_type = text("EventType");
        let names = ["ValidationName", "ValidationStatus", "ValidationPath"];
        let is_finding = event_type.starts_with("VALIDATION") || names.iter().any(|name| !text(name).is_empty());
        let finding = is_finding.then(|| {
            let reason = Some(text("ValidationStatusReason")).filter(|reason| !reason.is_empty());
            let status = Some(text("ValidationStatus")).filter(|status| !status.is_empty());
            let mut finding = Finding {
                name: text("ValidationName"),
                mode: Some(text("ValidationFailureMode")).filter(|mode| !mode.is_empty()),
                status: status.unwrap_or_else(|| "FAILED".to_owned()),
                reason: reason.or_else(|| event.reason.clone()).unwrap_or_default(),
                validation_path: text("ValidationPath"),
                stack_id: event.stack_id.clone(),
                within: Vec::new(),
                logical_id: event.logical_id.clone(),
                physical_id: Some(event.physical_id.clone()).filter(|id| !id.is_empty()),
                kind: event.kind.clone(),
            };
            if finding.logical_id.is_empty()
                && let [section, id, ..] = &finding.keys()[..]
                && section == "Resources"
            {
                finding.logical_id.clone_from(id);
            }
            finding
        });
        OperationEvent {
            event,
            event_type,
            operation_type: text("OperationType"),
            operation_status: text("OperationStatus"),
            finding,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(members: &str) -> OperationEvent {
        let text = format!("<member>{members}</member>");
        OperationEvent::from(&Element::parse(&text).expect("well-formed"))
    }

    #[test]
    fn a_finding_is_known_by_any_validation_member() {
        let found = event(
            "<EventType>VALIDATION_ERROR</EventType><LogicalResourceId>A</LogicalResourceId><PhysicalResourceId/>\
             <ValidationName>X</ValidationName><ValidationFailureMode>WARN</ValidationFailureMode>\
             <ValidationPath>/Resources/A</ValidationPath><ValidationStatus>FAILED</ValidationStatus>\
             <ValidationStatusReason>no</ValidationStatusReason>",
        );
        let finding = found.finding.expect("a finding");
        assert_eq!((finding.reason.as_str(), finding.physical_id.as_deref()), ("no", None));
        assert!(!finding.fails(true));
        let found = event("<ValidationPath>/Resources/A/Properties</ValidationPath>");
        assert_eq!(found.finding.map(|finding| finding.logical_id).as_deref(), Some("A"));
        assert!(event("<EventType>PROGRESS</EventType><ResourceStatus>X</ResourceStatus>").finding.is_none());
        assert!(event("<EventType>VALIDATION_ERROR</EventType>").finding.is_some_and(|finding| finding.fails(true)));
        assert!(
            event("<EventType>NEW</EventType><ValidationStatus>SKIPPED</ValidationStatus>")
                .finding
                .is_some_and(|finding| finding.is_skipped() && !finding.fails(true))
        );
    }

    #[test]
    fn paths_with_and_without_first_slash_and_escapes() {
        let keys = |path: &str| Finding { validation_path: path.to_owned(), ..Finding::default() }.keys().join("|");
        assert_eq!(keys("/Resources/A/Properties/a~1b~01"), "Resources|A|Properties|a/b~1");
        assert_eq!(keys("Resources/A"), "Resources|A");
        assert_eq!(keys("#/Resources/A/0"), "Resources|A|0");
        assert_eq!(keys(""), "");
    }
}
