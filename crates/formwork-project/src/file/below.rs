//! Paths in a configuration file.

use std::path::{Component, Path, PathBuf};

/// A path that leaves the directory of the file in which it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeavesDirectory(pub String);

impl std::fmt::Display for LeavesDirectory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not below the directory of {}", self.0, super::FILE_NAME)
    }
}

impl std::error::Error for LeavesDirectory {}

/// Returns the path `name` relative to the directory of `file`. The path must stay in that directory, also when links
/// are followed.
///
/// # Errors
/// When it leaves the directory.
pub fn below(file: &Path, name: &str) -> Result<PathBuf, LeavesDirectory> {
    let own = file.parent().filter(|directory| !directory.as_os_str().is_empty());
    let leaves = || LeavesDirectory(name.to_owned());
    let mut depth = 0_usize;
    for component in Path::new(name).components() {
        depth = match component {
            Component::Normal(_) => depth + 1,
            Component::CurDir => depth,
            Component::ParentDir => depth.checked_sub(1).ok_or_else(leaves)?,
            Component::RootDir | Component::Prefix(_) => return Err(leaves()),
        };
    }
    let path = own.map_or_else(|| PathBuf::from(name), |own| own.join(name));
    let real = |path: &Path| path.canonicalize().ok();
    match (real(&path), real(own.unwrap_or(Path::new(".")))) {
        (Some(path), Some(own)) if !path.starts_with(&own) => Err(leaves()),
        _ => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_directory() {
        let file = Path::new("/nowhere/formwork.toml");
        for name in ["infra", "./infra/../other", "."] {
            assert_eq!(below(file, name), Ok(Path::new("/nowhere").join(name)), "{name}");
        }
        assert_eq!(below(Path::new("formwork.toml"), "infra"), Ok(PathBuf::from("infra")));
        for name in ["..", "infra/../..", "/etc", "../other"] {
            let error = below(file, name).expect_err(name).to_string();
            assert!(error.contains("is not below the directory of formwork.toml"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_leave_it_either() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("formwork.toml");
        std::fs::create_dir(directory.path().join("inside")).expect("a directory");
        std::os::unix::fs::symlink("inside", directory.path().join("to-inside")).expect("a link");
        std::os::unix::fs::symlink("/", directory.path().join("outside")).expect("a link");
        assert!(below(&file, "to-inside").is_ok());
        assert!(below(&file, "outside").is_err() && below(&file, "outside/etc").is_err());
    }
}
