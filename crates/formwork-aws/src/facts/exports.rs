//! Exports of stacks. No call asks for one alone.

use indexmap::IndexMap;

use super::Refusal;
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::paging::Paging;

pub(super) async fn list(clients: &Clients) -> Result<IndexMap<String, String>, Refusal> {
    let mut exports = IndexMap::new();
    let refused = |failure: CallError| Refusal::new("cloudformation:ListExports", failure);
    let (mut paging, mut token) = (Paging::default(), None);
    loop {
        let page = clients.cloudformation.list_exports().set_next_token(token).send().await;
        let page = page.map_err(|error| refused(error.into()))?;
        for export in page.exports() {
            if let (Some(name), Some(value)) = (export.name(), export.value()) {
                exports.insert(name.to_owned(), value.to_owned());
            }
        }
        token = paging.next(page.next_token).map_err(refused)?;
        if token.is_none() {
            return Ok(exports);
        }
    }
}
