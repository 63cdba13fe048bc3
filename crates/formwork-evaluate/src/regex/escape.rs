//! Escapes, and references to groups.

use super::Refusal;
use super::dialect::{Dialect, JAVA_VERTICAL};
use super::parser::Parser;
use super::properties::property;
use super::tree::{Assertion, Class, Escape, Flags, Fold, Group, Guard, Part, Set};

impl Parser {
    /// Reads an escape; its backslash was read.
    pub(super) fn escape(&mut self, flags: Flags, is_in_class: bool) -> Result<Escape, Refusal> {
        let c = self.next().ok_or_else(|| Refusal::invalid(self.table.words.backslash))?;
        if self.dialect == Dialect::Java && self.dialect.fold(flags) == Fold::All && "wWdDsShHpP".contains(c) {
            self.unsupported(&format!("`\\{c}` is not supported with the flags `iu`"));
        }
        if let Some(set) = self.table.set(c, flags.has('a')) {
            return Ok(Escape::Set(set));
        }
        if let Some(&(_, assertion)) = self.table.assertions.iter().find(|row| row.0 == c && !is_in_class) {
            return Ok(Escape::Part(Part::Assertion(self.assertion(assertion, flags))));
        }
        if let Some(&(_, character)) = self.table.characters.iter().find(|row| row.0 == c) {
            return Ok(Escape::Character(u32::from(character), true));
        }
        if !c.is_ascii_alphanumeric() {
            return Ok(Escape::Character(u32::from(c), false));
        }
        match self.dialect {
            Dialect::Java => self.escape_of_java(c, flags, is_in_class),
            Dialect::Python => self.escape_of_python(c, flags, is_in_class),
        }
    }

    fn assertion(&mut self, assertion: Assertion, flags: Flags) -> Assertion {
        let Assertion::Boundary { is_negated, .. } = assertion else { return assertion };
        match self.dialect {
            Dialect::Java => self.guards.push(Guard::BOUNDARY),
            Dialect::Python => self.guards.extend(is_negated.then_some(Guard::EMPTY)),
        }
        Assertion::Boundary { is_negated, is_ascii: flags.has('a') }
    }

    fn escape_of_java(&mut self, c: char, flags: Flags, is_in_class: bool) -> Result<Escape, Refusal> {
        let code = match c {
            'R' if !is_in_class => {
                let both = Part::Sequence(vec![Part::Char('\r', Fold::None), Part::Char('\n', Fold::None)]);
                let one = Set { is_negated: false, plain: JAVA_VERTICAL.to_owned(), others: String::new() };
                let either = Part::Choice(vec![both, Part::Class(Class::of(one), Fold::None)]);
                return Ok(Escape::Part(Part::Group(Group::Plain, Box::new(either))));
            }
            'c' => self.next().map(|control| u32::from(control) ^ 64).ok_or("`\\c` does not name a character"),
            '0' => u32::from_str_radix(&self.digits_of(8, 3), 8).map_err(|_| "`\\0` needs octal digits"),
            'u' => self.utf16().ok_or("`\\u` needs four hexadecimal digits"),
            'x' => {
                let is_braced = self.take('{');
                let digits = if is_braced { self.until('}').unwrap_or_default() } else { self.digits_of(16, 2) };
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| is_braced || digits.len() == 2);
                code.ok_or("`\\x` needs hexadecimal digits")
            }
            'p' | 'P' => {
                let name = if self.take('{') { self.until('}') } else { self.next().map(String::from) };
                let name = name.unwrap_or_default();
                let set = property(&name, c == 'P', flags.has('i'));
                return set.map(Escape::Set).map_err(Refusal::Unsupported);
            }
            '1'..='9' if !is_in_class => {
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.unsupported(&format!("a digit behind the reference `\\{c}` is not supported"));
                }
                return Ok(Escape::Part(self.reference(c as usize - '0' as usize, flags)?));
            }
            'k' if !is_in_class => {
                let name = if self.take('<') { self.until('>') } else { None };
                let number = name.and_then(|name| self.names.get(&name).copied());
                // The number is resolved once all groups are read.
                return Ok(Escape::Part(self.reference(number.unwrap_or(usize::MAX), flags)?));
            }
            'N' | 'X' => return Err(Refusal::unsupported(format!("`\\{c}` is not supported"))),
            _ => return Err(Refusal::unsupported(format!("`\\{c}` is not an escape"))),
        };
        Ok(Escape::Character(code.map_err(Refusal::unsupported)?, true))
    }

    fn escape_of_python(&mut self, c: char, flags: Flags, is_in_class: bool) -> Result<Escape, Refusal> {
        let code = match c {
            'b' => 8,
            '0' => octal(&format!("0{}", self.digits_of(8, 2)))?,
            '1'..='7' if is_in_class => octal(&format!("{c}{}", self.digits_of(8, 2)))?,
            '1'..='9' if !is_in_class => return self.number(c, flags),
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
            c => return Err(Refusal::invalid(format!("bad escape \\{c}"))),
        };
        Ok(Escape::Character(code, true))
    }

    /// Reads a reference of Python to a group, or the code of a character in three octal digits.
    fn number(&mut self, first: char, flags: Flags) -> Result<Escape, Refusal> {
        let mut digits = String::from(first);
        digits.extend(self.take_if(|c| c.is_ascii_digit()));
        if digits.len() == 2 && digits.chars().all(|c| c.is_digit(8)) {
            digits.extend(self.take_if(|c| c.is_digit(8)));
        }
        if digits.len() == 3 {
            return octal(&digits).map(|code| Escape::Character(code, true));
        }
        self.reference(digits.parse().unwrap_or(0), flags).map(Escape::Part)
    }

    fn hexadecimal(&mut self, c: char, count: usize) -> Result<u32, Refusal> {
        let digits = self.digits_of(16, count);
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == count);
        let code = code.ok_or_else(|| Refusal::invalid(format!("incomplete escape \\{c}{digits}")))?;
        if code > u32::from(char::MAX) { Err(Refusal::invalid(format!("bad escape \\{c}{digits}"))) } else { Ok(code) }
    }

    /// Reads the code of a character after `\u` of Java: beyond U+FFFF both halves are written, `\uD83D\uDE00`.
    fn utf16(&mut self) -> Option<u32> {
        let unit = |parser: &mut Parser| {
            let digits = parser.digits_of(16, 4);
            u16::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4)
        };
        let first = unit(self)?;
        let start = self.at;
        if self.take('\\')
            && self.take('u')
            && let Some(second) = unit(self)
            && let Some(Ok(whole)) = char::decode_utf16([first, second]).next()
            && whole > '\u{ffff}'
        {
            return Some(u32::from(whole));
        }
        self.at = start;
        Some(u32::from(first))
    }

    pub(super) fn reference(&mut self, number: usize, flags: Flags) -> Result<Part, Refusal> {
        if self.dialect == Dialect::Python {
            match number.checked_sub(1).and_then(|at| self.widths.get(at)) {
                None => return Err(Refusal::invalid(format!("invalid group reference {number}"))),
                Some(None) => return Err(Refusal::invalid("cannot refer to an open group")),
                Some(Some(_)) => {}
            }
            if self.behind > 0 {
                self.unsupported("a reference to a group is not supported in a group that looks behind");
            }
        }
        if flags.has('i') {
            self.unsupported("a reference to a group is not supported where case does not matter");
        }
        Ok(Part::Back(number))
    }
}

fn octal(digits: &str) -> Result<u32, Refusal> {
    match u32::from_str_radix(digits, 8) {
        Ok(code) if code <= 0o377 => Ok(code),
        _ => Err(Refusal::invalid(format!("octal escape value \\{digits} outside of range 0-0o377"))),
    }
}
