//! Functions that print lines for people, or ask them.

/// Prints a line for people, immediately.
pub type Say = fn(&str);

/// Asks for the code of the MFA device with a serial number; `None` when nobody can be asked.
pub type AskCode = fn(&str) -> Option<String>;
