//! The suite `hostile`: inputs that are made to hang, crash or leak. Each runs in a process of its
//! own, so that time and memory can be measured and a crash ends nothing else.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use formwork::{Goal, MemoryHost};
use serde_json::{Value, json};

use super::case::Case;
use crate::outcome;
use crate::words::Request;

/// The word with which a test program runs one hostile input.
const CHILD: &str = "--run-hostile-input";

/// Builds for development are slower than what the limits of the suite are for.
const SLOWER: u32 = if cfg!(debug_assertions) { 3 } else { 1 };

/// Where the generated inputs are.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// In this directory, which goes with the last user.
    At(Arc<tempfile::TempDir>),
    /// They do not exist: why.
    None(String),
}

impl Inputs {
    /// Generates them with the suite's own program, which needs Python.
    pub fn generate(conformance: &Path) -> Inputs {
        let Ok(folder) = tempfile::tempdir() else { return Inputs::None("there is no temporary directory".into()) };
        let program = conformance.join("hostile/generate.py");
        match Command::new("python3").arg(&program).arg(folder.path()).stdout(Stdio::null()).output() {
            Ok(output) if output.status.success() => Inputs::At(Arc::new(folder)),
            Ok(output) => Inputs::None(format!("generate.py failed: {}", String::from_utf8_lossy(&output.stderr))),
            Err(error) => Inputs::None(format!("python3 cannot be run: {error}")),
        }
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        match self {
            Inputs::At(folder) => Some(folder.path().join(name)).filter(|path| path.is_file()),
            Inputs::None(_) => None,
        }
    }
}

/// Operations that the library has.
pub(super) fn is_known(case: &Value) -> bool {
    matches!(case["op"].as_str(), Some("process" | "validate"))
}

/// Whether `generate.py` generates the input.
pub(super) fn is_generated(case: &Value) -> bool {
    case["generated"] == true
}

pub(super) fn holds(case: &Case) -> Result<(), String> {
    let name = case.text("file");
    let path = match (&case.inputs, is_generated(&case.data)) {
        (_, false) => case.path(name),
        (Inputs::None(why), true) => return Err(format!("{name} could not be generated: {why}")),
        (inputs, true) => inputs.file(name).ok_or_else(|| format!("generate.py made no {name}"))?,
    };
    let command = match case.text("op") {
        "validate" => "check",
        _ if case.data["parameters"].is_object() => "resolve",
        _ => "expand",
    };
    let limit = Duration::from_secs(case.data["max_seconds"].as_u64().unwrap_or(5)) * SLOWER;
    let report = run_in_child(&path, command, case, limit)?;
    let messages = report["messages"].as_str().unwrap_or_default();
    let written = format!("{}{messages}", report["output"].as_str().unwrap_or_default());
    let texts = |member: &str| case.data[member].as_array().cloned().unwrap_or_default();
    if let Some(text) = texts("must_not_contain").iter().filter_map(Value::as_str).find(|text| written.contains(*text))
    {
        return Err(format!("holds {text:?}"));
    }
    let bytes = texts("must_not_contain_bytes");
    let bytes = bytes.iter().filter_map(Value::as_str).filter_map(|hex| u8::from_str_radix(hex, 16).ok());
    if let Some(byte) = bytes.into_iter().find(|byte| written.as_bytes().contains(byte)) {
        return Err(format!("holds the byte {byte:02x}"));
    }
    let megabytes = report["peak_kilobytes"].as_u64().map(|kilobytes| kilobytes / 1024);
    if let (Some(used), Some(most)) = (megabytes, case.data["max_mb"].as_u64())
        && used > most
    {
        return Err(format!("took {used} MB, limit {most} MB"));
    }
    as_expected(case.text("expected"), report["failed"] == true, messages, name)
}

fn as_expected(expected: &str, failed: bool, messages: &str, file: &str) -> Result<(), String> {
    if failed && !messages.contains(file.rsplit('/').next().unwrap_or(file)) {
        return Err(format!("the error does not name the file: {messages}"));
    }
    match expected.split_once("containing") {
        Some((_, words)) if !expected.starts_with("ok") => {
            let messages = messages.to_lowercase();
            if !failed {
                Err(format!("should have failed: {expected}"))
            } else if words.split('|').any(|word| messages.contains(&word.trim().to_lowercase())) {
                Ok(())
            } else {
                Err(format!("message without {words}: {messages}"))
            }
        }
        _ if expected == "ok" && failed => Err(format!("failed: {messages}")),
        _ => Ok(()),
    }
}

/// Runs this program again for one input, and waits no longer than `limit`.
fn run_in_child(path: &Path, command: &str, case: &Case, limit: Duration) -> Result<Value, String> {
    let text = |member: &str| case.data[member].to_string();
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .arg(CHILD)
        .args([command, &path.to_string_lossy(), &text("parameters"), &text("args")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let reader = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err("no pipes".into());
    };
    let (stdout, stderr) = (reader(Box::new(stdout)), reader(Box::new(stderr)));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if started.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("no answer in {limit:?}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let stderr = stderr.join().unwrap_or_default();
    if !status.success() {
        return Err(format!("died with {status}: {stderr}"));
    }
    serde_json::from_str(&stdout.join().unwrap_or_default()).map_err(|error| format!("no report: {error}; {stderr}"))
}

/// What a test program does that was started by `holds`: compiles the input that its arguments
/// name and prints a report. `None` when it was started by somebody else.
pub fn run_child() -> Option<ExitCode> {
    let words: Vec<String> = std::env::args().collect();
    let [_, child, command, path, parameters, args] = words.as_slice() else { return None };
    if child != CHILD {
        return None;
    }
    let report = compile(command, Path::new(path), parameters, args);
    #[allow(clippy::print_stdout, reason = "the report of a child process is its output")]
    match report {
        Ok(report) => {
            println!("{report}");
            Some(ExitCode::SUCCESS)
        }
        Err(why) => {
            eprintln!("{why}");
            Some(ExitCode::FAILURE)
        }
    }
}

fn compile(command: &str, path: &Path, parameters: &str, args: &str) -> Result<Value, String> {
    let stage = match command {
        "check" => Goal::Check,
        "resolve" => Goal::Resolve,
        _ => Goal::Expand,
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    let mut request = Request::new(stage);
    for (name, value) in json(parameters)?.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        request.add_options(&["--parameter-overrides".into(), format!("{name}={value}")], &|_| None)?;
    }
    let words: Vec<String> =
        json(args)?.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    request.add_options(&words, &|_| None)?;
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let outcome = outcome::run(&MemoryHost::new(), &name, &bytes, &request);
    Ok(json!({
        "failed": outcome.failed,
        "messages": outcome.human,
        "output": outcome.text(),
        "peak_kilobytes": peak_kilobytes(),
    }))
}

/// Most memory that this process had, where the system reports it.
fn peak_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations() {
        let holds = |expected, failed, messages| as_expected(expected, failed, messages, "a/t.yaml").is_ok();
        assert!(holds("ok", false, ""));
        assert!(!holds("ok", true, "t.yaml: no"));
        assert!(holds("ok or error", true, "t.yaml: no"));
        assert!(holds("error containing Cycle | ring", true, "t.yaml: a cycle"));
        assert!(!holds("error containing ring", true, "t.yaml: a cycle"));
        assert!(!holds("error containing cycle", true, "a cycle in some file"));
        assert!(!holds("error containing cycle", false, "t.yaml: a cycle"));
    }
}
