//! Lists the stacks that import an export.

use formwork_aws::{CallErrorKind, QueryRequest};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "ListImports";

impl Calls {
    /// Returns the first page of stacks that import an export.
    pub(crate) async fn importing_stacks(
        &mut self,
        export: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<String>, DeployError> {
        let call = QueryRequest::new(CALL).with("ExportName", export);
        let mut retry = Retry::asking(&self.intervals);
        match retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await {
            Ok(answer) => Ok(answer.items("Imports").iter().map(|stack| stack.text.clone()).collect()),
            // An export that no stack imports is an error of this call: "Export 'X' is not imported by any stack."
            Err(DeployError::Call { source, .. })
                if source.kind == CallErrorKind::Refused
                    && source.sentence().is_some_and(|sentence| sentence.contains("not imported")) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}
