//! The directory of a new project.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;

use formwork::disk::replace;

use crate::failure::Failure;

const MOST: usize = 128;

/// Checks that a project can be created: the directory does not exist, or contains only a repository. A link is
/// rejected, since it may lead anywhere (reference/command-line.md#trust).
///
/// # Errors
/// When it is a file or a link, contains files, or cannot be read.
pub(super) fn check(directory: &Path) -> Result<(), Failure> {
    let name = directory.display();
    let Ok(found) = fs::symlink_metadata(directory) else { return Ok(()) };
    if found.is_symlink() {
        return Err(format!("{name} is a link\n  help: name the directory it leads to with `--name DIR`").into());
    }
    if !directory.is_dir() {
        return Err(format!("{name} is not a directory\n  help: name another one with `--name DIR`").into());
    }
    let entries = fs::read_dir(directory).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let is_repository = |name: &OsStr| name == ".git";
    if entries.flatten().any(|entry| !is_repository(&entry.file_name())) {
        return Err(format!("{name} is not empty\n  help: name another directory with `--name DIR`").into());
    }
    Ok(())
}

/// Writes the files of a project, each completely, and their directories.
///
/// # Errors
/// When one cannot be written.
pub(super) fn fill(directory: &Path, files: impl Iterator<Item = (&'static str, String)>) -> Result<usize, Failure> {
    let mut count = 0;
    for (name, text) in files {
        let path = directory.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| replace(&path, |file| file.write_all(text.as_bytes())))
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        count += 1;
    }
    Ok(count)
}

/// The stack name for the project in a directory: letters, digits and hyphens, a letter first.
pub(super) fn stack_name(directory: &Path) -> Option<String> {
    let real = directory.canonicalize();
    let name = real.as_deref().unwrap_or(directory).file_name()?.to_string_lossy();
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).trim_end_matches('-');
    (!name.is_empty()).then(|| name.chars().take(MOST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_stacks() {
        for (directory, expected) in [
            ("shop", Some("shop")),
            ("a/My_shop.v2", Some("My-shop-v2")),
            ("7-days!", Some("days")),
            ("größe", Some("gr--e")),
            ("123", None),
        ] {
            assert_eq!(stack_name(Path::new(directory)).as_deref(), expected, "{directory}");
        }
        assert_eq!(stack_name(Path::new(&"x".repeat(200))).map(|name| name.len()), Some(MOST));
    }
}
