//! Reads the outputs of a stack.

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

impl Calls {
    pub(crate) async fn stack_outputs(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<(String, String, Option<String>)>, DeployError> {
        let retry = Retry::parting(&self.intervals);
        let found = self.stack(stack, retry, sink).await?;
        let mut outputs = found.map_or_else(Vec::new, |stack| stack.outputs);
        outputs.sort();
        Ok(outputs)
    }
}
