//! Reads the code of an MFA device from a terminal.

use std::io::{IsTerminal, stdin};

use formwork_report::printable;

use crate::terminal::say_question;

/// Asks for the code of a device; `None` without a terminal, and at the end of the input.
pub(crate) fn ask_code(serial: &str) -> Option<String> {
    if !stdin().is_terminal() {
        return None;
    }
    say_question(&format!("Code of the MFA device {}:", printable(serial)));
    let mut line = String::new();
    stdin().read_line(&mut line).ok()?;
    Some(line.trim().to_owned())
}
