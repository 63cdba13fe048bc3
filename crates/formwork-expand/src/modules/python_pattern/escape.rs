//! Escapes.

use super::flags::Flags;
use super::parser::{Parser, Role};
use super::width::Width;
use super::{Refusal, Values};

/// A character, or a set of characters.
pub(super) enum Element {
    Character(u32),
    /// The set with this name, in upper case all others.
    Set(char),
}

impl Parser {
    /// Reads an escape outside of classes, whose backslash was read.
    pub(super) fn escape(&mut self, flags: Flags) -> Result<(Role, Width), Refusal> {
        let c = self.escaped()?;
        match c {
            'A' => self.out.push_str(r"\A"),
            'Z' => self.out.push_str(r"\z"),
            'b' | 'B' => self.boundary(c, flags),
            '1'..='9' => return self.number(c, flags),
            c => {
                match self.common(c)? {
                    Element::Character(code) => self.literal(code),
                    Element::Set(name) => self.set(name, flags),
                }
                return Ok((Role::Unit, Width::ONE));
            }
        }
        Ok((Role::Position, Width::NONE))
    }

    /// Writes the place between a character of a word and another one, `b`, or any other place.
    fn boundary(&mut self, name: char, flags: Flags) {
        self.has_non_boundary |= name == 'B';
        if self.values == Values::Plain {
            self.out.extend(['\\', name]);
            return;
        }
        let (before, after) = if name == 'b' { ('!', '=') } else { ('=', '!') };
        let mut look = |kind: &str| {
            self.out.push_str(kind);
            self.set('w', flags);
            self.out.push(')');
        };
        look("(?:(?<=");
        look(&format!("(?{before}"));
        look("|(?<!");
        look(&format!("(?{after}"));
        self.out.push(')');
    }

    /// Reads an escape in a class, whose backslash was read.
    pub(super) fn escape_in_class(&mut self) -> Result<Element, Refusal> {
        match self.escaped()? {
            'b' => Ok(Element::Character(8)),
            c @ '1'..='7' => {
                let digits = format!("{c}{}", self.digits_of(8, 2));
                octal(&digits).map(Element::Character)
            }
            c => self.common(c),
        }
    }

    fn escaped(&mut self) -> Result<char, Refusal> {
        self.next().ok_or_else(|| Refusal::invalid("bad escape (end of pattern)"))
    }

    /// An escape that is the same everywhere, by its first character.
    fn common(&mut self, c: char) -> Result<Element, Refusal> {
        let code = match c {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => return Ok(Element::Set(c)),
            'a' => 7,
            't' => 9,
            'n' => 10,
            'v' => 11,
            'f' => 12,
            'r' => 13,
            '0' => octal(&format!("0{}", self.digits_of(8, 2)))?,
            'x' => self.hexadecimal(c, 2)?,
            'u' => self.hexadecimal(c, 4)?,
            'U' => self.hexadecimal(c, 8)?,
            'N' => {
                self.unsupported("`\\N` is not supported");
                let name = if self.take('{') { self.until('}') } else { None };
                name.map(|_| 0).ok_or_else(|| Refusal::invalid("`\\N` is not followed by a name in braces"))?
            }
            // Newer versions of Python have it.
            'z' => {
                self.unsupported("`\\z` is not supported: write `\\Z`");
                0
            }
            c if c.is_ascii_alphanumeric() => return Err(Refusal::invalid(format!("bad escape \\{c}"))),
            c => u32::from(c),
        };
        Ok(Element::Character(code))
    }

    fn hexadecimal(&mut self, c: char, count: usize) -> Result<u32, Refusal> {
        let digits = self.digits_of(16, count);
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == count);
        let code = code.ok_or_else(|| Refusal::invalid(format!("incomplete escape \\{c}{digits}")))?;
        if code > u32::from(char::MAX) { Err(Refusal::invalid(format!("bad escape \\{c}{digits}"))) } else { Ok(code) }
    }

    /// A reference to a group, or the code of a character in three octal digits.
    fn number(&mut self, first: char, flags: Flags) -> Result<(Role, Width), Refusal> {
        let mut digits = String::from(first);
        digits.extend(self.take_if(|c| c.is_ascii_digit()));
        if digits.len() == 2 && digits.chars().all(|c| c.is_digit(8)) {
            digits.extend(self.take_if(|c| c.is_digit(8)));
        }
        if digits.len() == 3 {
            let code = octal(&digits)?;
            self.literal(code);
            return Ok((Role::Unit, Width::ONE));
        }
        let number = digits.parse().unwrap_or(0);
        Ok((Role::Unit, self.reference(number, flags)?))
    }

    /// Writes a set: inside of a class, or as a class of its own.
    pub(super) fn set(&mut self, name: char, flags: Flags) {
        let is_ascii = flags.is_ascii || self.values == Values::Plain;
        let characters = match name.to_ascii_lowercase() {
            'd' if is_ascii => "0-9",
            'd' => r"\p{Nd}",
            's' if flags.is_ascii => r" \t-\r",
            's' if is_ascii => r" \t-\r\x1C-\x1F",
            's' => r"\s\x1C-\x1F",
            'w' if is_ascii => "0-9A-Z_a-z",
            _ => r"\p{L}\p{N}_",
        };
        self.out.push_str(if name.is_ascii_uppercase() { "[^" } else { "[" });
        self.out.push_str(characters);
        self.out.push(']');
    }
}

fn octal(digits: &str) -> Result<u32, Refusal> {
    match u32::from_str_radix(digits, 8) {
        Ok(code) if code <= 0o377 => Ok(code),
        _ => Err(Refusal::invalid(format!("octal escape value \\{digits} outside of range 0-0o377"))),
    }
}
