//! A stack is deleted.

use crate::service::Calls;
use crate::steps::watch::{Ended, OperationKind};
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "DeleteStack";

impl Calls {
    pub(crate) async fn remove(
        &mut self,
        stack_id: &str,
        role: Option<&str>,
        watcher: &mut dyn Watcher,
    ) -> Result<Ended, Stop> {
        let mut operation = self.about_to(OperationKind::Delete, stack_id, watcher).await?;
        let call = self.client.delete_stack().stack_name(stack_id).set_role_arn(role.map(str::to_owned));
        let mut patience = Patience::asking(&self.pace);
        patience.insist(CALL, &mut self.waiting, watcher, || call.clone().send()).await?;
        self.watch(&mut operation, watcher).await
    }
}
