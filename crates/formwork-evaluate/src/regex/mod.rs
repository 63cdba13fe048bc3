//! Regular expressions of Java and of Python, run by one engine in bounded time and memory.
//!
//! A pattern is read into a small tree (`parser`, `group`, `class`, `escape`), by the table of its dialect, and written again
//! for the engine (`write`). What the tree does not have cannot be checked: it is reported, never ignored.

mod class;
mod dialect;
mod engine;
mod escape;
mod group;
mod parser;
mod properties;
mod references;
mod tree;
mod write;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use engine::Engine;
use parser::Parser;
use tree::{Guard, Part};
use write::Values;

pub use dialect::Dialect;

/// The result of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Match {
    /// The value matches.
    Yes,
    /// It does not.
    No,
    /// It is not known, and why.
    Unknown(String),
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    dialect: Dialect,
    steps: usize,
    read: Result<Read, String>,
    of_plain: OnceCell<Result<Engine, String>>,
    of_others: OnceCell<Result<Engine, String>>,
}

/// A pattern as it was read.
#[derive(Debug)]
struct Read {
    tree: Part,
    guards: Vec<Guard>,
}

/// Why a pattern is not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// Its own language refuses it, too.
    Invalid(String),
    /// Its own language may take it.
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

impl Pattern {
    /// Compiles a pattern, of which each match may take so many steps of backtracking.
    ///
    /// # Errors
    /// Why its own language does not compile it.
    pub fn new(source: &str, dialect: Dialect, steps: usize) -> Result<Pattern, String> {
        let read = match Parser::new(source, dialect).pattern() {
            Ok(read) => Ok(read),
            Err(Refusal::Unsupported(why)) => Err(why),
            Err(Refusal::Invalid(why)) => return Err(why),
        };
        Ok(Pattern { dialect, steps, read, of_plain: OnceCell::new(), of_others: OnceCell::new() })
    }

    /// Returns why the language of a pattern does not compile it.
    pub fn fault(source: &str, dialect: Dialect) -> Option<String> {
        match Parser::new(source, dialect).pattern() {
            Err(Refusal::Invalid(why)) => Some(why),
            Err(Refusal::Unsupported(_)) | Ok(_) => None,
        }
    }

    /// Whether `text` matches: the whole of it in Java, from its start on in Python, as CloudFormation and the AWS CLI
    /// match it.
    pub fn matches(&self, text: &str) -> Match {
        let read = match &self.read {
            Ok(read) => read,
            Err(why) => return Match::Unknown(why.clone()),
        };
        if let Some(guard) = read.guards.iter().find(|guard| (guard.stops)(text)) {
            return Match::Unknown(guard.why.to_owned());
        }
        let values = Values::of(self.dialect, text);
        let cell = if values == Values::Plain { &self.of_plain } else { &self.of_others };
        match cell.get_or_init(|| Engine::new(&write::pattern(&read.tree, self.dialect, values), self.steps)) {
            Ok(engine) => engine.is_match(text),
            Err(why) => Match::Unknown(why.clone()),
        }
    }
}
