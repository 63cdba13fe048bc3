//! Distinguishing templates from other files of their directories.

use formwork_base::FileBytes;

/// Sections that only templates have. `Parameters`, `Metadata` and `Description` are in other files, too.
const TELLING: [&str; 10] = [
    "AWSTemplateFormatVersion",
    "Resources",
    "Transform",
    "Mappings",
    "Conditions",
    "Rules",
    "Outputs",
    "Modules",
    "Hooks",
    "Globals",
];

/// Returns whether a file in YAML or JSON has a section of a template at its top level, such as `Resources`. It is not
/// parsed: a file with an error is still a template, and everything else is passed over quickly.
pub fn has_template_section(bytes: &FileBytes) -> bool {
    let (text, ..) = formwork_syntax::decode::decode(bytes);
    let text = text.trim_start();
    match text.strip_prefix('{') {
        Some(rest) => has_key(rest),
        None => text.lines().any(|line| is_telling(line.split(':').next().unwrap_or_default()) && line.contains(':')),
    }
}

fn is_telling(key: &str) -> bool {
    TELLING.contains(&key.trim_end().trim_matches(['"', '\'']))
}

/// Whether one of the keys of an object is such a section. `text` begins after its brace.
fn has_key(text: &str) -> bool {
    let (mut depth, mut quote, mut is_escaped, mut start) = (0usize, None, false, 0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some('"'), '\\') => is_escaped = true,
            (Some(mark), _) if mark == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') if depth == 0 => return false,
            (None, '}' | ']') => depth -= 1,
            (None, ',') if depth == 0 => start = at + 1,
            (None, ':') if depth == 0 && is_telling(text[start..at].trim_start()) => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_at_the_top_level() {
        for text in [
            "Resources: {}\n",
            "# a comment\n\"Resources\":\n  A: {}\n",
            "---\nTransform: X\nResources: [\n",
            " {\"Description\": \"a: {\", \"Resources\" : {",
            "{Outputs: {}}",
            "\u{feff}Modules:\n",
        ] {
            assert!(has_template_section(&FileBytes::from(text)), "{text}");
        }
        for text in [
            "",
            "apiVersion: v1\nmetadata:\n  Resources: x\n",
            "{\"Parameters\": {\"Resources\": \"x\"}}",
            "{\"a\": [{\"Resources\": {}}], \"b\": \"\\\"Resources\\\": \"}",
            "[{\"ParameterKey\": \"Resources\"}]",
            "Resources\n",
            "Resources of our team\nare: few\n",
        ] {
            assert!(!has_template_section(&FileBytes::from(text)), "{text}");
        }
    }
}
