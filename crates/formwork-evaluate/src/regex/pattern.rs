//! Reading a whole pattern.

use super::dialect::Dialect;
use super::parser::Parser;
use super::tree::{Flags, Guard, Part};
use super::{Refusal, references};

impl Parser {
    pub(super) fn pattern(mut self) -> Result<(Part, Vec<Guard>), Refusal> {
        let mut flags = Flags::default();
        if self.dialect == Dialect::Python {
            self.flags_of_all(&mut flags)?;
        }
        let tree = match self.alternatives(&mut flags) {
            Err(Refusal::Unsupported(why)) => return Err(Refusal::Unsupported(self.unsupported.unwrap_or(why))),
            read => read?,
        };
        if self.peek().is_some() {
            return Err(Refusal::invalid(self.table.words.not_opened));
        }
        if self.last_condition > self.widths.len() {
            return Err(Refusal::invalid(format!("invalid group reference {}", self.last_condition)));
        }
        if let Some(why) = references::error(&tree) {
            self.unsupported(why);
        }
        if self.ignores_case {
            let stops = if self.has_non_ascii { |_: &str| true } else { Guard::CASE.stops };
            self.guards.insert(0, Guard { stops, ..Guard::CASE });
        }
        match self.unsupported {
            Some(why) => Err(Refusal::Unsupported(why)),
            None => Ok((tree, self.guards)),
        }
    }
}
