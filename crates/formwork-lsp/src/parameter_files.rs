//! The setting `parameterFiles`.

use globset::GlobBuilder;

/// Returns `true` if a path from the workspace directory matches the setting `parameterFiles`. `*` does not match `/`.
pub(crate) fn is_parameter_file(globs: &[String], path: &str) -> bool {
    globs.iter().any(|text| {
        let text = text.strip_prefix("./").unwrap_or(text);
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        text == path || glob.is_ok_and(|glob| glob.compile_matcher().is_match(path))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_below_the_workspace_directory() {
        let globs = ["params/*.json".to_owned(), "./own.yaml".to_owned(), "a[.json".to_owned()];
        for (path, want) in [
            ("params/a.json", true),
            ("params/x/a.json", false),
            ("own.yaml", true),
            ("a[.json", true),
            ("other.json", false),
        ] {
            assert_eq!(is_parameter_file(&globs, path), want, "{path}");
        }
    }
}
