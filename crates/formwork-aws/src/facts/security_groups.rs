//! `AWS::EC2::SecurityGroup::Id`, and `AWS::EC2::SecurityGroup::GroupName`, which refers to groups of the default VPC.

use super::Refusal;
use super::describe::{describe, tags, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let pages = describe(clients, "DescribeSecurityGroups", &[], Some("1000")).await?;
    Ok(values(&pages, "securityGroupInfo", "groupId", |group| Attributes {
        tags: Some(tags(group)),
        ..Attributes::default()
    }))
}

/// Returns the names of the groups of the default VPC; empty in an account without one.
pub(super) async fn names(clients: &Clients) -> Result<Values, Refusal> {
    let default = [("Filter.1.Name", "is-default"), ("Filter.1.Value.1", "true")];
    let pages = describe(clients, "DescribeVpcs", &default, None).await?;
    let vpcs = values(&pages, "vpcSet", "vpcId", |_| Attributes::default());
    let Some((vpc, _)) = vpcs.first() else { return Ok(Values::new()) };
    let of_vpc = [("Filter.1.Name", "vpc-id"), ("Filter.1.Value.1", vpc.as_str())];
    let pages = describe(clients, "DescribeSecurityGroups", &of_vpc, Some("1000")).await?;
    Ok(values(&pages, "securityGroupInfo", "groupName", |_| Attributes::default()))
}
