//! ARNs.

use super::Wrong;

/// Checks an ARN of a service whose resource begins with `resource`.
pub(super) fn of(text: &str, service: &str, resource: &str, is_not: &'static str) -> Option<Wrong> {
    let parts: Vec<&str> = text.splitn(6, ':').collect();
    let is_account = |account: &str| account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    let is_valid = match parts.as_slice() {
        ["arn", partition, of, _, account, rest] => {
            partition.starts_with("aws")
                && *of == service
                && is_account(account)
                && rest.strip_prefix(resource).is_some_and(|name| !name.is_empty())
        }
        _ => false,
    };
    if is_valid {
        return None;
    }
    let region = if service == "iam" { "" } else { "eu-west-1" };
    let name = if service == "kms" { "key/ID" } else { "NAME" };
    Wrong::new(is_not, format!("arn:aws:{service}:{region}:111122223333:{resource}{name}"))
}
