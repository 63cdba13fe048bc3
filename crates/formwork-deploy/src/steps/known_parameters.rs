//! The parameters that a stack has already.

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "GetTemplateSummary";

impl Calls {
    pub(crate) async fn known_parameters(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<String>, DeployError> {
        let call = self.client.get_template_summary().stack_name(stack);
        let mut retry = Retry::asking(&self.intervals);
        let answer = retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await?;
        let parameters = answer.parameters.unwrap_or_default();
        Ok(parameters.into_iter().filter_map(|parameter| parameter.parameter_key).collect())
    }
}
