//! Running other programs, in the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a command; what it prints on standard output goes nowhere.
///
/// # Errors
/// When it cannot be run, or fails.
pub(crate) fn finish(command: &mut Command) -> Result<(), String> {
    let status = command.stdout(Stdio::null()).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}

/// Runs a command, and returns what it prints on standard output.
///
/// # Errors
/// When it cannot be run, or fails.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(format!("{command:?} ended with {}", output.status)) }
}

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}
