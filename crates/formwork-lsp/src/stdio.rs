//! The server on standard input and output.

use std::io::Write;

use lsp_server::Connection;

use crate::Options;
use crate::server::serve;

/// Runs the server on standard input and output until its client ends it. Returns the exit status: 0 after a shutdown, 1
/// without one or when a message is malformed, with a line on standard error.
pub fn run(options: &Options) -> u8 {
    let (connection, threads) = Connection::stdio();
    let ending = match serve(connection, options) {
        Ok(ending) => ending,
        Err(why) => {
            say(&why);
            return 2;
        }
    };
    if !ending.by_client {
        return 1;
    }
    if ending.is_shut_down {
        // The reader may wait for input that nobody writes.
        return 0;
    }
    match threads.join() {
        Ok(()) => 1,
        Err(error) => {
            say(&format!("a message is malformed: {error}"));
            1
        }
    }
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "formwork lsp: {text}");
}
