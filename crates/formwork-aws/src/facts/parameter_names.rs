//! `AWS::SSM::Parameter::Name`: parameters by name.

use serde_json::{Value, json};

use super::{Refusal, stored_parameters};
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::json_api::JsonRequest;
use crate::snapshot::{Attributes, Values};

pub(super) async fn all(clients: &Clients) -> Result<Values, Refusal> {
    let mut names = Values::new();
    let refused = |failure: CallError| Refusal::new("ssm:DescribeParameters", failure);
    let (mut paging, mut token) = (clients.pages.listing().map_err(refused)?, None);
    loop {
        let mut body = json!({"MaxResults": 50});
        if let Some(token) = token {
            body["NextToken"] = token;
        }
        let request = JsonRequest::of_target("AmazonSSM.DescribeParameters", &body).version_1_1();
        let page = clients.ssm.call(request).await.map_err(refused)?;
        let found = stored_parameters::listed(&page).map_err(refused)?;
        names.extend(found.iter().filter_map(|parameter| {
            let name = parameter["Name"].as_str()?;
            Some((name.to_owned(), Some(Attributes::default())))
        }));
        token = paging.next(page["NextToken"].as_str().map(str::to_owned)).map_err(refused)?.map(Value::from);
        if token.is_none() {
            return Ok(names);
        }
    }
}

/// Returns those of the names that exist.
pub(super) async fn named(names: &[String], clients: &Clients) -> Result<Values, Refusal> {
    let found = stored_parameters::get(names, clients).await?;
    Ok(found.into_iter().map(|(name, parameter)| (name, parameter.map(|_| Attributes::default()))).collect())
}
