//! The parameters that a stack has already.

use crate::service::Calls;
use crate::stop::Stop;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CALL: &str = "GetTemplateSummary";

impl Calls {
    pub(crate) async fn known_parameters(
        &mut self,
        stack: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<String>, Stop> {
        let call = self.client.get_template_summary().stack_name(stack);
        let mut patience = Patience::asking(&self.pace);
        let answer = patience.ask(CALL, &mut self.waiting, watcher, || call.clone().send()).await?;
        let parameters = answer.parameters.unwrap_or_default();
        Ok(parameters.into_iter().filter_map(|parameter| parameter.parameter_key).collect())
    }
}
