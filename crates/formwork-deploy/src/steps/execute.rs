//! A change set is executed.

use crate::change_set::ChangeSet;
use crate::service::Calls;
use crate::steps::watch::{Operation, OperationKind};
use crate::stop::Stop;
use crate::unique_name::unique_name;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "ExecuteChangeSet";

impl Calls {
    pub(crate) async fn execute(
        &mut self,
        change_set: &ChangeSet,
        is_create: bool,
        disables_rollback: bool,
        watcher: &mut dyn Watcher,
    ) -> Result<Operation, Stop> {
        let kind = if is_create { OperationKind::Create } else { OperationKind::Update };
        let operation = self.about_to(kind, &change_set.stack_id, watcher).await?;
        let call = self
            .client
            .execute_change_set()
            .change_set_name(&change_set.id)
            // The same request twice, after a lost answer, is one execution.
            .client_request_token(unique_name("formwork"))
            .set_disable_rollback(disables_rollback.then_some(true));
        let mut patience = Patience::asking(&self.pace);
        patience.insist(CALL, &mut self.waiting, watcher, || call.clone().send()).await?;
        Ok(operation)
    }
}
