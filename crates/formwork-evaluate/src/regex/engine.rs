//! The engine: it matches in bounded time and memory.

use fancy_regex::{CompileError, Error, Regex, RegexBuilder, RuntimeError};

use super::Match;

/// The size that a compiled expression may have, in bytes.
const SIZE: usize = 1 << 20;

/// An expression of the engine.
#[derive(Debug)]
pub(super) struct Engine(Regex);

impl Engine {
    /// Compiles an expression, of which each match may take so many steps of backtracking.
    pub(super) fn new(expression: &str, steps: usize) -> Result<Engine, String> {
        let built = RegexBuilder::new(expression).backtrack_limit(steps).delegate_size_limit(SIZE).build();
        built.map(Engine).map_err(|error| match error {
            // Its place is one in the translated expression, which nobody has seen.
            Error::ParseError(_, kind) => uncapitalized(&kind.to_string()),
            Error::CompileError(error) => match *error {
                CompileError::InnerError(error) => cause(&error),
                other => uncapitalized(&other.to_string()),
            },
            other => uncapitalized(&other.to_string()),
        })
    }

    /// Whether it matches anywhere in `text`.
    pub(super) fn is_match(&self, text: &str) -> Match {
        match self.0.is_match(text) {
            Ok(true) => Match::Yes,
            Ok(false) => Match::No,
            Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded)) => {
                Match::Unknown("it needs too many steps for this value".into())
            }
            Err(error) => Match::Unknown(error.to_string()),
        }
    }
}

/// The innermost reason of an error, on one line.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn uncapitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
