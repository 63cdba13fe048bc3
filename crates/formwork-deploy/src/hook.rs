//! Hooks that CloudFormation invoked, and their results.

use formwork_aws::Element;

/// A hook in an event of a stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct HookInvocation {
    /// ID of the invocation, by which `GetHookResult` finds its result; not every event has it.
    pub id: Option<String>,
    /// Type of the hook: `Private::Guard::TestHook`.
    pub kind: String,
    /// `HOOK_COMPLETE_FAILED`, or another value of CloudFormation.
    pub status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// `FAIL` or `WARN`; `None` when it is not sent.
    pub mode: Option<String>,
}

impl HookInvocation {
    /// Returns `true` if the hook rejects the operation, or could not be run.
    pub fn is_failure(&self) -> bool {
        is_failure(&self.status)
    }

    pub(crate) fn of(event: &Element) -> Option<HookInvocation> {
        let kind = some(event, "HookType")?;
        Some(HookInvocation {
            id: some(event, "HookInvocationId"),
            kind,
            status: event.string_of("HookStatus").unwrap_or_default(),
            reason: some(event, "HookStatusReason"),
            mode: some(event, "HookFailureMode"),
        })
    }
}

/// The result of a hook.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct HookResult {
    /// ID of the result, a UUID.
    pub id: String,
    /// Type of the hook: `Private::Guard::TestHook`.
    pub kind: String,
    /// `FAIL` or `WARN`; `None` when it is not sent.
    pub mode: Option<String>,
    /// `HOOK_COMPLETE_FAILED`, or another value of CloudFormation.
    pub status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// Findings of the hook; only `GetHookResult` lists them.
    pub annotations: Vec<HookAnnotation>,
}

impl HookResult {
    /// Returns `true` if the hook rejects the operation, or could not be run.
    pub fn is_failure(&self) -> bool {
        is_failure(&self.status)
    }
}

/// A single finding of a hook.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct HookAnnotation {
    /// Name of the rule.
    pub name: String,
    /// `PASSED`, `FAILED` or `SKIPPED`.
    pub status: String,
    /// Message of the finding.
    pub message: Option<String>,
    /// Advice on how to fix it.
    pub remediation: Option<String>,
    /// A page about the rule.
    pub link: Option<String>,
    /// `INFORMATIONAL` to `CRITICAL`.
    pub severity: Option<String>,
}

/// A hook that rejects a change set or a resource, or warns of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct HookFinding {
    /// Logical IDs of the enclosing nested stacks, outermost first.
    pub within: Vec<String>,
    /// Logical ID of the resource; `None` for a hook of the change set.
    pub logical_id: Option<String>,
    /// The result of the hook.
    pub result: HookResult,
}

impl HookFinding {
    /// Returns `true` if the hook made the change set or the resource fail. Without a mode, `has_failed` decides.
    pub fn fails(&self, has_failed: bool) -> bool {
        self.result.mode.as_deref().map_or(has_failed, |mode| mode == "FAIL")
    }
}

impl From<&Element> for HookResult {
    fn from(result: &Element) -> HookResult {
        HookResult {
            id: result.string_of("HookResultId").unwrap_or_default(),
            kind: result.string_of("TypeName").unwrap_or_default(),
            mode: some(result, "FailureMode"),
            status: result.string_of("Status").unwrap_or_default(),
            reason: some(result, "HookStatusReason"),
            annotations: result.items("Annotations").iter().map(HookAnnotation::from).collect(),
        }
    }
}

impl From<&Element> for HookAnnotation {
    fn from(annotation: &Element) -> HookAnnotation {
        HookAnnotation {
            name: annotation.string_of("AnnotationName").unwrap_or_default(),
            status: annotation.string_of("Status").unwrap_or_default(),
            message: some(annotation, "StatusMessage"),
            remediation: some(annotation, "RemediationMessage"),
            link: some(annotation, "RemediationLink"),
            severity: some(annotation, "SeverityLevel"),
        }
    }
}

fn is_failure(status: &str) -> bool {
    matches!(status, "HOOK_COMPLETE_FAILED" | "HOOK_FAILED")
}

fn some(element: &Element, name: &str) -> Option<String> {
    element.string_of(name).filter(|text| !text.is_empty())
}
