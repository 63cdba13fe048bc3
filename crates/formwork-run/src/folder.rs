//! The directory of a template.

use std::path::Path;

/// Returns the directory of a template; the working directory for standard input.
pub fn folder(template: &Path) -> &Path {
    // The parent of `-` is empty.
    template.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the prefix with which paths below a directory, as typed, are shown.
pub(crate) fn display_prefix(directory: &Path) -> String {
    match directory.to_string_lossy() {
        directory if directory.is_empty() => String::new(),
        directory if directory.ends_with('/') => directory.into_owned(),
        directory => format!("{directory}/"),
    }
}
