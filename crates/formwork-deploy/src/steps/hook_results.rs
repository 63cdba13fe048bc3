//! Lists the results of hooks.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::event_sink::EventSink;
use crate::hook::HookResult;
use crate::unavailable::Unavailable;

impl Calls {
    /// Returns the results of the hooks of a change set, all pages, without annotations.
    pub(crate) async fn list_hook_results(
        &mut self,
        change_set: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<HookResult>, Unavailable> {
        let call = QueryRequest::new("ListHookResults").with("TargetType", "CHANGE_SET").with("TargetId", change_set);
        let results = self.optional_pages(call, "HookResults", sink).await?;
        let mut found: Vec<HookResult> = Vec::new();
        for result in results.iter().map(HookResult::from) {
            // Pages may repeat.
            if !found.contains(&result) {
                found.push(result);
            }
        }
        Ok(found)
    }

    pub(crate) async fn hook_result(&mut self, id: &str) -> Result<HookResult, Unavailable> {
        let answer = self.optional(QueryRequest::new("GetHookResult").with("HookResultId", id)).await?;
        Ok(HookResult::from(&answer))
    }
}
