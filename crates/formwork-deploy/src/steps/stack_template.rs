//! Reads the template and the policy of a deployed stack.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::unavailable::Unavailable;

const TEMPLATE: &str = "GetTemplate";
const POLICY: &str = "GetStackPolicy";

/// The stage of a stack's template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateStage {
    /// As it was sent.
    Original,
    /// As CloudFormation processed it.
    Processed,
}

impl Calls {
    pub(crate) async fn stack_template(
        &mut self,
        stack: &str,
        stage: TemplateStage,
        sink: &mut dyn EventSink,
    ) -> Result<String, DeployError> {
        let stage = match stage {
            TemplateStage::Original => "Original",
            TemplateStage::Processed => "Processed",
        };
        let call = QueryRequest::new(TEMPLATE).with("StackName", stack).with("TemplateStage", stage);
        let mut retry = Retry::asking(&self.intervals);
        let answer = retry.ask(TEMPLATE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(answer.string_of("TemplateBody").unwrap_or_default())
    }

    /// Returns the processed template of a stack for a purpose that a deployment can do without.
    pub(crate) async fn optional_template(&mut self, stack: &str) -> Option<String> {
        let call = QueryRequest::new(TEMPLATE).with("StackName", stack).with("TemplateStage", "Processed");
        self.optional(call).await.ok()?.string_of("TemplateBody")
    }

    pub(crate) async fn stack_policy(&mut self, stack: &str) -> Result<Option<String>, Unavailable> {
        let answer = self.optional(QueryRequest::new(POLICY).with("StackName", stack)).await?;
        Ok(answer.string_of("StackPolicyBody").filter(|policy| !policy.trim().is_empty()))
    }
}
