//! A change set that nobody will execute.

use crate::service::Calls;
use crate::stop::Stop;

const CALL: &str = "DeleteChangeSet";

impl Calls {
    pub(crate) async fn discard(&mut self, change_set_id: &str) -> Result<(), Stop> {
        let call = self.client.delete_change_set().change_set_name(change_set_id);
        call.send().await.map(drop).map_err(Stop::of(CALL))
    }
}
