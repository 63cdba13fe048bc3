//! Messages on a pair of streams: headers, then JSON.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{Message, Notification, Request, RequestId, Response, ResponseError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The largest size of a message in bytes: several times what the largest template needs.
const MOST: u64 = 1 << 30;

#[derive(Clone, Debug)]
pub(crate) enum Outgoing {
    Message(Message),
    /// The serialized result of a request: large answers are never held as values.
    Written(RequestId, String),
}

impl Outgoing {
    pub(crate) fn text(&self) -> String {
        #[derive(Serialize)]
        struct Whole<'m> {
            jsonrpc: &'static str,
            #[serde(flatten)]
            message: &'m Message,
        }
        match self {
            Outgoing::Message(message) => serde_json::to_string(&Whole { jsonrpc: "2.0", message }).unwrap_or_default(),
            Outgoing::Written(id, result) => {
                let id = serde_json::to_string(id).unwrap_or_default();
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")
            }
        }
    }

    pub(crate) fn message(self) -> Message {
        match self {
            Outgoing::Message(message) => message,
            Outgoing::Written(id, result) => Message::Response(Response {
                id,
                response_result: Ok(serde_json::from_str(&result).unwrap_or_default()),
            }),
        }
    }
}

/// Writes a message with its header.
///
/// # Errors
/// Those of the stream.
pub(crate) fn write(stream: &mut impl Write, text: &str) -> io::Result<()> {
    write!(stream, "Content-Length: {}\r\n\r\n", text.len())?;
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Reads the text of a message; `None` at the end of the stream.
///
/// # Errors
/// Those of the stream, and [`io::ErrorKind::InvalidData`] with the reason when the header is malformed, the stream
/// ends in a message, or it is not UTF-8. The error does not contain the message, which may hold secrets.
pub(crate) fn read(stream: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        if stream.by_ref().take(4096).read_until(b'\n', &mut line)? == 0 && is_first {
            return Ok(None);
        }
        is_first = false;
        let Some(line) = line.strip_suffix(b"\r\n").and_then(|line| std::str::from_utf8(line).ok()) else {
            return Err(wrong("a header does not end in CR LF"));
        };
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong("a header has no colon"))?;
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let value = value.trim().parse::<u64>().map_err(|_| wrong("Content-Length is not a number"))?;
            length = Some(value);
        }
    }
    let length = length.ok_or_else(|| wrong("the header has no Content-Length"))?;
    if length > MOST {
        return Err(wrong("it is larger than 1 GiB"));
    }
    // Memory grows with the received data, whatever the header has.
    let mut bytes = Vec::new();
    stream.by_ref().take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(wrong("the input ends in it"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| wrong("it is not UTF-8"))
}

/// Parses a message.
///
/// # Errors
/// When it is not a message: the reason.
pub(crate) fn parse(text: &str) -> Result<Message, String> {
    #[derive(Deserialize)]
    struct Parts {
        id: Option<RequestId>,
        method: Option<String>,
        #[serde(default)]
        params: Value,
        #[serde(default)]
        result: Value,
        error: Option<ResponseError>,
    }
    let repaired;
    let text = if has_lone_surrogate(text) {
        repaired = repair(text);
        &repaired
    } else {
        text
    };
    // Errors of the parser cite the message, which may hold secrets: the place is enough.
    let parts: Parts = serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => {
            format!("line {}, column {}: it is not a request, response or notification", error.line(), error.column())
        }
        _ => format!("line {}, column {}: it is not JSON", error.line(), error.column()),
    })?;
    let Parts { id, method, params, result, error } = parts;
    match (id, method) {
        (Some(id), Some(method)) => Ok(Message::Request(Request { id, method, params })),
        (None, Some(method)) => Ok(Message::Notification(Notification { method, params })),
        (Some(id), None) => Ok(Message::Response(Response { id, response_result: error.map_or(Ok(result), Err) })),
        // An error about a request that could not be read.
        (None, None) if error.is_some() => {
            Ok(Message::Notification(Notification { method: "$/error".to_owned(), params: Value::Null }))
        }
        (None, None) => Err("it has neither a method nor an id".to_owned()),
    }
}

/// Returns `true` if JSON has an escape of half a pair of UTF-16 code units, which UTF-8 cannot have: editors with
/// UTF-16 strings send it while a character is typed.
fn has_lone_surrogate(text: &str) -> bool {
    let is_surrogate = |escape: (usize, &str)| matches!(text.as_bytes().get(escape.0 + 2), Some(b'd' | b'D'));
    text.match_indices("\\u").any(is_surrogate) && repair(text) != text
}

/// Replaces halves of pairs by the replacement character, which has as many code units.
fn repair(text: &str) -> String {
    let bytes = text.as_bytes();
    let escape = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (mut repaired, mut at, mut copied) = (String::with_capacity(text.len()), 0, 0);
    while let Some(&byte) = bytes.get(at) {
        if byte != b'\\' {
            at += 1;
            continue;
        }
        let length = match escape(at) {
            Some(0xd800..=0xdbff) if matches!(escape(at + 6), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                repaired.push_str(text.get(copied..at).unwrap_or_default());
                repaired.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            Some(_) => 6,
            None => 2,
        };
        at += length;
    }
    repaired.push_str(text.get(copied..).unwrap_or_default());
    repaired
}

fn wrong(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut stream = io::BufReader::new(bytes);
        let mut texts = Vec::new();
        while let Some(text) = read(&mut stream).map_err(|error| error.to_string())? {
            texts.push(text);
        }
        Ok(texts)
    }

    #[test]
    fn headers_are_those_of_the_protocol() {
        let two = b"Content-Length: 2\r\n\r\n{}content-length:4\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n\"\xC3\xBC\"";
        assert_eq!(read_all(two), Ok(vec!["{}".to_owned(), "\"ü\"".to_owned()]));
        for (bytes, why) in [
            (&b"Content-Length: 2\n\n{}"[..], "a header does not end in CR LF"),
            (b"Hello", "a header does not end in CR LF"),
            (b"Hello\r\n\r\n", "a header has no colon"),
            (b"A: b\r\n\r\n{}", "the header has no Content-Length"),
            (b"Content-Length: -1\r\n\r\n", "Content-Length is not a number"),
            (b"Content-Length: 99999999999999\r\n\r\n{}", "it is larger than 1 GiB"),
            (b"Content-Length: 999999999\r\n\r\n{}", "the input ends in it"),
            (b"Content-Length: 1\r\n\r\n\xFF", "it is not UTF-8"),
        ] {
            assert_eq!(read_all(bytes), Err(why.to_owned()));
        }
    }

    #[test]
    fn messages_are_distinguished() {
        let shown = |text: &str| match parse(text) {
            Ok(Message::Request(request)) => format!("request {} {}", request.id, request.method),
            Ok(Message::Notification(notification)) => format!("notification {}", notification.method),
            Ok(Message::Response(response)) => format!("response {} {}", response.id, response.response_result.is_ok()),
            Err(why) => why,
        };
        assert_eq!(shown(r#"{"id":1,"method":"a"}"#), "request 1 a");
        assert_eq!(shown(r#"{"id":"x","method":"a","params":[1]}"#), "request \"x\" a");
        assert_eq!(shown(r#"{"jsonrpc":"2.0","method":"a"}"#), "notification a");
        assert_eq!(shown(r#"{"id":1,"result":null}"#), "response 1 true");
        assert_eq!(shown(r#"{"id":1,"error":{"code":1,"message":"no"}}"#), "response 1 false");
        assert_eq!(shown(r#"{"id":null,"error":{"code":1,"message":"no"}}"#), "notification $/error");
        assert_eq!(shown("{}"), "it has neither a method nor an id");
        assert_eq!(
            shown(r#"[{"id":1,"method":"a"}]"#).split(": ").nth(1),
            Some("it is not a request, response or notification")
        );
        assert_eq!(shown(r#"{"secret":"#), "line 1, column 10: it is not JSON");
        assert_eq!(
            shown(r#"{"id":1.5,"method":"secret"}"#).split(": ").nth(1),
            Some("it is not a request, response or notification")
        );
    }

    #[test]
    fn halves_of_pairs_are_replaced() {
        let text = |json: &str| match parse(json) {
            Ok(Message::Notification(notification)) => notification.params,
            other => panic!("{other:?}"),
        };
        let half = r#"{"method":"a","params":["\ud83dx","\uD83D\uDE00","\ude00","\\\\ud83d","\u00fc"]}"#;
        assert_eq!(text(half), serde_json::json!(["\u{fffd}x", "😀", "\u{fffd}", "\\\\ud83d", "ü"]));
    }

    #[test]
    fn what_is_written_is_what_would_be_written_of_a_value() {
        let written = Outgoing::Written(RequestId::from("a\"b".to_owned()), "[1,{\"a\":2}]".to_owned());
        let value = Outgoing::Message(written.clone().message());
        assert_eq!(written.text(), value.text());
        let mut bytes = Vec::new();
        write(&mut bytes, &written.text()).expect("it works");
        assert_eq!(read_all(&bytes).expect("it works"), [written.text()]);
    }
}
