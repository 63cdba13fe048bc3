//! Exports of stacks. No call returns a single one.

use indexmap::IndexMap;

use super::Refusal;
use super::describe::texts;
use crate::clients::Clients;
use crate::xml_api::QueryRequest;

pub(super) async fn list(clients: &Clients) -> Result<IndexMap<String, String>, Refusal> {
    let service = &clients.cloudformation;
    let request = service.query(QueryRequest::new("ListExports"));
    let pages = service.pages(request, ("NextToken", "NextToken"), &clients.pages).await;
    let pages = pages.map_err(|failure| Refusal::new("cloudformation:ListExports", failure))?;
    Ok(texts(&pages, "Exports", "Name", "Value"))
}
