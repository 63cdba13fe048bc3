//! Processes: how the program is started, and the end of those that others began.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Waits until a process is gone: a signal that was sent has ended nothing yet. What has ended and was not waited for has no
/// command line.
pub(crate) fn await_end(process: &str, within: Duration) {
    let until = Instant::now() + within;
    while !std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default().is_empty() {
        assert!(Instant::now() < until, "{process} is still running");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The program, started so that it ends with its terminal, however the tests themselves were started: what `nohup` starts
/// ignores SIGHUP, and so does all that it starts.
pub(crate) fn with_hangup() -> Command {
    let script =
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])";
    // The command may get another PATH.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let python = std::env::split_paths(&path).map(|folder| folder.join("python3")).find(|python| python.is_file());
    let mut command = Command::new(python.expect("python3"));
    command.args(["-c", script, env!("CARGO_BIN_EXE_formwork")]);
    command
}

/// The program, started so that it outlives its terminal.
pub(crate) fn without_hangup() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_formwork")]);
    command
}
