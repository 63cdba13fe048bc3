//! The policy of a stack.

use crate::service::Calls;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "SetStackPolicy";

impl Calls {
    pub(crate) async fn set_policy(
        &mut self,
        stack: &str,
        policy: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<(), Stop> {
        let call = self.client.set_stack_policy().stack_name(stack).stack_policy_body(policy);
        let mut patience = Patience::parting(&self.pace);
        patience.insist(CALL, &mut self.waiting, watcher, || call.clone().send()).await.map(drop)
    }
}
