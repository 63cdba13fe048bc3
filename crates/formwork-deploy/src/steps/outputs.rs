//! The outputs of a stack.

use crate::service::Calls;
use crate::stop::Stop;

impl Calls {
    pub(crate) async fn outputs(&mut self, stack: &str) -> Result<Vec<(String, String, Option<String>)>, Stop> {
        let found = self.stack(stack).await?;
        let mut outputs = found.map_or_else(Vec::new, |stack| stack.outputs);
        outputs.sort();
        Ok(outputs)
    }
}
