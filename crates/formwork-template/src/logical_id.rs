//! Names of resources, outputs and parameters.

/// Whether a name consists of letters and digits of ASCII only, as CloudFormation requires for logical
/// ids (reference/structure.md#names).
pub fn is_alphanumeric(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// `text` without every character outside `A-Z`, `a-z`, `0-9`: what `&{Id}` puts in
/// (reference/for-each.md#substitution).
pub fn stripped(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}
