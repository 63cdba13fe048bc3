//! `AWS::EC2::VPC::Id`, with the default network ACL and security group of each VPC.

use super::Refusal;
use super::describe::{describe, tags, texts, values};
use crate::clients::Clients;
use crate::snapshot::{Attributes, Values};

pub(super) async fn list(clients: &Clients) -> Result<Values, Refusal> {
    let default_acl = [("Filter.1.Name", "default"), ("Filter.1.Value.1", "true")];
    let default_group = [("Filter.1.Name", "group-name"), ("Filter.1.Value.1", "default")];
    let (vpcs, acls, groups) = tokio::try_join!(
        describe(clients, "DescribeVpcs", &[], Some("1000")),
        describe(clients, "DescribeNetworkAcls", &default_acl, Some("1000")),
        describe(clients, "DescribeSecurityGroups", &default_group, Some("1000")),
    )?;
    let acls = texts(&acls, "networkAclSet", "vpcId", "networkAclId");
    let groups = texts(&groups, "securityGroupInfo", "vpcId", "groupId");
    Ok(values(&vpcs, "vpcSet", "vpcId", |vpc| {
        let id = vpc.text_of("vpcId").unwrap_or_default();
        Attributes {
            default_network_acl: acls.get(id).cloned(),
            default_security_group: groups.get(id).cloned(),
            tags: Some(tags(vpc)),
            ..Attributes::default()
        }
    }))
}
