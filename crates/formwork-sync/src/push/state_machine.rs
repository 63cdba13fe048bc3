//! Pushes the definitions of state machines.

use formwork_aws::{JsonRequest, Service};
use serde_json::{Value, json};

use super::{PushError, Pushed, Pusher, json_of, text};

impl Pusher<'_> {
    /// Uploads the definition of a state machine, a document in JSON or YAML, unless it is deployed already.
    ///
    /// # Errors
    /// When a call fails, or the document is neither JSON nor YAML.
    pub fn state_machine(&self, arn: &str, definition: &[u8]) -> Result<Pushed, PushError> {
        const DESCRIBE: &str = "DescribeStateMachine";
        const UPDATE: &str = "UpdateStateMachine";
        let definition = json_of(definition)?;
        let request = JsonRequest::of_target("AWSStepFunctions.DescribeStateMachine", &json!({"stateMachineArn": arn}));
        let now = self.call(Service::StepFunctions, DESCRIBE, request)?;
        let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
        if parsed(text(&now, DESCRIBE, "definition")?) == parsed(&definition) {
            return Ok(Pushed::UpToDate);
        }
        let body = json!({"stateMachineArn": arn, "definition": definition});
        let request = JsonRequest::of_target("AWSStepFunctions.UpdateStateMachine", &body);
        self.call(Service::StepFunctions, UPDATE, request)?;
        Ok(Pushed::Updated(vec![UPDATE.to_owned()]))
    }
}
