//! Host names of ECR registries.

use crate::pseudo_parameter::of_region;

/// Returns the Region of `ACCOUNT.dkr.ecr.REGION.SUFFIX`, the host of a registry of ECR. The whole name is compared,
/// with the suffix of the Region's partition: a longer host belongs to somebody else.
pub fn ecr_region(host: &str) -> Option<&str> {
    let (account, rest) = host.split_once('.')?;
    let (region, suffix) = rest.strip_prefix("dkr.ecr.")?.split_once('.')?;
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    (is_account && is_region(region) && suffix == of_region(region).1).then_some(region)
}

/// Returns `true` for a name that can be a Region, and so one label of a host: lowercase letters and digits, with
/// hyphens between them.
pub fn is_region(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=63).contains(&name.len()) && name.bytes().all(is_inner) && !name.starts_with('-') && !name.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_whole() {
        for (host, region) in [
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.com", Some("eu-west-1")),
            ("111122223333.dkr.ecr.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("111122223333.dkr.ecr.eusc-de-east-1.amazonaws.eu", Some("eusc-de-east-1")),
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.com.evil.example", None),
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.com.", None),
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.com:443", None),
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.com.cn", None),
            ("111122223333.dkr.ecr.cn-north-1.amazonaws.com", None),
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.community", None),
            ("111122223333.dkr.ecr.evil.example.amazonaws.com", None),
            ("111122223333.dkr.ecr.e@evil.amazonaws.com", None),
            ("evil.example.111122223333.dkr.ecr.eu-west-1.amazonaws.com", None),
            ("x.dkr.ecr.eu-west-1.amazonaws.com", None),
            (".dkr.ecr.eu-west-1.amazonaws.com", None),
            ("111122223333.dkr.ecr..amazonaws.com", None),
            ("registry.example", None),
            ("localhost:5000", None),
        ] {
            assert_eq!(ecr_region(host), region, "{host}");
        }
    }

    #[test]
    fn regions_are_one_label() {
        assert!(is_region("eu-west-1") && is_region("us-iso-east-1"));
        for name in ["", "eu.evil.example", "evil.example/#", "a@b", "-a", "a-", "EU", "a\n"] {
            assert!(!is_region(name), "{name}");
        }
    }
}
