//! Deadline until nothing goes on with a stack.

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
            let call = self.client.describe_stacks().stack_name(&stack.id);
            let answer = retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await?;
            let standing = StackState::of(answer.stacks.unwrap_or_default().into_iter().next().map(Stack::from));
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
