//! Writes the files of `--output-dir`, for the AWS CLI.

use std::path::Path;

use formwork_project::Failure;
use formwork_refactor::{Intermediate, Mapping, write_mappings};
use formwork_run::output;
use serde_json::Value;

/// Writes `STACK.template.json` for each stack, and `resource-mappings.json`.
///
/// # Errors
/// When a file cannot be written.
pub fn write(directory: &Path, sent: &[Intermediate], mappings: &[Mapping]) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|error| output::failed(directory, &error))?;
    for one in sent {
        write_one(&directory.join(format!("{}.template.json", one.stack)), &one.template)?;
    }
    write_one(&directory.join("resource-mappings.json"), &write_mappings(mappings))
}

fn write_one(path: &Path, value: &Value) -> Result<(), Failure> {
    output::write(Some(path), |file| writeln!(file, "{value:#}"))
}
