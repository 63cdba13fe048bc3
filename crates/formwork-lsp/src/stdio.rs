//! The server on standard input and output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Sender, bounded, unbounded};
use lsp_server::Message;

use crate::Options;
use crate::server::serve_channels;
use crate::transport::{Outgoing, parse, read, write};

/// The time a client has to read the last messages.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Runs the server on standard input and output until its client ends it. Returns the exit status: 0 after a shutdown,
/// 1 without one or when a message is malformed, with a line on standard error, 2 when a file of the command line
/// cannot be created.
pub fn run(options: &Options) -> u8 {
    let (status, why) = serve_streams(io::stdin(), io::stdout(), options);
    if let Some(why) = why {
        let _ = writeln!(io::stderr(), "formwork lsp: {why}");
    }
    status
}

/// Turns pages of 2 MB off for the process, if the system has them: each thread that allocates touches some, which
/// would be most of the server's memory. Pages that were touched before stay: call it before anything else.
pub fn use_small_pages() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Runs the server on any streams. Returns the status, and the error.
fn serve_streams(
    input: impl Read + Send + 'static,
    mut output: impl Write + Send + 'static,
    options: &Options,
) -> (u8, Option<String>) {
    let (outgoing, to_write) = unbounded::<Outgoing>();
    // Waiting messages are visible to the loop: a burst of changes is answered once.
    let (incoming, messages) = bounded(256);
    let reader = spawn("reader", move || read_all(&mut BufReader::new(input), &incoming));
    let (is_written, written) = bounded(1);
    spawn("writer", move || {
        // A client that is gone reads nothing: the remaining messages are dropped.
        let _ = to_write.into_iter().try_for_each(|message| write(&mut output, &message.text()));
        let _ = is_written.send(());
    });
    let ending = match serve_channels(outgoing, &messages, options) {
        Ok(ending) => ending,
        Err(why) => return (2, Some(why.to_string())),
    };
    if !ending.by_client {
        return (1, None);
    }
    // The channel is closed when all messages are written.
    let _ = written.recv_timeout(LAST_WORDS);
    if ending.is_shut_down {
        // The reader may wait for input that nobody writes.
        return (0, None);
    }
    let read = reader.map(JoinHandle::join);
    let why = match read {
        Some(Ok(Err(why))) => Some(format!("a message is malformed: {why}")),
        _ => None,
    };
    (1, why)
}

fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> Option<JoinHandle<T>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).ok()
}

/// Reads messages until the input ends, or the client leaves.
fn read_all(stream: &mut impl BufRead, incoming: &Sender<Message>) -> Result<(), String> {
    while let Some(text) = read(stream).map_err(|error| error.to_string())? {
        let message = parse(&text)?;
        drop(text);
        let is_exit = matches!(&message, Message::Notification(notification) if notification.method == "exit");
        if incoming.send(message).is_err() || is_exit {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the status, the error, and the number of messages that the server sent.
    fn serve(input: &[u8]) -> (u8, Option<String>, usize) {
        let (mut received, sends) = std::io::pipe().expect("it works");
        let (status, why) = serve_streams(io::Cursor::new(input.to_vec()), sends, &Options::default());
        let mut text = Vec::new();
        received.read_to_end(&mut text).expect("it works");
        let text = String::from_utf8(text).expect("it works");
        (status, why, text.matches("Content-Length").count())
    }

    fn message(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#;
    const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    #[test]
    fn the_status_is_0_after_a_shutdown_alone() {
        let all = [INITIALIZE, SHUTDOWN, EXIT].map(message).concat();
        assert_eq!(serve(all.as_bytes()), (0, None, 2));
        assert_eq!(serve(&[INITIALIZE, EXIT].map(message).concat().into_bytes()), (1, None, 1));
        assert_eq!(serve(message(EXIT).as_bytes()), (1, None, 0));
        // The input ends.
        assert_eq!(serve(b""), (1, None, 0));
        assert_eq!(serve(message(INITIALIZE).as_bytes()), (1, None, 1));
        assert_eq!(serve([INITIALIZE, SHUTDOWN].map(message).concat().as_bytes()), (0, None, 2));
    }

    #[test]
    fn a_malformed_message_ends_it_with_a_line_that_does_not_cite_it() {
        for (text, part) in [
            (message("{\"method\": \"secret"), "it is not JSON"),
            (message("[\"secret\"]"), "it is not a request, response or notification"),
            (message("{\"id\": {\"secret\": 1}, \"method\": \"a\"}"), "it is not a request, response or notification"),
            (message("{\"params\": \"secret\"}"), "it has neither a method nor an id"),
            ("secret\r\n\r\n".to_owned(), "a header has no colon"),
            ("Content-Length: secret\r\n\r\n{}".to_owned(), "Content-Length is not a number"),
            ("Content-Length: 99999999999999999\r\n\r\nsecret".to_owned(), "it is larger than 1 GiB"),
            ("Content-Length: 100\r\n\r\nsecret".to_owned(), "the input ends in it"),
        ] {
            // Messages before the error are answered.
            let (status, why, sent) = serve(format!("{}{text}", message(INITIALIZE)).as_bytes());
            let why = why.expect("it works");
            assert!(status == 1 && sent == 1 && why.contains(part) && !why.contains("secret"), "{why}");
        }
    }

    #[test]
    fn a_client_that_reads_nothing_and_goes_ends_it() {
        let (received, sends) = std::io::pipe().expect("it works");
        drop(received);
        let input = [INITIALIZE, SHUTDOWN, EXIT].map(message).concat();
        assert_eq!(serve_streams(io::Cursor::new(input.into_bytes()), sends, &Options::default()).0, 0);
    }
}
