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

/// Whether a name consists of letters and digits of ASCII only, as CloudFormation requires for logical
/// ids (reference/structure.md#names).
pub fn is_alphanumeric(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| ALPHANUMERIC[usize::from(byte)])
}

/// `text` without every character outside `A-Z`, `a-z`, `0-9`: what `&{Id}` puts in
/// (reference/for-each.md#substitution).
pub fn stripped(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}
