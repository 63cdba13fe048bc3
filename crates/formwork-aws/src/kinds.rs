//! Parameter types whose values are account data.

pub(crate) const IMAGE: &str = "AWS::EC2::Image::Id";
pub(crate) const PARAMETER_NAME: &str = "AWS::SSM::Parameter::Name";

/// Types whose values can be listed.
pub const ALL_KINDS: [&str; 11] = [
    "AWS::EC2::AvailabilityZone::Name",
    IMAGE,
    "AWS::EC2::Instance::Id",
    "AWS::EC2::KeyPair::KeyName",
    "AWS::EC2::SecurityGroup::GroupName",
    "AWS::EC2::SecurityGroup::Id",
    "AWS::EC2::Subnet::Id",
    "AWS::EC2::Volume::Id",
    "AWS::EC2::VPC::Id",
    "AWS::Route53::HostedZone::Id",
    PARAMETER_NAME,
];

/// Types that a snapshot holds when none is named: all but images, which are those of everyone.
pub fn default_kinds() -> impl Iterator<Item = &'static str> {
    ALL_KINDS.into_iter().filter(|&kind| kind != IMAGE)
}
