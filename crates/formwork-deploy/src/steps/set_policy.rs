//! The policy of a stack.

use crate::service::Calls;
use crate::stop::Stop;

const CALL: &str = "SetStackPolicy";

impl Calls {
    pub(crate) async fn set_policy(&mut self, stack: &str, policy: &str) -> Result<(), Stop> {
        let call = self.client.set_stack_policy().stack_name(stack).stack_policy_body(policy);
        call.send().await.map(drop).map_err(Stop::of(CALL))
    }
}
