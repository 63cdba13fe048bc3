//! Words for people.

/// Prints a line for people, at once.
pub type Say = fn(&str);
