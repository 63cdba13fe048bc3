//! Exports of stacks. No call asks for one alone.

use indexmap::IndexMap;

use super::Refusal;
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::paging::Paging;
use crate::xml_api::QueryRequest;

pub(super) async fn list(clients: &Clients) -> Result<IndexMap<String, String>, Refusal> {
    let mut exports = IndexMap::new();
    let refused = |failure: CallError| Refusal::new("cloudformation:ListExports", failure);
    let (mut paging, mut token) = (Paging::default(), None::<String>);
    loop {
        let request = QueryRequest::new("ListExports").with_some("NextToken", token.as_deref());
        let page = clients.cloudformation.call(request).await.map_err(refused)?;
        for export in page.items("Exports") {
            if let (Some(name), Some(value)) = (export.string_of("Name"), export.string_of("Value")) {
                exports.insert(name, value);
            }
        }
        token = paging.next(page.string_of("NextToken")).map_err(refused)?;
        if token.is_none() {
            return Ok(exports);
        }
    }
}
