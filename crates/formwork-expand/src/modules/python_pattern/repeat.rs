//! Repetitions.

use std::fmt::Write as _;

use super::Refusal;
use super::parser::{Item, Parser, Role};

/// How often something is repeated.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    least: u64,
    most: Option<u64>,
}

/// From here on Python does not count repetitions.
const MOST: u64 = 4_294_967_295;

impl Parser {
    /// Reads the bounds of a repetition, if the next characters are some.
    pub(super) fn bounds(&mut self) -> Result<Option<Bounds>, Refusal> {
        let bounds = |least, most| Some(Bounds { least, most });
        let simple = match self.peek() {
            Some('*') => bounds(0, None),
            Some('+') => bounds(1, None),
            Some('?') => bounds(0, Some(1)),
            Some('{') => return self.braces(),
            _ => None,
        };
        self.at += usize::from(simple.is_some());
        Ok(simple)
    }

    /// Reads `{2}`, `{2,}`, `{,3}` or `{2,3}`; does not move when it is something else, which is literal.
    fn braces(&mut self) -> Result<Option<Bounds>, Refusal> {
        let start = self.at;
        self.at += 1;
        let least = self.digits();
        let most = if self.take(',') { self.digits() } else { least.clone() };
        if self.at == start + 1 || !self.take('}') {
            self.at = start;
            return Ok(None);
        }
        let number = |digits: &str| match digits.parse::<u64>() {
            Ok(number) if number < MOST => Ok(number),
            _ => Err(Refusal::invalid("the repetition number is too large")),
        };
        let (least, most) = (
            if least.is_empty() { 0 } else { number(&least)? },
            if most.is_empty() { None } else { Some(number(&most)?) },
        );
        if most.is_some_and(|most| most < least) {
            return Err(Refusal::invalid("min repeat greater than max repeat"));
        }
        Ok(Some(Bounds { least, most }))
    }

    fn digits(&mut self) -> String {
        std::iter::from_fn(|| self.take_if(|c| c.is_ascii_digit())).collect()
    }

    /// Writes the repetition of an item, the last one that was written.
    pub(super) fn repeat(&mut self, item: Option<Item>, bounds: Bounds) -> Result<Item, Refusal> {
        let item = match item {
            None => return Err(Refusal::invalid("nothing to repeat")),
            Some(Item { role: Role::Position, .. }) => return Err(Refusal::invalid("nothing to repeat")),
            Some(Item { role: Role::Repetition, .. }) => return Err(Refusal::invalid("multiple repeat")),
            Some(item) => item,
        };
        if item.role == Role::Look {
            self.unsupported("a repetition of a group that looks ahead or behind is not supported");
        }
        let Bounds { least, most } = bounds;
        let is_lazy = self.take('?');
        let is_possessive = !is_lazy && self.take('+');
        match (least, most) {
            (0, None) => self.out.push('*'),
            (1, None) => self.out.push('+'),
            (0, Some(1)) => self.out.push('?'),
            (least, None) => drop(write!(self.out, "{{{least},}}")),
            (least, Some(most)) => drop(write!(self.out, "{{{least},{most}}}")),
        }
        if is_lazy {
            self.out.push('?');
        }
        if is_possessive {
            self.out.insert_str(item.start, "(?>");
            self.out.push(')');
        }
        let width = item.width.repeated(least, most.unwrap_or(u64::MAX));
        Ok(Item { role: Role::Repetition, width, ..item })
    }
}
