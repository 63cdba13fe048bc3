//! The resource schemas of a run (reference/schemas.md#own).

use std::path::Path;
use std::sync::Arc;

use formwork::ReadError;
use formwork_project::{Failure, FileFailure};
use formwork_schemas::Schemas;

use crate::args::SchemaArgs;
use crate::walk::Walk;

/// Reads the table of the program and the schemas in directories; `None` if `is_left_out`.
///
/// # Errors
/// When a directory or a file cannot be read, or a file is not a schema.
pub fn read(args: &SchemaArgs) -> Result<Option<Arc<Schemas>>, Failure> {
    if args.no_schemas {
        return Ok(None);
    }
    let mut schemas = Schemas::embedded();
    let mut left = Schemas::MOST_OWN_BYTES;
    for directory in &args.schemas {
        add(&mut schemas, directory, &mut left)?;
    }
    Ok(Some(Arc::new(schemas)))
}

fn add(schemas: &mut Schemas, directory: &Path, left: &mut u64) -> Result<(), Failure> {
    if !directory.is_dir() {
        return Err(format!("{}: no such directory", directory.display()).into());
    }
    // The directory was passed on the command line: it is its own root.
    let walk = Walk::new(directory, None, false, Some(directory));
    let mut walk = walk.ok_or_else(|| format!("{} cannot be read", directory.display()))?;
    let mut files: Vec<_> = walk.by_ref().map(|found| found.path).collect();
    if let Some(failure) = walk.unread.into_iter().next() {
        return Err(failure.into());
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")));
    files.sort();
    for path in files {
        // A link in the directory does not lead to files outside of the project.
        let read = walk.loader.read_found(&path).map_err(|error| FileFailure::unread(&path, &error))?;
        let rest = left.checked_sub(read.bytes.len() as u64);
        *left = rest.ok_or_else(|| FileFailure::unread(&path, &ReadError::TooLarge { limit: *left }))?;
        let text = String::from_utf8(read.bytes).map_err(|_| not_a_schema(&path, &"it is not UTF-8"))?;
        schemas.add(&text).map_err(|error| not_a_schema(&path, &error))?;
    }
    Ok(())
}

fn not_a_schema(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    FileFailure::unfit(path, format!("{} is not a schema of a resource type: {reason}", path.display())).into()
}
