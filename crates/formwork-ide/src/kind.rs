//! The kind of a document, by its content.

use formwork::{FileBytes, has_template_section};

/// The kind of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocumentKind {
    /// A template.
    Template,
    /// A file that templates import: a template that uses the module language and has no use without a parent.
    Module,
    /// A parameters file.
    Parameters,
    /// A test file.
    Test,
    /// `samconfig.toml` or `formwork.toml`.
    Configuration,
}

impl DocumentKind {
    /// Returns the name of the kind in answers of the server; `None` for configuration files.
    pub fn name(self) -> Option<&'static str> {
        match self {
            DocumentKind::Template => Some("template"),
            DocumentKind::Module => Some("module"),
            DocumentKind::Parameters => Some("parameters"),
            DocumentKind::Test => Some("test"),
            DocumentKind::Configuration => None,
        }
    }
}

/// Returns the kind of a file by its name and text; `None` for other files.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "`check` compares them so")]
pub fn kind(name: &str, text: &str) -> Option<DocumentKind> {
    if name.ends_with(".formwork-test.yaml") || name.ends_with(".formwork-test.yml") {
        return Some(DocumentKind::Test);
    }
    if name == "samconfig.toml" || name == "formwork.toml" {
        return Some(DocumentKind::Configuration);
    }
    if name.ends_with(".toml") {
        return None;
    }
    if crate::data_files::parameters::is_parameters(name, text) {
        return Some(DocumentKind::Parameters);
    }
    if has_template_section(&FileBytes::from(text)) {
        let is_module = has_key(text, "ParameterSchema");
        return Some(if is_module { DocumentKind::Module } else { DocumentKind::Template });
    }
    if ["Packages", "Constants"].iter().any(|name| has_key(text, name)) {
        return Some(DocumentKind::Template);
    }
    None
}

/// Returns `true` if a key is at the beginning of a line of YAML, or anywhere as a key of JSON.
fn has_key(text: &str, key: &str) -> bool {
    let is_json = text.trim_start().starts_with('{');
    if is_json {
        return text.contains(&format!("\"{key}\""));
    }
    text.lines().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(':')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_of_no_kind() {
        assert_eq!(kind("a.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n"), None);
        assert_eq!(kind("a.yaml", "Resources:\n  A: {}\n"), Some(DocumentKind::Template));
        assert_eq!(kind("m.yaml", "ParameterSchema: {}\nResources: {}\n"), Some(DocumentKind::Module));
        assert_eq!(kind("a.formwork-test.yaml", ""), Some(DocumentKind::Test));
        assert_eq!(kind("samconfig.toml", ""), Some(DocumentKind::Configuration));
        assert_eq!(
            kind("p.json", "[{\"ParameterKey\": \"A\", \"ParameterValue\": \"b\"}]"),
            Some(DocumentKind::Parameters)
        );
        assert_eq!(kind("c.yaml", "Constants: {A: b}\n"), Some(DocumentKind::Template));
    }
}
