//! `AWS::EC2::Subnet::Id`: subnets by ID.

use super::Refusal;
use super::describe::{describe, tags, text, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let pages = describe(clients, "DescribeSubnets", &[], Some("1000")).await?;
    Ok(values(&pages, "subnetSet", "subnetId", |subnet| Attributes {
        vpc_id: text(subnet, "vpcId"),
        availability_zone: text(subnet, "availabilityZone"),
        tags: Some(tags(subnet)),
        ..Attributes::default()
    }))
}
