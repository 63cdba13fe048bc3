//! Paths relative to the root of a repository, for services that annotate its files.

use std::path::{Path, PathBuf};

use formwork::disk::{project_root, without_dots};

use crate::folder::folder;

/// The root of the repository that contains a directory; the directory itself outside of a repository.
pub struct Repository {
    root: PathBuf,
    directory: PathBuf,
}

impl Repository {
    /// Finds the root of the working directory's repository.
    pub fn of_working_directory() -> Repository {
        Repository::around(std::env::current_dir().unwrap_or_default())
    }

    fn around(directory: PathBuf) -> Repository {
        let root =
            directory.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(&directory).to_owned();
        Repository { root, directory }
    }

    /// Returns `true` if a file exists that [`Repository::relative`] names so.
    pub fn has(&self, relative: &str) -> bool {
        self.root.join(relative).exists() || self.directory.join(relative).exists()
    }

    /// Returns the path of a file from the root, with `/`; a file outside of it keeps its path.
    pub fn relative(&self, path: &str) -> String {
        let parts = without_dots(&self.directory.join(path));
        match parts.strip_prefix(&self.root) {
            Ok(inside) => {
                let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
                parts.join("/")
            }
            Err(_) => Path::new(path).to_string_lossy().into_owned(),
        }
    }
}

/// Returns the root of the repository that a template is in, as a path from the working directory; `None` for standard
/// input, and outside of a repository.
pub fn around(template: &Path) -> Option<PathBuf> {
    if template == Path::new("-") {
        return None;
    }
    let root = project_root(folder(template)).canonicalize().ok()?;
    let working = std::env::current_dir().ok()?.canonicalize().ok()?;
    let up = working.strip_prefix(&root).map(|below| below.components().map(|_| "..").collect::<PathBuf>());
    let shown = match up {
        Ok(up) if up.as_os_str().is_empty() => PathBuf::from("."),
        Ok(up) => up,
        Err(_) => root.clone(),
    };
    root.join(".git").exists().then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root() {
        let repository = Repository { root: "/work".into(), directory: "/work/deep".into() };
        assert_eq!(repository.relative("a/b.yaml"), "deep/a/b.yaml");
        assert_eq!(repository.relative("../c.yaml"), "c.yaml");
        assert_eq!(repository.relative("/work/./d.yaml"), "d.yaml");
        assert_eq!(repository.relative("../../else.yaml"), "../../else.yaml");
        assert_eq!(repository.relative("/tmp/x.yaml"), "/tmp/x.yaml");
    }
}
