//! The parameters that a stack has already.

use crate::service::Calls;
use crate::stop::Stop;

const CALL: &str = "GetTemplateSummary";

impl Calls {
    pub(crate) async fn known_parameters(&mut self, stack: &str) -> Result<Vec<String>, Stop> {
        let call = self.client.get_template_summary().stack_name(stack).send();
        let answer = self.waiting.race(call).await?.map_err(Stop::of(CALL))?;
        let parameters = answer.parameters.unwrap_or_default();
        Ok(parameters.into_iter().filter_map(|parameter| parameter.parameter_key).collect())
    }
}
