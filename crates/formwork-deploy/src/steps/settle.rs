//! Waiting until nothing goes on with a stack.

use crate::service::Calls;
use crate::standing::{Stack, Standing};
use crate::steps::watch::OperationKind;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "DescribeStacks";

impl Calls {
    pub(crate) async fn settle(&mut self, stack: &Stack, watcher: &mut dyn Watcher) -> Result<Standing, Stop> {
        let mut operation = self.about_to(OperationKind::Other, &stack.id, watcher).await?;
        let mut patience = Patience::watching(&self.pace);
        loop {
            let call = self.client.describe_stacks().stack_name(&stack.id);
            let answer = patience.ask(CALL, &mut self.waiting, watcher, || call.clone().send()).await?;
            let standing = Standing::of(answer.stacks.unwrap_or_default().into_iter().next().map(Stack::from));
            for event in self.news(&mut operation, watcher).await? {
                watcher.event(&event);
            }
            if !matches!(standing, Standing::Busy(_)) {
                return Ok(standing);
            }
            self.waiting.pause(self.pace.events).await?;
        }
    }
}
