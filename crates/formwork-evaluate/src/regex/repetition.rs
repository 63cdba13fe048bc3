//! Repetitions.

use super::Refusal;
use super::dialect::Dialect;
use super::parser::Parser;
use super::tree::{Bounds, Group, Part};

/// Python does not count repetitions from here on.
const MOST: u64 = 4_294_967_295;

impl Parser {
    pub(super) fn bounds(&mut self, is_first: bool) -> Result<Option<Bounds>, Refusal> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let Some(bounds) = self.braces(is_first)? else { return Ok(None) };
                bounds
            }
            _ => return Ok(None),
        };
        self.at += 1;
        let mark = self.take_if(|c| c == '?' || c == '+');
        Ok(Some(Bounds { least, most, mark }))
    }

    /// Reads `{2}`, `{2,}`, `{2,3}`, in Python `{,3}` up to the closing brace; does not move for other content, which
    /// is literal in Python.
    fn braces(&mut self, is_first: bool) -> Result<Option<(u64, Option<u64>)>, Refusal> {
        let start = self.at;
        self.at += 1;
        let least = self.digits_of(10, usize::MAX);
        let most = if self.take(',') { self.digits_of(10, usize::MAX) } else { least.clone() };
        let is_java = self.dialect == Dialect::Java;
        let is_bounds = self.at > start + 1 && self.peek() == Some('}') && !(is_java && (is_first || least.is_empty()));
        let number = |digits: &str| digits.parse::<u64>().ok().filter(|&number| is_java || number < MOST);
        let least = if least.is_empty() { Some(0) } else { number(&least) };
        let most = if most.is_empty() { Some(None) } else { number(&most).map(Some) };
        match least.zip(most) {
            Some((least, Some(most))) if is_bounds && most < least => {
                Err(Refusal::invalid(self.table.words.reversed_bounds))
            }
            Some(bounds) if is_bounds => Ok(Some(bounds)),
            None if is_bounds && !is_java => Err(Refusal::invalid("the repetition number is too large")),
            _ => {
                self.at = start;
                match is_java {
                    true if is_first => self.unsupported("`{` has nothing in front of it to repeat"),
                    true => self.unsupported("`{` is not followed by `n}`, `n,}` or `n,m}`"),
                    false => {}
                }
                Ok(None)
            }
        }
    }

    pub(super) fn repeat(&mut self, part: Option<Part>, bounds: Bounds) -> Result<Part, Refusal> {
        let is_python = self.dialect == Dialect::Python;
        match &part {
            None => return Err(Refusal::invalid(self.table.words.nothing_to_repeat)),
            Some(Part::Assertion(_)) if is_python => return Err(Refusal::invalid(self.table.words.nothing_to_repeat)),
            Some(Part::Repeat(..)) if is_python => return Err(Refusal::invalid("multiple repeat")),
            Some(Part::Group(Group::Look(_), _)) if is_python => {
                self.unsupported("a repetition of a group that looks ahead or behind is not supported");
            }
            Some(Part::Repeat(..) | Part::Sequence(_)) => {
                self.unsupported("a repetition of a repetition is not supported");
            }
            Some(_) => {}
        }
        Ok(Part::Repeat(Box::new(part.unwrap_or(Part::Any)), bounds))
    }
}
