//! Python manifests: requirements files and `pyproject.toml`.

use std::path::{Path, PathBuf};

/// The file that declares which packages a source needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Manifest {
    /// A requirements file.
    Requirements(PathBuf),
    /// The dependencies of a `pyproject.toml`, as lines of a requirements file.
    Project(Vec<String>),
}

/// The manifest of a source: the one that was named, `requirements.txt`, or `pyproject.toml` with dependencies.
pub(crate) fn find(folder: &Path, named: Option<&Path>) -> Option<Manifest> {
    if let Some(path) = named {
        let is_project = path.extension().is_some_and(|end| end == "toml");
        return if is_project { project(path) } else { Some(Manifest::Requirements(path.to_owned())) };
    }
    let requirements = folder.join("requirements.txt");
    if requirements.is_file() {
        Some(Manifest::Requirements(requirements))
    } else {
        project(&folder.join("pyproject.toml"))
    }
}

fn project(path: &Path) -> Option<Manifest> {
    let dependencies = table(path)?.get("project")?.get("dependencies")?.as_array()?.clone();
    let lines: Vec<String> = dependencies.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect();
    (!lines.is_empty()).then_some(Manifest::Project(lines))
}

/// Whether a project uses Poetry.
pub(crate) fn is_poetry(folder: &Path) -> bool {
    let path = folder.join("pyproject.toml");
    let has_tables =
        || table(&path).is_some_and(|table| table.get("tool").is_some_and(|tool| tool.get("poetry").is_some()));
    path.is_file() && (folder.join("poetry.lock").is_file() || has_tables())
}

fn table(path: &Path) -> Option<toml::Table> {
    std::fs::read_to_string(path).ok()?.parse().ok()
}

/// Returns the paths in a requirements file that leave its directory.
pub(crate) fn relative_paths(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text
        .lines()
        .filter_map(|line| {
            let line = line.split(" #").next().unwrap_or_default().trim();
            let options = ["-e", "--editable", "-r", "--requirement", "-c", "--constraint", "-f", "--find-links"];
            let option = options.iter().find_map(|option| line.strip_prefix(option)?.strip_prefix([' ', '=']));
            let value = option.unwrap_or(line).trim();
            let value = value.split_once(" @ ").map_or(value, |(_, address)| address.trim());
            let value = value.strip_prefix("file:").unwrap_or(value);
            let path = value.split(['[', ';', ' ']).next().unwrap_or_default();
            path.starts_with("..").then(|| path.to_owned())
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_found() {
        let text = "requests==2.0\n./inner\n-e ../shared[extra]\n--requirement=../base.txt  # why\n\
                    own @ file:../own ; python_version > '3'\n# ../commented\n";
        assert_eq!(relative_paths(text), ["../base.txt", "../own", "../shared"]);
    }

    #[test]
    fn dependencies_of_a_project_are_requirements() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("pyproject.toml");
        std::fs::write(&path, "[project]\nname = 'x'\ndependencies = ['a>=1', 'b']\n").expect("written");
        let expected = Manifest::Project(vec!["a>=1".to_owned(), "b".to_owned()]);
        assert_eq!(find(folder.path(), None), Some(expected));
        assert!(!is_poetry(folder.path()));
        std::fs::write(&path, "[project]\nname = 'x'\n[tool.poetry]\n").expect("written");
        assert_eq!(find(folder.path(), None), None);
        assert!(is_poetry(folder.path()));
    }
}
