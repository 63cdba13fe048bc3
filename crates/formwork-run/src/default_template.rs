//! The template that is used when the command line has none (reference/build.md#built-template).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use formwork::ReadError;
use formwork::disk::{is_inside, open_regular, project_root};
use formwork_build::Built;
use formwork_project::{Failure, FileFailure, ProjectFile, notes};

use crate::folder::folder;
use crate::terminal::say_line;

/// The build directory, relative to the directory of a template.
pub const BUILD: &str = ".formwork/build";
const NAMES: [&str; 3] = ["template.yaml", "template.yml", "template.json"];

pub(crate) fn is_default(name: &OsStr) -> bool {
    NAMES.iter().any(|known| name == *known)
}

/// Maximum number of changed files in a warning; the rest are counted.
const NAMED: usize = 5;

/// Returns the template of the working directory, and prints which one it is.
///
/// # Errors
/// When the directory has no template.
pub fn find() -> Result<PathBuf, Failure> {
    let file = ProjectFile::find().map_err(|failures| Failure::Usage(Failure::of_first(failures).into()))?;
    let root = file.as_ref().and_then(ProjectFile::template_root).unwrap_or(Path::new(""));
    let found = in_root(root);
    let Some(found) = found else {
        let [first, second, third] = NAMES;
        let place = if root.as_os_str().is_empty() { "here".to_owned() } else { format!("in {}", root.display()) };
        return Err(format!(
            "no template is named, and none of {first}, {second} and {third} exists {place}\n  \
             help: name one on the command line"
        )
        .into());
    };
    if let Some(file) = file.as_ref().filter(|file| file.template_root().is_some()) {
        notes::note(&file.path, "template-root");
    }
    refuse_outside(&found)?;
    say_line(&format!("template: {}", found.display()));
    Ok(found)
}

fn in_root(root: &Path) -> Option<PathBuf> {
    NAMES.iter().map(|name| root.join(name)).find(|path| path.symlink_metadata().is_ok())
}

/// Rejects a default template that is not a regular file of the project.
///
/// # Errors
/// When the file cannot be read.
pub fn refuse_outside(found: &Path) -> Result<(), Failure> {
    let unread = |error| {
        let message = FileFailure::unread(found, &error).message;
        Failure::from(format!("{message}\n  help: name the template on the command line"))
    };
    let root = project_root(folder(found)).canonicalize().map_err(|_| unread(ReadError::NotFound))?;
    let real = found.canonicalize().map_err(|_| unread(ReadError::NotFound))?;
    if !is_inside(&root, &real) {
        return Err(unread(ReadError::OutsideRoot));
    }
    open_regular(&real).map(drop).map_err(unread)
}

/// Returns the template that is packaged or deployed by default: the built one if it exists, else that of the working
/// directory. Prints which one it is, and what has changed since it was built.
///
/// # Errors
/// When neither exists.
pub fn built_or_own() -> Result<PathBuf, Failure> {
    let Some(built) = formwork_build::built_template(Path::new(BUILD)) else { return find() };
    let here = std::env::current_dir().and_then(|directory| directory.canonicalize()).unwrap_or_default();
    let source = built.source.strip_prefix(&here).unwrap_or(&built.source);
    say_line(&format!("built template: {}, built from {}", built.template.display(), source.display()));
    warn(&built);
    Ok(built.template)
}

/// Returns the template that the command line names, else that of the working directory.
///
/// # Errors
/// When none is named, and the directory has none.
pub fn named_or_own(named: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    named.map_or_else(find, |named| Ok(named.clone()))
}

/// Returns the template that the command line names, else the built one, else that of the working directory.
///
/// # Errors
/// When none of them exists.
pub fn named_or_built(named: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    named.map_or_else(built_or_own, |named| Ok(named.clone()))
}

/// Returns the template and the word behind it, both of which may be left out. One word alone is the template if it is a
/// file or has the name of one; any other comes after the template of the working directory.
///
/// # Errors
/// When no template is named, and the directory has none.
pub fn before_word(template: Option<&Path>, word: Option<&str>) -> Result<(PathBuf, Option<String>), Failure> {
    let own = |word: &str| Ok((find()?, Some(word.to_owned())));
    match (template, word) {
        (Some(template), Some(word)) => Ok((template.to_owned(), Some(word.to_owned()))),
        (Some(template), None) if is_template(template) => Ok((template.to_owned(), None)),
        (Some(template), None) => own(&template.to_string_lossy()),
        (None, Some(word)) => own(word),
        (None, None) => Ok((find()?, None)),
    }
}

/// Returns whether a word is a template by its name, or since it exists.
fn is_template(word: &Path) -> bool {
    let ending = word.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    word.as_os_str() == "-"
        || ["yaml", "yml", "json", "template"].contains(&ending)
        || word.exists()
        || ProjectFile::names_template(word)
}

/// Returns the template of [`built_or_own`] without printing anything; `None` if it does not exist or may not be read.
pub fn at_hand() -> Option<PathBuf> {
    if let Some(built) = formwork_build::built_template(Path::new(BUILD)) {
        return Some(built.template);
    }
    let file = ProjectFile::find().ok()?;
    let root = file.as_ref().and_then(ProjectFile::template_root).unwrap_or(Path::new(""));
    let found = in_root(root)?;
    refuse_outside(&found).ok().map(|()| found)
}

static WARNED: AtomicBool = AtomicBool::new(false);

/// Warns that an authored file has changed since a template was built from it, unless the changes have been printed.
pub fn warn_of_origin(file: &str) {
    if !WARNED.swap(true, Ordering::Relaxed) {
        notes::warn(format!("{file} changed since it was built: lines are those of the file as it was built"));
    }
}

fn warn(built: &Built) {
    let changed = built.changed();
    if changed.is_empty() {
        return;
    }
    WARNED.store(true, Ordering::Relaxed);
    let mut names = changed.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if changed.len() > NAMED {
        names = format!("{names} and {} more", changed.len() - NAMED);
    }
    say_line(&format!("warning: changed since it was built: {names}; build again with `formwork build`"));
}

/// Returns `true` for a template that a build wrote: the build has warned about the artifacts.
pub fn is_built(template: &Path) -> bool {
    let directory = folder(template);
    formwork_build::built_template(directory).is_some_and(|built| built.template.file_name() == template.file_name())
}

/// Returns the directory of the source of a built template in `folder`, whose configuration is used.
pub fn source_folder(directory: &Path) -> Option<PathBuf> {
    formwork_build::built_template(directory)?.source.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_templates() {
        assert!(["-", "a.yaml", "b/c.template", "src"].into_iter().all(|word| is_template(Path::new(word))));
        assert!(["Bucket", "Resources.Bucket.Type", "FW0201"].into_iter().all(|word| !is_template(Path::new(word))));
    }
}
