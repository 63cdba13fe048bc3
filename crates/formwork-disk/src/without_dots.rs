//! Paths without detours.

use std::path::{Component, Path, PathBuf};

/// Returns the path without `.` and `..`, resolved without looking at links.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_and_the_root_is_not_left() {
        let without = |path: &str| without_dots(Path::new(path)).display().to_string();
        assert_eq!(without("/a/./b/../c"), "/a/c");
        assert_eq!(without("/../a"), "/a");
        assert_eq!(without("a/b/../../.."), "");
    }
}
