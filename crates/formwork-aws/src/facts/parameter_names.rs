//! `AWS::SSM::Parameter::Name`

use super::{Refusal, stored_parameters};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

/// Names of all parameters.
pub(super) async fn all(clients: &Clients) -> Result<Values, Refusal> {
    let mut names = Values::new();
    let mut pages = clients.ssm.describe_parameters().into_paginator().page_size(50).send();
    while let Some(page) = pages.next().await {
        let page = page.map_err(|error| Refusal::new("ssm:DescribeParameters", error))?;
        let found = page.parameters().iter().filter_map(|parameter| parameter.name());
        names.extend(found.map(|name| (name.to_owned(), Some(Attributes::default()))));
    }
    Ok(names)
}

/// Which of these names exist.
pub(super) async fn named(names: &[String], clients: &Clients) -> Result<Values, Refusal> {
    let found = stored_parameters::get(names, clients).await?;
    Ok(found.into_iter().map(|(name, parameter)| (name, parameter.map(|_| Attributes::default()))).collect())
}
