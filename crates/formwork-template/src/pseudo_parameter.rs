//! Pseudo parameters.

/// A parameter that CloudFormation itself declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PseudoParameter {
    /// `AWS::AccountId`
    AccountId,
    /// `AWS::NotificationARNs`, a list.
    NotificationArns,
    /// `AWS::NoValue`
    NoValue,
    /// `AWS::Partition`
    Partition,
    /// `AWS::Region`
    Region,
    /// `AWS::StackId`
    StackId,
    /// `AWS::StackName`
    StackName,
    /// `AWS::URLSuffix`
    UrlSuffix,
}

impl PseudoParameter {
    /// All pseudo parameters.
    pub const ALL: [PseudoParameter; 8] = [
        PseudoParameter::AccountId,
        PseudoParameter::NotificationArns,
        PseudoParameter::NoValue,
        PseudoParameter::Partition,
        PseudoParameter::Region,
        PseudoParameter::StackId,
        PseudoParameter::StackName,
        PseudoParameter::UrlSuffix,
    ];

    /// Returns the name, such as `AWS::Region`.
    pub fn name(self) -> &'static str {
        match self {
            PseudoParameter::AccountId => "AWS::AccountId",
            PseudoParameter::NotificationArns => "AWS::NotificationARNs",
            PseudoParameter::NoValue => "AWS::NoValue",
            PseudoParameter::Partition => "AWS::Partition",
            PseudoParameter::Region => "AWS::Region",
            PseudoParameter::StackId => "AWS::StackId",
            PseudoParameter::StackName => "AWS::StackName",
            PseudoParameter::UrlSuffix => "AWS::URLSuffix",
        }
    }

    /// Parses a name such as `AWS::Region`.
    pub fn from_name(name: &str) -> Option<PseudoParameter> {
        if !name.starts_with("AWS::") {
            return None;
        }
        PseudoParameter::ALL.into_iter().find(|pseudo| pseudo.name() == name)
    }

    /// Returns the command-line option that sets it.
    pub fn option(self) -> String {
        match self {
            PseudoParameter::AccountId => "--account-id ID".into(),
            PseudoParameter::Partition => "--partition NAME".into(),
            PseudoParameter::Region => "--region NAME".into(),
            PseudoParameter::StackName => "--stack-name NAME".into(),
            other => format!("--pseudo {}=VALUE", other.name()),
        }
    }
}

/// Returns the command-line option that passes a value to the parameter `name`, with an example of a list or of a
/// single value.
pub fn parameter_option(name: &str, is_list: bool) -> String {
    format!("--parameter-overrides {name}={}", if is_list { "a,b" } else { "VALUE" })
}

/// Returns the partition and the URL suffix of a Region (reference/parameters.md#pseudo).
pub fn of_region(region: &str) -> (&'static str, &'static str) {
    const PREFIXES: [(&str, &str, &str); 3] = [
        ("cn-", "aws-cn", "amazonaws.com.cn"),
        ("us-gov-", "aws-us-gov", "amazonaws.com"),
        ("eusc-", "aws-eusc", "amazonaws.eu"),
    ];
    let found = PREFIXES.iter().find(|(prefix, ..)| region.starts_with(prefix));
    found.map_or(("aws", "amazonaws.com"), |&(_, partition, suffix)| (partition, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions() {
        assert_eq!(of_region("eu-west-1"), ("aws", "amazonaws.com"));
        assert_eq!(of_region("cn-north-1"), ("aws-cn", "amazonaws.com.cn"));
        assert_eq!(of_region("us-gov-east-1"), ("aws-us-gov", "amazonaws.com"));
        assert_eq!(of_region("eusc-de-east-1"), ("aws-eusc", "amazonaws.eu"));
    }
}
