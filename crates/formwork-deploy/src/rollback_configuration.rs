//! Alarms that roll a deployment back (`RollbackConfiguration`).

use formwork_aws::QueryRequest;

/// Alarms that roll a deployment back, and the time for which they are watched after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RollbackConfiguration {
    /// ARN and type of each alarm; an empty list removes the alarms of the stack.
    pub triggers: Option<Vec<(String, String)>>,
    /// Minutes for which alarms are watched once all resources are deployed.
    pub monitoring_minutes: Option<u64>,
}

impl RollbackConfiguration {
    pub(crate) fn sent_by(&self, mut request: QueryRequest) -> QueryRequest {
        if let Some(triggers) = &self.triggers {
            let records = triggers.iter().map(|(arn, kind)| [("Arn", arn.as_str()), ("Type", kind.as_str())]);
            request = request.with_records("RollbackConfiguration.RollbackTriggers", records);
        }
        let minutes = self.monitoring_minutes.map(|minutes| minutes.to_string());
        request.with_some("RollbackConfiguration.MonitoringTimeInMinutes", minutes.as_deref())
    }
}
