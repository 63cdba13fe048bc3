//! What the service says of a template.

use crate::proposal::TemplateSource;
use crate::service::Calls;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "ValidateTemplate";

/// What the service says of a template that it accepts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Validated {
    /// Capabilities that it needs.
    pub capabilities: Vec<String>,
    /// Why.
    pub reason: Option<String>,
}

impl Calls {
    pub(crate) async fn validate(
        &mut self,
        template: &TemplateSource,
        watcher: &mut dyn Watcher,
    ) -> Result<Validated, Stop> {
        let call = self.client.validate_template();
        let call = match template {
            TemplateSource::Body(body) => call.template_body(body),
            TemplateSource::Url(url) => call.template_url(url),
        };
        let mut patience = Patience::parting(&self.pace);
        let answer = patience.ask(CALL, &mut self.waiting, watcher, || call.clone().send()).await?;
        Ok(Validated {
            capabilities: answer.capabilities().iter().map(|capability| capability.as_str().to_owned()).collect(),
            reason: answer.capabilities_reason,
        })
    }
}
