//! Paths without `.` and `..`.

use std::path::{Component, Path, PathBuf};

/// Returns the path without `.` and `..`, resolved without following links. A relative path that leaves its base keeps
/// the `..` at its start: without them it would be another file.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match clean.components().next_back() {
                Some(Component::Normal(_)) => {
                    clean.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => clean.push(part),
            },
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
        assert_eq!(without("a/b/../.."), "");
    }

    #[test]
    fn what_leads_out_of_a_relative_path_stays() {
        let without = |path: &str| without_dots(Path::new(path)).display().to_string();
        assert_eq!(without("./../a"), "../a");
        assert_eq!(without("a/b/../../../.."), "../..");
    }
}
