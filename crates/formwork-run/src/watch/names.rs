//! Files that editors, interpreters and this program write beside the author's.

use std::path::Path;

/// Directories that are never part of a source.
const OWN: [&str; 4] = [".git", ".formwork", ".aws-sam", "__pycache__"];
const SUFFIXES: [&str; 9] =
    ["~", ".swp", ".swo", ".swx", ".swpx", ".kate-swp", "___jb_tmp___", "___jb_old___", ".crswap"];
const NAMES: [&str; 2] = ["4913", ".DS_Store"];

/// The prefix and suffix of temporary files of this program.
const WRITTEN: (&str, &str) = (".formwork-", ".tmp");

/// Returns `true` for a temporary file of an editor, such as its swap file.
pub(crate) fn is_of_editor(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else { return false };
    let is_written = name.starts_with(WRITTEN.0) && name.ends_with(WRITTEN.1);
    let is_lock = name.starts_with(".#") || name.starts_with('#') && name.ends_with('#') && name.len() > 1;
    is_written || is_lock || NAMES.contains(&&*name) || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

/// Returns `true` if a path below a source leads through a directory that is not part of it.
pub(crate) fn is_own(relative: &Path) -> bool {
    relative.iter().any(|part| OWN.iter().any(|own| part == *own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_editors() {
        for name in [
            ".app.py.swp",
            "app.py~",
            "4913",
            ".#app.py",
            "#app.py#",
            "a/app.py___jb_tmp___",
            ".DS_Store",
            "a/.formwork-x1.tmp",
        ] {
            assert!(is_of_editor(Path::new(name)), "{name}");
        }
        for name in ["app.py", "4913.py", "a#b", "#", "swp", "a/.env"] {
            assert!(!is_of_editor(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn own_directories() {
        assert!(is_own(Path::new(".formwork/build/x")) && is_own(Path::new("a/__pycache__/b.pyc")));
        assert!(!is_own(Path::new("a/.github/b")));
    }
}
