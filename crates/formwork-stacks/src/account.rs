//! Accounts in ARNs.

/// Returns the account in the ARN of a stack.
pub fn account_of(stack_id: &str) -> Option<&str> {
    let mut parts = stack_id.split(':');
    (parts.next() == Some("arn")).then(|| parts.nth(3)).flatten().filter(|account| !account.is_empty())
}
