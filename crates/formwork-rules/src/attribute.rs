//! Attributes of AWS-specific values (reference/rules.md#attributes).

use std::fmt;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Attribute {
    /// A property such as `VpcId`.
    Member(String),
    /// The tag with this key.
    Tag(String),
}

const TAGS: &str = "Tags.";

impl Attribute {
    /// Returns the attribute of a type with this name; `None` when the type does not have it.
    pub(crate) fn of_type(kind: &str, name: &str) -> Option<Attribute> {
        let members: &[&str] = match kind {
            "AWS::EC2::VPC::Id" => &["DefaultNetworkAcl", "DefaultSecurityGroup"],
            "AWS::EC2::Subnet::Id" => &["AvailabilityZone", "VpcId"],
            "AWS::EC2::SecurityGroup::Id" => &[],
            _ => return None,
        };
        match name.strip_prefix(TAGS) {
            Some("") => None,
            Some(key) => Some(Attribute::Tag(key.to_owned())),
            None => members.contains(&name).then(|| Attribute::Member(name.to_owned())),
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attribute::Member(name) => f.write_str(name),
            Attribute::Tag(key) => write!(f, "{TAGS}{key}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_by_type() {
        let check = |kind, name| Attribute::of_type(kind, name).map(|attribute| attribute.to_string());
        assert_eq!(check("AWS::EC2::Subnet::Id", "VpcId").as_deref(), Some("VpcId"));
        assert_eq!(check("AWS::EC2::VPC::Id", "VpcId"), None);
        assert_eq!(check("AWS::EC2::VPC::Id", "vpcid"), None);
        assert_eq!(
            Attribute::of_type("AWS::EC2::SecurityGroup::Id", "Tags.a.b:c"),
            Some(Attribute::Tag("a.b:c".to_owned()))
        );
        assert_eq!(check("AWS::EC2::VPC::Id", "Tags."), None);
        assert_eq!(check("AWS::EC2::Image::Id", "Tags.Name"), None);
    }
}
