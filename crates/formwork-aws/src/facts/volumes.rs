//! `AWS::EC2::Volume::Id`: volumes by ID.

use super::Refusal;
use super::describe::{describe, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let pages = describe(clients, "DescribeVolumes", &[], Some("500")).await?;
    Ok(values(&pages, "volumeSet", "volumeId", |_| Attributes::default()))
}
