//! Runs a tool in a process group of its own, with its output in a log (reference/build.md#logs).

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::build_error::BuildError;
use crate::watcher::Watcher;

/// The time that tools have to end after a signal, before they are killed.
const GRACE: Duration = Duration::from_secs(2);
/// The time to wait for processes that were killed: they may be in the middle of writing a file.
const DYING: Duration = Duration::from_millis(100);
/// The first interval at which a run checks what it waits for; later ones are longer.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(20);
/// Maximum size of the tool output that is shown, in bytes.
const TAIL_BYTES: u64 = 16 * 1024;
const TAIL_LINES: usize = 12;

#[derive(Debug)]
pub(crate) struct Command {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    directory: PathBuf,
}

impl Command {
    pub(crate) fn new(program: impl Into<PathBuf>, directory: impl Into<PathBuf>) -> Command {
        let (program, directory) = (program.into(), directory.into());
        Command { program, arguments: Vec::new(), environment: Vec::new(), directory }
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Command {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Command {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    fn name(&self) -> String {
        self.program.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn line(&self) -> String {
        let words = self.arguments.iter().map(|word| word.to_string_lossy().into_owned());
        let mut line = self.name();
        for mut word in words {
            line.push(' ');
            if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "'\"$&|;<>()*?".contains(c)) {
                word = format!("'{}'", word.replace('\'', "'\\''"));
            }
            line.push_str(&word);
        }
        line
    }
}

#[derive(Debug)]
pub(crate) struct Runner<'r> {
    pub(crate) log: PathBuf,
    pub(crate) interrupt: &'r AtomicBool,
    pub(crate) watcher: &'r Watcher,
}

impl Runner<'_> {
    /// Runs a tool to its end. Its output goes to the log.
    ///
    /// # Errors
    /// When it cannot be run, when it fails, and when the run is interrupted. No process that it started is left then.
    pub(crate) fn run(&self, command: &Command) -> Result<(), BuildError> {
        let status = self.status(command)?;
        if status.success() {
            return Ok(());
        }
        let tail = tail(&self.log).unwrap_or_default();
        Err(BuildError::Failed { tool: command.name(), status: words(status), tail })
    }

    /// Runs a tool to its end and returns its exit status.
    ///
    /// # Errors
    /// When it cannot be run, and when the run is interrupted.
    pub(crate) fn status(&self, command: &Command) -> Result<ExitStatus, BuildError> {
        let unfit = |error: io::Error| {
            let message = format!("{} cannot be run: {error}", command.program.display());
            BuildError::unfit(message, "correct the installation of the tool")
        };
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(BuildError::Interrupted);
        }
        let mut log = self.open_log().map_err(BuildError::file(&self.log))?;
        writeln!(log, "$ {}", command.line()).map_err(BuildError::file(&self.log))?;
        let errors = log.try_clone().map_err(BuildError::file(&self.log))?;
        let mut process = std::process::Command::new(&command.program);
        process
            .args(&command.arguments)
            .current_dir(&command.directory)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors);
        process.envs(command.environment.iter().map(|(name, value)| (name, value)));
        in_own_group(&mut process);
        let mut child = process.spawn().map_err(unfit)?;
        self.watcher.begun(child.id());
        let status = self.wait(&mut child);
        self.watcher.ended(child.id());
        status
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, BuildError> {
        let failed = |error: io::Error| BuildError::unfit(format!("a tool cannot be waited for: {error}"), "try again");
        let mut pause = SHORTEST;
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(status);
            }
            if self.interrupt.load(Ordering::Relaxed) {
                end(child);
                return Err(BuildError::Interrupted);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST);
        }
    }

    pub(crate) fn note(&self, line: &str) {
        if let Ok(mut log) = self.open_log() {
            let _ = writeln!(log, "{line}");
        }
    }

    fn open_log(&self) -> io::Result<File> {
        if let Some(directory) = self.log.parent() {
            fs::create_dir_all(directory)?;
        }
        OpenOptions::new().create(true).append(true).open(&self.log)
    }
}

/// Ends a tool and every process that it started: with SIGTERM, and later with SIGKILL.
fn end(child: &mut Child) {
    signal(child, false);
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            break;
        }
        std::thread::sleep(LONGEST);
    }
    signal(child, true);
    let _ = child.kill();
    let _ = child.wait();
    let killed = Instant::now();
    while is_any_left(child) && killed.elapsed() < DYING {
        std::thread::sleep(SHORTEST);
    }
}

#[cfg(unix)]
fn in_own_group(process: &mut std::process::Command) {
    use std::os::unix::process::CommandExt;
    process.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut std::process::Command) {}

#[cfg(unix)]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(unix)]
fn signal(child: &Child, is_final: bool) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(group) = group(child) {
        let _ = kill_process_group(group, if is_final { Signal::KILL } else { Signal::TERM });
    }
}

/// Returns `true` while a process of the tool's group exists. A process that has ended counts until the init process
/// has waited for it.
#[cfg(unix)]
fn is_any_left(child: &Child) -> bool {
    group(child).is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
}

#[cfg(not(unix))]
fn is_any_left(_: &Child) -> bool {
    false
}

#[cfg(not(unix))]
fn signal(_: &Child, _: bool) {}

fn words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exited with status {code}"),
        None => format!("was ended ({status})"),
    }
}

fn tail(log: &Path) -> io::Result<Vec<String>> {
    let mut file = File::open(log)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    // The output of this tool follows the line with its command.
    let start = lines.iter().rposition(|line| line.starts_with("$ ")).map_or(0, |at| at + 1);
    let own = &lines[start..];
    Ok(own[own.len().saturating_sub(TAIL_LINES)..].iter().map(|&line| line.to_owned()).collect())
}
