//! What the service reports about a template.

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::submission::TemplateSource;

const CALL: &str = "ValidateTemplate";

/// What the service reports about a template that it accepts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ValidatedTemplate {
    /// Capabilities that it needs.
    pub capabilities: Vec<String>,
    /// Why.
    pub reason: Option<String>,
}

impl Calls {
    pub(crate) async fn validate_template(
        &mut self,
        template: &TemplateSource,
        sink: &mut dyn EventSink,
    ) -> Result<ValidatedTemplate, DeployError> {
        let call = self.client.validate_template();
        let call = match template {
            TemplateSource::Body(body) => call.template_body(body),
            TemplateSource::Url(url) => call.template_url(url),
        };
        let mut retry = Retry::parting(&self.intervals);
        let answer = retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await?;
        Ok(ValidatedTemplate {
            capabilities: answer.capabilities().iter().map(|capability| capability.as_str().to_owned()).collect(),
            reason: answer.capabilities_reason,
        })
    }
}
