//! The outputs of a stack.

use crate::service::Calls;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

impl Calls {
    pub(crate) async fn outputs(
        &mut self,
        stack: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<(String, String, Option<String>)>, Stop> {
        let patience = Patience::parting(&self.pace);
        let found = self.stack(stack, patience, watcher).await?;
        let mut outputs = found.map_or_else(Vec::new, |stack| stack.outputs);
        outputs.sort();
        Ok(outputs)
    }
}
