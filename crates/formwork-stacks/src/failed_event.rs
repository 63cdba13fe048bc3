//! Events of failures as JSON.

use formwork_deploy::Event;
use serde_json::{Value, json};

use crate::reporter::DeployReporter;

pub(crate) fn object(event: &Event, reporter: &DeployReporter<'_>) -> Value {
    json!({
        "path": event.within,
        "logical_id": event.logical_id,
        "type": event.kind,
        "status": event.status,
        "reason": event.reason.as_deref().map(|reason| reporter.mask(reason)),
    })
}
