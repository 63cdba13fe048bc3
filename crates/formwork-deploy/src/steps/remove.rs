//! A stack is deleted.

use crate::service::Calls;
use crate::steps::watch::{Ended, OperationKind};
use crate::stop::Stop;
use crate::watcher::Watcher;

const CALL: &str = "DeleteStack";

impl Calls {
    pub(crate) async fn remove(
        &mut self,
        stack_id: &str,
        role: Option<&str>,
        watcher: &mut dyn Watcher,
    ) -> Result<Ended, Stop> {
        let mut operation = self.about_to(OperationKind::Delete, stack_id).await?;
        let call = self.client.delete_stack().stack_name(stack_id).set_role_arn(role.map(str::to_owned));
        call.send().await.map_err(Stop::of(CALL))?;
        self.watch(&mut operation, watcher).await
    }
}
