//! Python manifests: requirements files and `pyproject.toml`.

use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Manifest {
    Requirements(PathBuf),
    /// The dependencies of a `pyproject.toml`, as lines of a requirements file.
    Project(Vec<String>),
}

/// Finds the manifest of a source: the one in `named`, `requirements.txt`, or `pyproject.toml` with dependencies.
pub(crate) fn find(directory: &Path, named: Option<&Path>) -> Option<Manifest> {
    if let Some(path) = named {
        let is_project = path.extension().is_some_and(|end| end == "toml");
        return if is_project { project(path) } else { Some(Manifest::Requirements(path.to_owned())) };
    }
    let requirements = directory.join("requirements.txt");
    if requirements.is_file() {
        Some(Manifest::Requirements(requirements))
    } else {
        project(&directory.join("pyproject.toml"))
    }
}

fn project(path: &Path) -> Option<Manifest> {
    let dependencies = table(path)?.get("project")?.get("dependencies")?.as_array()?.clone();
    let lines: Vec<String> = dependencies.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect();
    (!lines.is_empty()).then_some(Manifest::Project(lines))
}

pub(crate) fn is_poetry(directory: &Path) -> bool {
    let path = directory.join("pyproject.toml");
    let has_tables =
        || table(&path).is_some_and(|table| table.get("tool").is_some_and(|tool| tool.get("poetry").is_some()));
    path.is_file() && (directory.join("poetry.lock").is_file() || has_tables())
}

fn table(path: &Path) -> Option<toml::Table> {
    std::fs::read_to_string(path).ok()?.parse().ok()
}

/// Returns the lines of a requirements file without comments and continuation marks; some may be empty.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    lines.map(|line| {
        let line = if line.trim_start().starts_with('#') { "" } else { line };
        let line = line.split(" #").next().unwrap_or_default().split("\t#").next().unwrap_or_default();
        line.trim().trim_end_matches('\\').trim_end()
    })
}

/// Returns `true` when a requirements file lists a package, or a file or project that may.
pub(crate) fn is_any(text: &str) -> bool {
    lines(text).any(|line| !line.is_empty() && (!line.starts_with('-') || is_named(line)))
}

/// Returns `true` when the requirements have the same meaning in every directory: none is a relative path inside of it.
pub(crate) fn is_independent(text: &str) -> bool {
    let is_elsewhere = |value: &str| value.starts_with("..") || value.contains("://") && !value.starts_with("file:");
    lines(text).all(|line| {
        if let Some(value) = file_option(line) {
            return is_elsewhere(value.trim());
        }
        if line.starts_with('-') {
            // Short options may be written without a space: `-rbase.txt`.
            return line.starts_with("--") && !is_named(line) || line.starts_with("-i ");
        }
        let (name, address) =
            line.split_once(" @ ").map_or((line, None), |(name, address)| (name, Some(address.trim())));
        let word = name.split(['[', ';', ' ', '=', '<', '>', '~', '!']).next().unwrap_or_default();
        let is_file = word.contains(['/', '\\', '@'])
            || word.starts_with("file:")
            || word.starts_with('.')
            || [".whl", ".zip", ".gz"].iter().any(|end| name.contains(end));
        match address {
            Some(address) => is_elsewhere(address),
            None => is_elsewhere(line) || !is_file,
        }
    })
}

/// Returns `true` for an option that refers to a requirements file or a project.
fn is_named(line: &str) -> bool {
    ["-r", "--requirement", "-e", "--editable"].iter().any(|option| line.starts_with(option))
}

/// Returns the value of an option that refers to files.
fn file_option(line: &str) -> Option<&str> {
    let options = ["-e", "--editable", "-r", "--requirement", "-c", "--constraint", "-f", "--find-links"];
    options.iter().find_map(|option| line.strip_prefix(option)?.strip_prefix([' ', '=']))
}

/// Returns the paths in a requirements file that leave its directory.
pub(crate) fn relative_paths(text: &str) -> Vec<String> {
    let mut found: Vec<String> = lines(text)
        .filter_map(|line| {
            let value = file_option(line).unwrap_or(line).trim();
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
    fn a_manifest_may_ask_for_nothing() {
        for nothing in
            ["", "\n\n", "# requests\n  # more", "\u{feff}# x\n", "--index-url https://x\n-i https://y\n", "-c c.txt"]
        {
            assert!(!is_any(nothing), "{nothing:?}");
        }
        for some in ["requests", "# x\n\nrequests # y", "-r base.txt", "-rbase.txt", "--requirement=b", "-e .", "./x"] {
            assert!(is_any(some), "{some:?}");
        }
    }

    #[test]
    fn requirements_with_files_of_their_directory_are_not_shared() {
        for shared in [
            "requests[socks]==2.0 ; python_version > '3'\nboto3~=1.0 \\\n  --hash=sha256:00",
            "--index-url https://x/simple\n-i https://y\nown @ https://x/own-1.0.whl",
            "../wheels/own-1.0-py3-none-any.whl\n-r ../base.txt\n--find-links=../wheels\n-e git+https://x/y",
            "https://x/own-1.0.tar.gz\nown @ ../own\na>=1,<2",
        ] {
            assert!(is_independent(shared), "{shared}");
        }
        for own in [
            "./own",
            "wheels/own-1.0-py3-none-any.whl",
            "own-1.0-py3-none-any.whl",
            "own.zip",
            "-r base.txt",
            "-rbase.txt",
            "--requirement base.txt",
            "-c constraints.txt",
            "-e .",
            "own @ file:own",
            "own @ file:///own",
            "file:own",
            "own @ ./own",
            "-f wheels",
            "own.tar.gz",
            "own@./own",
        ] {
            assert!(!is_independent(own), "{own}");
        }
    }

    #[test]
    fn dependencies_of_a_project_are_requirements() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("pyproject.toml");
        std::fs::write(&path, "[project]\nname = 'x'\ndependencies = ['a>=1', 'b']\n").expect("written");
        let expected = Manifest::Project(vec!["a>=1".to_owned(), "b".to_owned()]);
        assert_eq!(find(directory.path(), None), Some(expected));
        assert!(!is_poetry(directory.path()));
        std::fs::write(&path, "[project]\nname = 'x'\n[tool.poetry]\n").expect("written");
        assert_eq!(find(directory.path(), None), None);
        assert!(is_poetry(directory.path()));
    }
}
