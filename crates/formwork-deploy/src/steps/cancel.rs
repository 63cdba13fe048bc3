//! An update that is cancelled.

use crate::service::Calls;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "CancelUpdateStack";

impl Calls {
    pub(crate) async fn cancel(&mut self, stack_id: &str, watcher: &mut dyn Watcher) -> Result<(), Stop> {
        let call = self.client.cancel_update_stack().stack_name(stack_id);
        let mut patience = Patience::asking(&self.pace);
        patience.insist(CALL, &mut self.waiting, watcher, || call.clone().send()).await.map(drop)
    }
}
