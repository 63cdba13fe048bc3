//! `AWS::SSM::Parameter::Name`

use super::{Refusal, stored_parameters};
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::paging::Paging;
use crate::snapshot::{Attributes, Values};

/// Names of all parameters.
pub(super) async fn all(clients: &Clients) -> Result<Values, Refusal> {
    let mut names = Values::new();
    let refused = |failure: CallError| Refusal::new("ssm:DescribeParameters", failure);
    let (mut paging, mut token) = (Paging::default(), None);
    loop {
        let page = clients.ssm.describe_parameters().max_results(50).set_next_token(token).send().await;
        let page = page.map_err(|error| refused(error.into()))?;
        let found = page.parameters().iter().filter_map(|parameter| parameter.name());
        names.extend(found.map(|name| (name.to_owned(), Some(Attributes::default()))));
        token = paging.next(page.next_token).map_err(refused)?;
        if token.is_none() {
            return Ok(names);
        }
    }
}

/// Which of these names exist.
pub(super) async fn named(names: &[String], clients: &Clients) -> Result<Values, Refusal> {
    let found = stored_parameters::get(names, clients).await?;
    Ok(found.into_iter().map(|(name, parameter)| (name, parameter.map(|_| Attributes::default()))).collect())
}
