//! The directory of a template.

use std::path::Path;

/// Returns the directory of a template; the working directory for standard input.
pub fn folder(template: &Path) -> &Path {
    // The parent of `-` is empty.
    template.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
