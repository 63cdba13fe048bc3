//! The lines of a recording.

use serde::Deserialize;
use serde_json::Value;

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    /// Milliseconds from the start of the recording.
    pub(crate) ms: u64,
    pub(crate) is_client: bool,
    pub(crate) message: Value,
}

impl Entry {
    pub(crate) fn method(&self) -> Option<&str> {
        self.message.get("method").and_then(Value::as_str)
    }

    /// The ID as text; numbers and strings differ.
    pub(crate) fn id(&self) -> Option<String> {
        self.message.get("id").filter(|id| !id.is_null()).map(Value::to_string)
    }

    pub(crate) fn params(&self) -> &Value {
        self.message.get("params").unwrap_or(&Value::Null)
    }

    pub(crate) fn is_request(&self) -> bool {
        self.method().is_some() && self.id().is_some()
    }

    pub(crate) fn is_notification(&self) -> bool {
        self.method().is_some() && self.id().is_none()
    }

    pub(crate) fn publishes(&self) -> bool {
        !self.is_client && self.method() == Some("textDocument/publishDiagnostics")
    }

    pub(crate) fn is_response(&self) -> bool {
        self.method().is_none()
    }

    /// Returns `true` for an error that depends on the speed of client and server: a cancelled request, or one about a
    /// text that changed.
    pub(crate) fn is_untimely(&self) -> bool {
        let code = self.message.pointer("/error/code").and_then(Value::as_i64);
        code.is_some_and(|code| (-32802..=-32800).contains(&code))
    }
}

/// Reads a recording.
///
/// # Errors
/// The first invalid line.
pub(crate) fn read(text: &str) -> Result<Vec<Entry>, String> {
    #[derive(Deserialize)]
    struct Line {
        ms: u64,
        from: String,
        message: Value,
    }
    let mut entries = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        let wrong = |why: &str| format!("line {number}: {why}");
        let Line { ms, from, message } =
            serde_json::from_str(line).map_err(|_| wrong("it is not a JSON object of `ms`, `from` and `message`"))?;
        let is_client = match from.as_str() {
            "client" => true,
            "server" => false,
            _ => return Err(wrong("`from` is none of client, server")),
        };
        if !message.is_object() {
            return Err(wrong("`message` is not an object"));
        }
        entries.push(Entry { line: number, ms, is_client, message });
    }
    if entries.is_empty() {
        return Err("it has no message".to_owned());
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_none_are_named() {
        assert_eq!(read("").expect_err("it is refused"), "it has no message");
        assert!(read("{}\n").expect_err("it is refused").starts_with("line 1: it is not a JSON object"));
        assert_eq!(
            read("\n{\"ms\":0,\"from\":\"me\",\"message\":{}}").expect_err("it is refused"),
            "line 2: `from` is none of client, server"
        );
        let entries = read("{\"ms\":3,\"from\":\"server\",\"message\":{\"id\":1,\"error\":{\"code\":-32801}}}\n")
            .expect("it works");
        assert!(entries[0].is_response() && entries[0].is_untimely() && !entries[0].is_client);
    }
}
