//! Finding the project of a template (reference/command-line.md#project-root).

use std::path::{Path, PathBuf};

/// What a project root holds at least one of.
const MARKERS: [&str; 4] = ["formwork.toml", "formwork.lock", "samconfig.toml", ".git"];

/// Returns the project root of a template in `folder`: the nearest directory at or above it that holds
/// `formwork.toml`, `formwork.lock`, `samconfig.toml` or `.git`, else `folder` itself.
pub fn project_root(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(real) = folder.canonicalize() else { return folder.to_owned() };
    // A marker may be a link that leads nowhere: it marks all the same.
    let is_marked = |directory: &&Path| MARKERS.iter().any(|name| directory.join(name).symlink_metadata().is_ok());
    match real.ancestors().find(is_marked) {
        Some(root) if root != real => root.to_owned(),
        _ => folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_marker_wins() {
        let folder = tempfile::tempdir().expect("a directory");
        let base = folder.path().canonicalize().expect("it exists");
        let deep = base.join("a/b/c");
        fs::create_dir_all(&deep).expect("directories");
        fs::create_dir(base.join(".git")).expect("a directory");
        assert_eq!(project_root(&deep), base);
        for (marker, at) in [("formwork.lock", "a"), ("samconfig.toml", "a/b"), ("formwork.toml", "a/b/c")] {
            fs::write(base.join(at).join(marker), "").expect("written");
            assert_eq!(project_root(&deep), base.join(at), "{marker}");
        }
        assert_eq!(project_root(&base.join("missing")), base.join("missing"));
    }
}
