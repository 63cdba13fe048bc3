//! Validates a template with CloudFormation.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::submission::TemplateSource;

const CALL: &str = "ValidateTemplate";

/// CloudFormation's report about a template that it accepts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ValidatedTemplate {
    /// Capabilities that the template needs.
    pub capabilities: Vec<String>,
    /// The reason for the capabilities.
    pub reason: Option<String>,
}

impl Calls {
    pub(crate) async fn validate_template(
        &mut self,
        template: &TemplateSource,
        sink: &mut dyn EventSink,
    ) -> Result<ValidatedTemplate, DeployError> {
        let call = template.sent_by(QueryRequest::new(CALL));
        let mut retry = Retry::parting(&self.intervals);
        let answer = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(ValidatedTemplate {
            capabilities: answer.items("Capabilities").iter().map(|capability| capability.text.clone()).collect(),
            reason: answer.string_of("CapabilitiesReason"),
        })
    }
}
