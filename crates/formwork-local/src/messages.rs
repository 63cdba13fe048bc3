//! The lines and error documents that Lambda writes around an invocation.

use std::time::Duration;

use serde_json::{Value, json};

pub(crate) fn start(id: &str) -> String {
    format!("START RequestId: {id} Version: $LATEST\n")
}

pub(crate) fn end(id: &str) -> String {
    format!("END RequestId: {id}\n")
}

#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) id: String,
    pub(crate) duration: Duration,
    /// Time until the runtime asked for its first event; only for the first invocation of a process.
    pub(crate) init: Option<Duration>,
    pub(crate) memory_size: u64,
    /// In MB; `None` if unknown.
    pub(crate) memory_used: Option<u64>,
}

pub(crate) fn report(measured: &Measured) -> String {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    let duration = milliseconds(measured.duration);
    let size = measured.memory_size;
    let init = measured.init.map(|init| format!("Init Duration: {:.2} ms\t", milliseconds(init)));
    format!(
        "REPORT RequestId: {}\tDuration: {duration:.2} ms\tBilled Duration: {} ms\tMemory Size: {size} MB\tMax Memory Used: {} MB\t{}\n",
        measured.id,
        duration.ceil(),
        measured.memory_used.unwrap_or(size),
        init.unwrap_or_default(),
    )
}

pub(crate) fn timed_out(now: jiff::Timestamp, id: &str, limit: Duration) -> Value {
    let time = now.strftime("%Y-%m-%dT%H:%M:%S.%3fZ");
    json!({"errorMessage": format!("{time} {id} Task timed out after {:.2} seconds", limit.as_secs_f64())})
}

pub(crate) fn ended(id: &str, status: Option<std::process::ExitStatus>) -> Value {
    let why = match status {
        Some(status) if !status.success() => format!("exited with error: {}", status_text(status)),
        _ => "exited without providing a reason".to_owned(),
    };
    json!({"errorType": "Runtime.ExitError", "errorMessage": format!("RequestId: {id} Error: Runtime {why}")})
}

/// The answer for an invocation whose processes exceeded their memory and were killed.
pub(crate) fn killed(id: &str) -> Value {
    use std::os::unix::process::ExitStatusExt;
    ended(id, Some(std::process::ExitStatus::from_raw(9)))
}

fn status_text(status: std::process::ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(9)) => "signal: killed".to_owned(),
        (None, Some(signal)) => format!("signal: {signal}"),
        (None, None) => status.to_string(),
    }
}

pub(crate) fn too_large(limit: usize) -> Value {
    json!({
        "errorType": "Function.ResponseSizeTooLarge",
        "errorMessage": format!("Response payload size exceeded maximum allowed payload size ({limit} bytes)."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_lambda() {
        assert_eq!(start("a-b"), "START RequestId: a-b Version: $LATEST\n");
        assert_eq!(end("a-b"), "END RequestId: a-b\n");
        let mut measured = Measured {
            id: "a-b".into(),
            duration: Duration::from_micros(1234),
            init: Some(Duration::from_millis(50)),
            memory_size: 128,
            memory_used: Some(31),
        };
        let line = "REPORT RequestId: a-b\tDuration: 1.23 ms\tBilled Duration: 2 ms\tMemory Size: 128 MB\tMax Memory Used: 31 MB\t";
        assert_eq!(report(&measured), format!("{line}Init Duration: 50.00 ms\t\n"));
        measured.init = None;
        assert_eq!(report(&measured), format!("{line}\n"));
    }

    #[test]
    fn a_timeout_names_time_request_and_limit() {
        let error = timed_out(jiff::Timestamp::UNIX_EPOCH, "a-b", Duration::from_secs(3));
        assert_eq!(error, json!({"errorMessage": "1970-01-01T00:00:00.000Z a-b Task timed out after 3.00 seconds"}));
    }

    #[test]
    fn an_ended_process_is_named_with_its_status() {
        use std::os::unix::process::ExitStatusExt;
        let text = |status| ended("a-b", status)["errorMessage"].as_str().map(str::to_owned);
        let status = std::process::ExitStatus::from_raw;
        let message = |why: &str| Some(format!("RequestId: a-b Error: Runtime exited {why}"));
        assert_eq!(text(Some(status(7 << 8))), message("with error: exit status 7"));
        assert_eq!(text(Some(status(9))), message("with error: signal: killed"));
        assert_eq!(text(Some(status(0))), message("without providing a reason"));
    }
}
