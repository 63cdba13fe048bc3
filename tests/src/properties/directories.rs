//! A directory is packaged whatever is in it, or rejected with a message; the same content results in the same object, and
//! other content another one.

use std::fs;
use std::path::Path;

use formwork::Goal;
use formwork_upload::Symlinks;

use super::Verdict;
use crate::generate::Item;
use crate::packaging::{Project, files};
use crate::words;

const TEMPLATE: &str = "Resources:
  F: {Type: 'AWS::Lambda::Function', Properties: {Code: ./dir, Role: r, Handler: h, Runtime: python3.13}}
";

/// The law for one directory.
///
/// # Errors
/// In words.
pub fn directories(items: &[(String, Item)]) -> Verdict {
    for symlinks in [Symlinks::Follow, Symlinks::Keep] {
        let first = package(items, symlinks, false)?;
        let again = package(items, symlinks, true)?;
        if first != again {
            return Err(format!("{symlinks:?}: {first:?}, written in another order {again:?}\n{items:#?}"));
        }
        let mut added = items.to_vec();
        added.push(("zz-new".to_owned(), Item::File("new".to_owned(), false)));
        let other = package(&added, symlinks, false)?;
        if first.is_ok() && other == first {
            return Err(format!("{symlinks:?}: one more file results in the same object\n{items:#?}"));
        }
    }
    Ok(())
}

/// The packaged template, or the messages.
fn package(items: &[(String, Item)], symlinks: Symlinks, backwards: bool) -> Result<Result<String, String>, String> {
    let words = |error: std::io::Error| error.to_string();
    let project = Project::new(&files(&[("template.yaml", TEMPLATE)])).map_err(words)?;
    let root = project.folder().join("dir");
    let is_directory = |item: &Item| *item == Item::Directory;
    for (path, _) in items.iter().filter(|(_, item)| is_directory(item)) {
        fs::create_dir_all(root.join(path)).map_err(words)?;
    }
    let mut others: Vec<&(String, Item)> = items.iter().filter(|(_, item)| !is_directory(item)).collect();
    if backwards {
        others.reverse();
    }
    for (path, item) in others {
        write(&root.join(path), item).map_err(words)?;
    }
    let prepared = project.prepare("template.yaml", &words::Request::new(Goal::Package), symlinks)?;
    if prepared.has_errors() {
        return Ok(Err(project.messages(&prepared, false)));
    }
    String::from_utf8(prepared.text).map(Ok).map_err(|error| error.to_string())
}

fn write(path: &Path, item: &Item) -> std::io::Result<()> {
    match item {
        Item::Directory => Ok(()),
        Item::File(text, is_executable) => {
            fs::write(path, text)?;
            if *is_executable { make_executable(path) } else { Ok(()) }
        }
        Item::Link(target) => link(target, path),
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> std::io::Result<()> {
    Ok(())
}
