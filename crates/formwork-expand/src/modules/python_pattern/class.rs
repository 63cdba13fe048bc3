//! Character classes.

use super::Refusal;
use super::escape::Element;
use super::flags::Flags;
use super::parser::Parser;

const OPEN: &str = "unterminated character set";

impl Parser {
    /// Reads a character class whose bracket was read.
    pub(super) fn class(&mut self, flags: Flags) -> Result<(), Refusal> {
        self.out.push('[');
        if self.take('^') {
            self.out.push('^');
        }
        let start = self.at;
        loop {
            let c = self.next().ok_or_else(|| Refusal::invalid(OPEN))?;
            if c == ']' && self.at > start + 1 {
                break;
            }
            let first = self.element(c)?;
            if !self.take('-') {
                self.write_element(&first, flags);
                continue;
            }
            let c = self.next().ok_or_else(|| Refusal::invalid(OPEN))?;
            if c == ']' {
                self.write_element(&first, flags);
                self.literal(u32::from('-'));
                break;
            }
            let (Element::Character(from), Element::Character(to)) = (first, self.element(c)?) else {
                return Err(Refusal::invalid("bad character range: an end of it is a set"));
            };
            if to < from {
                return Err(Refusal::invalid("bad character range: its ends are reversed"));
            }
            self.literal(from);
            self.out.push('-');
            self.literal(to);
        }
        self.out.push(']');
        Ok(())
    }

    fn element(&mut self, c: char) -> Result<Element, Refusal> {
        if c == '\\' { self.escape_in_class() } else { Ok(Element::Character(u32::from(c))) }
    }

    fn write_element(&mut self, element: &Element, flags: Flags) {
        match *element {
            Element::Character(code) => self.literal(code),
            Element::Set(name) => self.set(name, flags),
        }
    }
}
