//! Exports of stacks. No call asks for one alone.

use indexmap::IndexMap;

use super::Refusal;
use crate::clients::Clients;

pub(super) async fn list(clients: &Clients) -> Result<IndexMap<String, String>, Refusal> {
    let mut exports = IndexMap::new();
    let mut pages = clients.cloudformation.list_exports().into_paginator().send();
    while let Some(page) = pages.next().await {
        let page = page.map_err(|error| Refusal::new("cloudformation:ListExports", error))?;
        for export in page.exports() {
            if let (Some(name), Some(value)) = (export.name(), export.value()) {
                exports.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    Ok(exports)
}
