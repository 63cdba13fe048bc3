//! What a program costs as a whole process.

use std::path::Path;
use std::process::{Command, Stdio};

use wait4::Wait4;

/// One run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// User and system time, in milliseconds.
    pub(super) cpu_ms: f64,
    /// Peak resident memory, in bytes. Linux counts that of the process that started it, too, until
    /// the program takes its place: never less than what this program holds, about 4 MiB.
    pub(super) memory: u64,
}

/// Runs a program in a directory to its end, whatever that is, and looks at no output: it may report errors.
pub(super) fn run_to_any_end(
    program: &Path,
    words: &[&str],
    input: Option<&Path>,
    folder: &Path,
) -> Result<Run, String> {
    let trouble = |error: std::io::Error| format!("{} cannot be run: {error}", program.display());
    let mut child = Command::new(program)
        .args(words)
        .args(input)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(trouble)?;
    let used = child.wait4().map_err(trouble)?;
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Run { cpu_ms: cpu.as_secs_f64() * 1e3, memory: used.rusage.maxrss })
}

/// What a program prints that is run in a directory, whatever its end is.
pub(super) fn printed_by(program: &Path, words: &[&str], input: &Path, folder: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    let output = command.args(words).arg(input).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

/// Runs a program in a directory to its end; its output goes to `output`.
pub(super) fn run(program: &Path, words: &[&str], input: &Path, folder: &Path, output: Stdio) -> Result<Run, String> {
    let trouble = |error: std::io::Error| format!("{} cannot be run: {error}", program.display());
    let mut child = Command::new(program)
        .args(words)
        .arg(input)
        .arg("--quiet")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .spawn()
        .map_err(trouble)?;
    let used = child.wait4().map_err(trouble)?;
    if !used.status.success() {
        return Err(format!(
            "{} {} {} ended with {}",
            program.display(),
            words.join(" "),
            input.display(),
            used.status
        ));
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Run { cpu_ms: cpu.as_secs_f64() * 1e3, memory: used.rusage.maxrss })
}
