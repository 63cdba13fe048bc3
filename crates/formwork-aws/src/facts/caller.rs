//! The account of the credentials.

use super::Refusal;
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::xml_api::QueryRequest;

pub(super) struct Caller {
    pub(super) account: String,
    /// `None` when the service returns no partition.
    pub(super) partition: Option<String>,
}

pub(super) async fn find(clients: &Clients) -> Result<Caller, Refusal> {
    const PERMISSION: &str = "sts:GetCallerIdentity";
    let identity = clients.sts.call(clients.sts.query(QueryRequest::new("GetCallerIdentity"))).await;
    let identity = identity.map_err(|error| Refusal::new(PERMISSION, error))?;
    let text = |name| identity.text_of(name).filter(|text| !text.is_empty());
    let account = text("Account");
    let account = account.ok_or_else(|| Refusal::new(PERMISSION, CallError::malformed("it names no account")))?;
    let partition = text("Arn").and_then(|arn| arn.split(':').nth(1)).filter(|partition| !partition.is_empty());
    Ok(Caller { account: account.to_owned(), partition: partition.map(str::to_owned) })
}
