//! Names of resources, outputs and parameters.

/// Letters and digits, by their codes: most templates have many names.
const ALPHANUMERIC: [bool; 256] = {
    let (mut table, mut code) = ([false; 256], 0);
    while code < table.len() {
        table[code] = (code as u8).is_ascii_alphanumeric();
        code += 1;
    }
    table
};

/// Returns `true` for a name of ASCII letters and digits only, as CloudFormation requires for logical IDs
/// (reference/structure.md#names).
pub fn is_alphanumeric(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| ALPHANUMERIC[usize::from(byte)])
}

/// Returns `text` without characters outside `A-Z`, `a-z`, `0-9`: the value of `&{Id}`
/// (reference/for-each.md#substitution).
pub fn stripped(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}
