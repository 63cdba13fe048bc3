//! What a program costs as a whole process.

use std::fs::File;
use std::io::{Read, Seek};
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
    let error = |error: std::io::Error| format!("{} cannot be run: {error}", program.display());
    let mut child = Command::new(program)
        .args(words)
        .args(input)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(error)?;
    let used = child.wait4().map_err(error)?;
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Run { cpu_ms: cpu.as_secs_f64() * 1e3, memory: used.rusage.maxrss })
}

/// Whether a program that is run in a directory prints one of some words, whatever its end is.
pub(super) fn prints(
    program: &Path,
    arguments: &[&str],
    input: &Path,
    folder: &Path,
    words: &[&str],
) -> Result<bool, String> {
    let error = |error: std::io::Error| format!("{} cannot be run: {error}", program.display());
    // Not in the memory of this process, which is counted as that of those that it starts.
    let mut printed = tempfile::tempfile().map_err(error)?;
    let both = [&printed, &printed].map(File::try_clone);
    let [output, messages] = both;
    Command::new(program)
        .args(arguments)
        .arg(input)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output.map_err(error)?)
        .stderr(messages.map_err(error)?)
        .status()
        .map_err(error)?;
    printed.rewind().map_err(error)?;
    let overlap = words.iter().map(|words| words.len()).max().unwrap_or(0);
    let (mut part, mut kept) = (vec![0; 64 << 10], 0);
    loop {
        let read = printed.read(&mut part[kept..]).map_err(error)?;
        let text = &part[..kept + read];
        if words.iter().any(|words| memchr::memmem::find(text, words.as_bytes()).is_some()) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        let end = kept + read;
        kept = end.min(overlap);
        part.copy_within(end - kept..end, 0);
    }
}

/// Runs a program in a directory to its end; its output goes to `output`.
pub(super) fn run(program: &Path, words: &[&str], input: &Path, folder: &Path, output: Stdio) -> Result<Run, String> {
    let error = |error: std::io::Error| format!("{} cannot be run: {error}", program.display());
    let mut child = Command::new(program)
        .args(words)
        .arg(input)
        .arg("--quiet")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .spawn()
        .map_err(error)?;
    let used = child.wait4().map_err(error)?;
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
