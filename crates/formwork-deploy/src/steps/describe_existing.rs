//! Describes an existing change set, with all its changes.

use formwork_aws::{CallErrorKind, Element};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::existing_change_set::ExistingChangeSet;

impl Calls {
    /// Describes a change set, by ARN, or by the name of its stack and its own; waits while it is being created.
    pub(crate) async fn describe_existing(
        &mut self,
        stack: Option<&str>,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<ExistingChangeSet, DeployError> {
        let (first, changes) = match self.until_known(stack, id, false, sink).await {
            Err(DeployError::Call { source, .. }) if is_unknown(source.code.as_deref(), source.kind) => {
                return Err(DeployError::NoChangeSet { change_set: id.to_owned() });
            }
            answer => answer?,
        };
        let is_nested = |first: &Element| first.text_of("IncludeNestedStacks") == Some("true");
        let changes = if is_nested(&first) { self.with_nested(changes, sink).await? } else { changes };
        Ok(ExistingChangeSet::new(&first, id, changes))
    }
}

fn is_unknown(code: Option<&str>, kind: CallErrorKind) -> bool {
    kind == CallErrorKind::Refused && matches!(code, Some("ChangeSetNotFound" | "ChangeSetNotFoundException"))
}
