//! Files that a search skips (reference/command-line.md#exclude).

use std::path::{Path, PathBuf};

use formwork::disk::without_dots;
use formwork_project::Failure;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder, escape};

/// The patterns of `--exclude`.
#[derive(Debug, Default)]
pub struct Excluded {
    /// Patterns without a separator, matched with the name of a file or of one of its directories.
    names: GlobSet,
    /// Patterns with a separator, matched with the absolute path of a file or of one of its directories.
    paths: GlobSet,
    /// The working directory, the base of patterns with a separator.
    base: PathBuf,
}

impl Excluded {
    /// Parses patterns; each string may have several, separated by commas.
    ///
    /// # Errors
    /// When a pattern is invalid.
    pub fn new(patterns: &[String]) -> Result<Excluded, Failure> {
        let base = std::env::current_dir().unwrap_or_default();
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in patterns.iter().flat_map(|text| split(text)) {
            let failed = |error: &globset::Error| format!("--exclude: {text} is not a pattern: {}", error.kind());
            let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
            let without_end = text.trim_end_matches(['/', std::path::MAIN_SEPARATOR]);
            if without_end.contains(['/', std::path::MAIN_SEPARATOR]) {
                let from_base = from(&base, without_end);
                paths.add(glob(&from_base).map_err(|error| failed(&error))?);
            } else if !without_end.is_empty() {
                names.add(glob(without_end).map_err(|error| failed(&error))?);
            }
        }
        let built = |set: GlobSetBuilder| set.build().map_err(|error| format!("--exclude: {}", error.kind()));
        Ok(Excluded { names: built(names)?, paths: built(paths)?, base })
    }

    /// Returns `true` when a file found below the directory `searched` is excluded.
    pub fn contains(&self, path: &Path, searched: &Path) -> bool {
        if self.names.is_empty() && self.paths.is_empty() {
            return false;
        }
        let below = path.strip_prefix(searched).unwrap_or(path);
        let mut names = below.iter().filter(|name| *name != "." && *name != "..");
        names.any(|name| self.names.is_match(name)) || {
            let path = without_dots(&self.base.join(path));
            path.ancestors().any(|path| self.paths.is_match(path))
        }
    }
}

/// Rewrites the pattern of a file in a directory, which may be relative, as one relative to the working directory. A
/// pattern without a separator is unchanged.
pub fn of_file_in(directory: &Path, pattern: &str) -> String {
    let is_name = !pattern.trim_end_matches('/').contains('/');
    if is_name || Path::new(pattern).is_absolute() {
        return pattern.to_owned();
    }
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    format!("{}/{}", escape(&directory.to_string_lossy()), pattern.trim_start_matches("./"))
}

/// Makes a pattern absolute. Special characters of the directory are escaped.
fn from(directory: &Path, mut pattern: &str) -> String {
    if Path::new(pattern).is_absolute() {
        return pattern.to_owned();
    }
    let mut directory = directory.to_owned();
    loop {
        if let Some(rest) = pattern.strip_prefix("./") {
            pattern = rest;
        } else if let Some(rest) = pattern.strip_prefix("../") {
            directory.pop();
            pattern = rest;
        } else {
            return format!("{}/{pattern}", escape(&directory.to_string_lossy()));
        }
    }
}

/// Splits at commas that are not inside braces.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_excluded(pattern: &str, path: &str) -> bool {
        Excluded::new(&[pattern.to_owned()]).expect("a pattern").contains(Path::new(path), Path::new("."))
    }

    #[test]
    fn a_name_is_excluded_wherever_it_is_and_a_path_from_the_working_directory() {
        for (pattern, path) in [
            ("old", "old/a.yaml"),
            ("old/", "deep/old/er/a.yaml"),
            ("a.yaml", "deep/a.yaml"),
            ("*.json", "deep/a.json"),
            ("deep/old", "deep/old/a.yaml"),
            ("./deep", "deep/a.yaml"),
            ("deep/**", "deep/er/a.yaml"),
            ("deep/*.yaml", "./deep/a.yaml"),
            ("**/er/*.yaml", "deep/er/a.yaml"),
            ("x, old", "old/a.yaml"),
            ("*.{json,yml}", "a.yml"),
        ] {
            assert!(is_excluded(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("old", "older/a.yaml"),
            ("./deep", "er/deep/a.yaml"),
            ("er/old", "deep/er/old/a.yaml"),
            ("deep/*.yaml", "deep/er/a.yaml"),
            ("*.{json,yml}", "a.yaml"),
            ("", "a.yaml"),
        ] {
            assert!(!is_excluded(pattern, path), "{pattern} {path}");
        }
        assert!(Excluded::new(&["[".to_owned()]).is_err());
    }

    #[test]
    fn names_above_the_searched_directory_do_not_count() {
        let excluded = Excluded::new(&["old".to_owned()]).expect("a pattern");
        assert!(!excluded.contains(Path::new("/old/a/b.yaml"), Path::new("/old/a")));
        assert!(excluded.contains(Path::new("/x/a/old/b.yaml"), Path::new("/x/a")));
    }

    #[test]
    fn a_pattern_of_a_directory_is_taken_from_it() {
        for (directory, pattern, path) in [
            ("/a[b]", "./old/*.yaml", "/a[b]/old/a.yaml"),
            ("", "old/*.yaml", "old/a.yaml"),
            (".", "./old", "old/a.yaml"),
            ("..", "old/*.yaml", "../old/a.yaml"),
            ("..", "old/", "x/old/a.yaml"),
            ("/a", "/b/*.yaml", "/b/a.yaml"),
        ] {
            let pattern = of_file_in(Path::new(directory), pattern);
            assert!(is_excluded(&pattern, path), "{pattern} {path}");
        }
    }
}
