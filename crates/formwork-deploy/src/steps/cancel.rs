//! An update that is cancelled.

use crate::service::Calls;
use crate::stop::Stop;

const CALL: &str = "CancelUpdateStack";

impl Calls {
    pub(crate) async fn cancel(&mut self, stack_id: &str) -> Result<(), Stop> {
        let call = self.client.cancel_update_stack().stack_name(stack_id);
        call.send().await.map(drop).map_err(Stop::of(CALL))
    }
}
