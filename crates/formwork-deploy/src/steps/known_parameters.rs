//! Lists the parameters that a stack has already.

use formwork_aws::QueryRequest;

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
        let call = QueryRequest::new(CALL).with("StackName", stack);
        let mut retry = Retry::asking(&self.intervals);
        let answer = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        let parameters = answer.items("Parameters").iter();
        Ok(parameters.filter_map(|parameter| parameter.string_of("ParameterKey")).collect())
    }
}
