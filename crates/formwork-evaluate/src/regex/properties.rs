//! `\p{...}` of Java: POSIX and Java classes as sets of ASCII, Unicode ones by their name.

use super::tree::Set;

const ASCII: [(&str, &str); 13] = [
    ("Lower", "a-z"),
    ("Upper", "A-Z"),
    ("Alpha", "a-zA-Z"),
    ("Digit", "0-9"),
    ("Alnum", "a-zA-Z0-9"),
    ("Punct", r"!-/:-@\[-`{-\x7E"),
    ("Graph", r"!-\x7E"),
    ("Print", r" -\x7E"),
    ("Blank", r" \t"),
    ("Cntrl", r"\x00-\x1F\x7F"),
    ("XDigit", "0-9a-fA-F"),
    ("Space", r" \t\n\x0B\f\r"),
    ("ASCII", r"\x00-\x7F"),
];

/// Classes that differ in Java.
const OTHERS: [(&str, &str); 9] = [
    ("javaWhitespace", r" \t\n\x0B\f\r"),
    ("javaLowerCase", r"\p{Lowercase}"),
    ("IsLowercase", r"\p{Lowercase}"),
    ("javaUpperCase", r"\p{Uppercase}"),
    ("IsUppercase", r"\p{Uppercase}"),
    ("javaLetter", r"\p{Alphabetic}"),
    ("IsAlphabetic", r"\p{Alphabetic}"),
    ("javaDigit", r"\p{Nd}"),
    ("IsDigit", r"\p{Nd}"),
];

/// Classes that depend on case.
const CASES: [&str; 10] =
    ["Lower", "Upper", "javaLowerCase", "javaUpperCase", "javaTitleCase", "Lowercase", "Uppercase", "Lu", "Ll", "Lt"];

/// Returns the set with a name; `Err` is the reason why it is not supported.
pub(super) fn property(name: &str, is_negated: bool, ignores_case: bool) -> Result<Set, String> {
    let bare = name.strip_prefix("Is").unwrap_or(name);
    if ignores_case && (CASES.contains(&name) || CASES.contains(&bare)) {
        return Err(format!("the class `\\p{{{name}}}` is not supported where case does not matter"));
    }
    let known = ASCII.iter().chain(&OTHERS).find(|row| row.0 == name).map(|row| row.1.to_owned());
    let prefixes = ["Is", "general_category=", "gc="];
    let unicode = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let is_unicode = !name.starts_with("In")
        && !name.starts_with("java")
        && !unicode.is_empty()
        && unicode.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_=".contains(&byte));
    let plain = known.or_else(|| is_unicode.then(|| format!(r"\p{{{unicode}}}")));
    let plain = plain.ok_or_else(|| format!("the class `\\p{{{name}}}` is not supported"))?;
    Ok(Set { is_negated, others: plain.clone(), plain })
}
