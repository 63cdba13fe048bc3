//! `AWS::EC2::AvailabilityZone::Name`: zones that are available.

use super::Refusal;
use super::describe::{describe, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let available = [("Filter.1.Name", "state"), ("Filter.1.Value.1", "available")];
    let pages = describe(clients, "DescribeAvailabilityZones", &available, None).await?;
    Ok(values(&pages, "availabilityZoneInfo", "zoneName", |_| Attributes::default()))
}
