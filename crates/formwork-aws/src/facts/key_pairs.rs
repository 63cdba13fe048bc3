//! `AWS::EC2::KeyPair::KeyName`: key pairs by name.

use super::Refusal;
use super::describe::{describe, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let pages = describe(clients, "DescribeKeyPairs", &[], None).await?;
    Ok(values(&pages, "keySet", "keyName", |_| Attributes::default()))
}
