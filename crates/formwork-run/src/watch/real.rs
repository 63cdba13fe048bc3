//! Paths as the system reports them.

use std::path::{Path, PathBuf};

/// Returns a path without links, as the system reports it. For a missing path, the links in its existing part are
/// resolved.
pub fn real_path(path: &Path) -> PathBuf {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in full.ancestors() {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), full.strip_prefix(above)) {
            // Joined with an empty path, a path would end in a slash.
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_are_not_there_are_real_as_far_as_they_go() {
        let directory = std::env::temp_dir().canonicalize().expect("a directory");
        assert_eq!(real_path(&directory), directory);
        assert_eq!(real_path(&directory.join("none-such/deep")), directory.join("none-such/deep"));
    }
}
