//! IDs and names.

use super::Wrong;

/// Checks an ID of EC2: a prefix, and 8 or 17 hexadecimal digits.
pub(super) fn id(text: &str, prefix: &str, is_not: &'static str) -> Option<Wrong> {
    // A parameter of Systems Manager that EC2 resolves.
    if text.starts_with("resolve:ssm:") {
        return None;
    }
    let digits = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
    let is_valid =
        |digits: &str| [8, 17].contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if digits.is_some_and(is_valid) {
        return None;
    }
    Wrong::new(is_not, format!("{prefix}- with 8 or 17 hexadecimal digits behind it"))
}

pub(super) fn bucket(text: &str) -> Option<Wrong> {
    let is_not = "the name of a bucket";
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let has_ends =
        bytes.first().is_some_and(|&byte| is_letter(byte)) && bytes.last().is_some_and(|&byte| is_letter(byte));
    let is_valid = |byte: &u8| is_letter(*byte) || matches!(byte, b'.' | b'-');
    if !(3..=63).contains(&bytes.len()) {
        return Wrong::new(is_not, "3 to 63 characters");
    }
    if !has_ends || !bytes.iter().all(is_valid) || text.contains("..") {
        return Wrong::new(is_not, "lower case letters, digits, hyphens and dots, with a letter or digit at both ends");
    }
    text.parse::<std::net::Ipv4Addr>().is_ok().then(|| Wrong::new(is_not, "a name that is not an IP address")).flatten()
}

pub(super) fn log_group(text: &str) -> Option<Wrong> {
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b'#');
    // Some properties take the ARN as well.
    if text.starts_with("arn:") || (1..=512).contains(&text.len()) && text.bytes().all(is_valid) {
        return None;
    }
    Wrong::new("the name of a log group", "letters, digits and `.-_/#`")
}

pub(super) fn email(text: &str) -> Option<Wrong> {
    let is_part = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    let is_domain =
        |domain: &str| domain.contains('.') && domain.split('.').all(is_part) && !domain.contains(['@', ',', ';']);
    if text.split_once('@').is_some_and(|(name, domain)| is_part(name) && is_domain(domain)) {
        return None;
    }
    Wrong::new("an e-mail address", "one e-mail address, such as ops@example.com")
}
