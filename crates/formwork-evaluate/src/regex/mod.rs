//! Regular expressions of Java and of Python, run by one engine in bounded time and memory.
//!
//! A pattern is read into a small tree (`pattern`, `group`, `class`, `escape`), by the table of its dialect, and
//! written again for the engine (`write`). Constructs that the tree does not have cannot be checked: they are reported,
//! never ignored.

mod class;
mod dialect;
mod escape;
mod flags;
mod group;
mod parser;
mod pattern;
mod properties;
mod references;
mod repetition;
mod tree;
mod write;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use fancy_regex::{CompileError, Error, Regex, RegexBuilder, RuntimeError};

use parser::Parser;
use tree::{Guard, Part};

pub use dialect::Dialect;

/// Limit of the size of a compiled expression, in bytes.
const SIZE: usize = 1 << 20;

/// The result of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Match {
    /// The value matches.
    Yes,
    /// The value does not match.
    No,
    /// The result is not known, for this reason.
    Unknown(String),
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    dialect: Dialect,
    steps: usize,
    read: Result<(Part, Vec<Guard>), String>,
    /// Engines for values of ASCII that do not end in a line break, and for others. Most values are plain, and for them
    /// sets are small.
    engines: [OnceCell<Result<Regex, String>>; 2],
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// Rejected by its own language, too.
    Invalid(String),
    /// Possibly accepted by its own language.
    Unsupported(String),
}

impl Refusal {
    fn invalid(why: impl Into<String>) -> Refusal {
        Refusal::Invalid(why.into())
    }

    fn unsupported(why: impl Into<String>) -> Refusal {
        Refusal::Unsupported(why.into())
    }
}

/// The reason why the language of a pattern does not compile it; a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPattern(pub String);

impl std::fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidPattern {}

impl Pattern {
    /// Compiles a pattern, of which each match may take so many steps of backtracking.
    ///
    /// # Errors
    /// The reason why its own language does not compile it.
    pub fn new(source: &str, dialect: Dialect, steps: usize) -> Result<Pattern, InvalidPattern> {
        let read = match Parser::new(source, dialect).pattern() {
            Ok(read) => Ok(read),
            Err(Refusal::Unsupported(why)) => Err(why),
            Err(Refusal::Invalid(why)) => return Err(InvalidPattern(why)),
        };
        Ok(Pattern { dialect, steps, read, engines: Default::default() })
    }

    /// Returns why the language of a pattern does not compile it.
    pub fn error(source: &str, dialect: Dialect) -> Option<String> {
        Pattern::new(source, dialect, 0).err().map(|invalid| invalid.0)
    }

    /// Matches `text`: the whole of it in Java, from its start on in Python, as CloudFormation and the AWS CLI do.
    pub fn matches(&self, text: &str) -> Match {
        let (tree, guards) = match &self.read {
            Ok(read) => read,
            Err(why) => return Match::Unknown(why.clone()),
        };
        if let Some(guard) = guards.iter().find(|guard| (guard.stops)(text)) {
            return Match::Unknown(guard.why.to_owned());
        }
        // In Java all values are of one kind.
        let is_plain = self.dialect == Dialect::Java || text.is_ascii() && !text.ends_with('\n');
        let compiled = || compile(&write::pattern(tree, self.dialect, is_plain), self.steps);
        match self.engines[usize::from(!is_plain)].get_or_init(compiled).as_ref().map(|engine| engine.is_match(text)) {
            Ok(Ok(true)) => Match::Yes,
            Ok(Ok(false)) => Match::No,
            Ok(Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded))) => {
                Match::Unknown("it needs too many steps for this value".into())
            }
            Ok(Err(error)) => Match::Unknown(error.to_string()),
            Err(why) => Match::Unknown(why.clone()),
        }
    }
}

fn compile(expression: &str, steps: usize) -> Result<Regex, String> {
    let built = RegexBuilder::new(expression).backtrack_limit(steps).delegate_size_limit(SIZE).build();
    built.map_err(|error| match error {
        // The place is one in the translated expression, which the user has not seen.
        Error::ParseError(_, kind) => uncapitalized(&kind.to_string()),
        Error::CompileError(error) => match *error {
            CompileError::InnerError(error) => cause(&error),
            other => uncapitalized(&other.to_string()),
        },
        other => uncapitalized(&other.to_string()),
    })
}

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
