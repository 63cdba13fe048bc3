//! The loader of the files of a project.

use std::path::Path;

use formwork::Limits;
use formwork::disk::Loader;

use crate::failure::Failure;

/// Creates the loader of the files of a project.
///
/// # Errors
/// When the project root cannot be used.
pub fn loader_in(root: &Path) -> Result<Loader, Failure> {
    let unusable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("{}: no such directory\n  help: correct the path", root.display())
        }
        _ => format!("the project root {} cannot be used: {error}", root.display()),
    };
    Ok(Loader::new(root, Limits::default().file_bytes).map_err(unusable)?)
}
