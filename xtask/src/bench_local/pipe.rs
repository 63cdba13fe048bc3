//! A handler behind a bare pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that answers a line with a line.
pub(super) struct Pipe {
    child: Child,
    events: ChildStdin,
    results: BufReader<ChildStdout>,
}

impl Pipe {
    /// Starts the program of a command line in a directory; this program without one.
    pub(super) fn start(folder: &Path, words: &[&str]) -> Result<Pipe, String> {
        let mut command = if let [program, arguments @ ..] = words {
            let mut command = Command::new(program);
            command.args(arguments);
            command
        } else {
            let mut command = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
            command.args(["bench-local", "--handler", "pipe"]);
            command
        };
        let child = command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("{command:?} cannot be run: {error}"))?;
        let (Some(events), Some(results)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a process has no pipes".to_owned());
        };
        Ok(Pipe { child, events, results: BufReader::new(results) })
    }

    /// Waits for the result of an event.
    pub(super) fn ask(&mut self, event: &str) -> Result<(), String> {
        let line = format!("{event}\n");
        let lost = |error: std::io::Error| error.to_string();
        self.events.write_all(line.as_bytes()).map_err(lost)?;
        let mut result = String::new();
        self.results.read_line(&mut result).map_err(lost)?;
        if result.contains("\"x\"") { Ok(()) } else { Err(format!("the pipe answered {result:?}")) }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
