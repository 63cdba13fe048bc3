//! The account that the credentials belong to.

use super::Refusal;
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::service::Service;
use crate::xml_api::QueryRequest;

/// Who is asking.
pub(super) struct Caller {
    pub(super) account: String,
    /// The partition; `None` when the service names none.
    pub(super) partition: Option<String>,
}

pub(super) async fn find(clients: &Clients) -> Result<Caller, Refusal> {
    const PERMISSION: &str = "sts:GetCallerIdentity";
    let answer = clients.sts.query(Service::Sts, QueryRequest::new("GetCallerIdentity")).await;
    let answer = answer.map_err(|error| Refusal::new(PERMISSION, error))?;
    let identity = answer.child("GetCallerIdentityResult");
    let text = |name| identity.and_then(|identity| identity.text_of(name)).filter(|text| !text.is_empty());
    let account = text("Account");
    let account = account.ok_or_else(|| Refusal::new(PERMISSION, CallError::malformed("it names no account")))?;
    let partition = text("Arn").and_then(|arn| arn.split(':').nth(1)).filter(|partition| !partition.is_empty());
    Ok(Caller { account: account.to_owned(), partition: partition.map(str::to_owned) })
}
