//! Instructions of a run, which other load does not change: `valgrind --tool=callgrind`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Counts the instructions of one run of a program in a directory, whatever its end.
///
/// # Errors
/// When valgrind is not installed, or reports no count.
pub(super) fn count(program: &Path, words: &[&str], input: Option<&Path>, folder: &Path) -> Result<u64, String> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args(words).args(input);
    valgrind.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    let output = valgrind.output().map_err(|error| format!("valgrind cannot be run: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    let line = report.lines().find_map(|line| line.split_once("Collected : ").map(|(_, count)| count.trim()));
    let count = line.and_then(|count| count.parse().ok());
    count.ok_or_else(|| format!("valgrind counted nothing: {report}"))
}
