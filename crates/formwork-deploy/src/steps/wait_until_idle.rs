//! Waits until no operation on a stack is in progress.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::OperationKind;
use crate::retry::Retry;
use crate::stack_state::{Stack, StackState};

const CALL: &str = "DescribeStacks";

impl Calls {
    pub(crate) async fn wait_until_idle(
        &mut self,
        stack: &Stack,
        sink: &mut dyn EventSink,
    ) -> Result<StackState, DeployError> {
        let mut operation = self.about_to(OperationKind::Other, &stack.id, sink).await?;
        let mut retry = Retry::watching(&self.intervals);
        loop {
            let call = QueryRequest::new(CALL).with("StackName", &stack.id);
            let answer = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            let standing = StackState::of(answer.items("Stacks").first().map(Stack::from));
            for event in self.news(&mut operation, sink).await? {
                sink.event(&event);
            }
            if !matches!(standing, StackState::Busy(_)) {
                return Ok(standing);
            }
            self.deadline.pause(self.intervals.events).await?;
        }
    }
}
