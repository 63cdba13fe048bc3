//! Groups, references to them, and flags.

use std::fmt::Write as _;

use super::Refusal;
use super::flags::{Flags, LETTERS};
use super::names::is_name;
use super::parser::{Parser, Role};
use super::width::Width;

const OPEN: &str = "missing ), unterminated subpattern";
const END: &str = "unexpected end of pattern";

impl Parser {
    /// Reads the flags of the whole pattern, which are written at its start.
    pub(super) fn flags_of_all(&mut self) -> Result<Flags, Refusal> {
        let mut flags = Flags::default();
        let mut letters = String::new();
        loop {
            let start = self.at;
            if !(self.take('(') && self.take('?')) {
                self.at = start;
                break;
            }
            if self.take('#') {
                self.until(')').ok_or_else(|| Refusal::invalid("missing ), unterminated comment"))?;
                continue;
            }
            let own: String = std::iter::from_fn(|| self.take_if(|c| LETTERS.contains(c))).collect();
            if own.is_empty() || !self.take(')') {
                self.at = start;
                break;
            }
            letters.push_str(&own);
            flags.add(&own)?;
        }
        if letters.contains('a') && letters.contains('u') {
            return Err(Refusal::invalid("ASCII and UNICODE flags are incompatible"));
        }
        Ok(flags)
    }

    /// Reads a group whose parenthesis was read; none for a comment.
    pub(super) fn group(&mut self, flags: Flags) -> Result<Option<(Role, Width)>, Refusal> {
        if !self.take('?') {
            return self.numbered(None, flags).map(Some);
        }
        let c = self.next().ok_or_else(|| Refusal::invalid(END))?;
        match c {
            'P' if self.take('<') => {
                let name = self.name('>')?;
                if self.groups.number(&name).is_some() {
                    return Err(Refusal::invalid(format!("redefinition of group name '{name}'")));
                }
                self.numbered(Some(name), flags).map(Some)
            }
            'P' if self.take('=') => {
                let name = self.name(')')?;
                let number = self.groups.number(&name);
                let number = number.ok_or_else(|| Refusal::invalid(format!("unknown group name '{name}'")))?;
                Ok(Some((Role::Unit, self.reference(number, flags)?)))
            }
            'P' => Err(Refusal::invalid("unknown extension ?P")),
            ':' => self.plain("(?:", flags).map(|width| Some((Role::Unit, width))),
            '>' => self.plain("(?>", flags).map(|width| Some((Role::Unit, width))),
            '#' => {
                self.until(')').ok_or_else(|| Refusal::invalid("missing ), unterminated comment"))?;
                Ok(None)
            }
            '=' | '!' => {
                self.plain(&format!("(?{c}"), flags)?;
                Ok(Some((Role::Look, Width::NONE)))
            }
            '<' => {
                let kind = self.next().ok_or_else(|| Refusal::invalid(END))?;
                if !"=!".contains(kind) {
                    return Err(Refusal::invalid(format!("unknown extension ?<{kind}")));
                }
                self.behind += 1;
                let width = self.plain(&format!("(?<{kind}"), flags)?;
                self.behind -= 1;
                if !width.is_fixed() {
                    return Err(Refusal::invalid("look-behind requires fixed-width pattern"));
                }
                Ok(Some((Role::Look, Width::NONE)))
            }
            '(' => self.conditional(flags).map(|width| Some((Role::Unit, width))),
            c if c == '-' || LETTERS.contains(c) => self.with_flags(c, flags).map(Some),
            c => Err(Refusal::invalid(format!("unknown extension ?{c}"))),
        }
    }

    fn numbered(&mut self, name: Option<String>, flags: Flags) -> Result<(Role, Width), Refusal> {
        let number = self.groups.open(name);
        let width = self.plain("(", flags)?;
        self.groups.close(number, width);
        Ok((Role::Unit, width))
    }

    /// Reads the alternatives of a group and its end.
    fn plain(&mut self, opening: &str, flags: Flags) -> Result<Width, Refusal> {
        self.out.push_str(opening);
        let width = self.alternatives(flags)?;
        self.end()?;
        Ok(width)
    }

    fn end(&mut self) -> Result<(), Refusal> {
        self.out.push(')');
        if self.take(')') { Ok(()) } else { Err(Refusal::invalid(OPEN)) }
    }

    fn name(&mut self, end: char) -> Result<String, Refusal> {
        let missing = || Refusal::invalid(format!("missing {end}, unterminated name"));
        let name = self.until(end).ok_or_else(missing)?;
        if name.is_empty() {
            return Err(Refusal::invalid("missing group name"));
        }
        if !name.is_ascii() {
            self.unsupported("a name of a group with other letters than those of ASCII is not supported");
        } else if !is_name(&name) {
            return Err(Refusal::invalid(format!("bad character in group name '{name}'")));
        }
        Ok(name)
    }

    /// A group with flags of its own, of which the first character was read.
    fn with_flags(&mut self, first: char, flags: Flags) -> Result<(Role, Width), Refusal> {
        self.at -= 1;
        let letters = |parser: &mut Parser| -> String {
            std::iter::from_fn(|| parser.take_if(|c| LETTERS.contains(c))).collect()
        };
        let added = letters(self);
        let mut inner = flags;
        inner.add(&added)?;
        if first != '-' && self.take(')') {
            return Err(Refusal::invalid("global flags not at the start of the expression"));
        }
        if self.take('-') {
            let removed = letters(self);
            if removed.is_empty() {
                return Err(Refusal::invalid("missing flag"));
            }
            inner.remove(&removed)?;
            if removed.chars().any(|letter| added.contains(letter)) {
                return Err(Refusal::invalid("bad inline flags: flag turned on and off"));
            }
        }
        match self.next() {
            Some(':') => {}
            None => return Err(Refusal::invalid("missing -, : or )")),
            Some(c) if c.is_alphabetic() => return Err(Refusal::invalid("unknown flag")),
            Some(_) => return Err(Refusal::invalid("missing -, : or )")),
        }
        self.ignores_case |= inner.ignores_case;
        let opening = match (flags.ignores_case, inner.ignores_case) {
            (false, true) => "(?i:",
            (true, false) => "(?-i:",
            _ => "(?:",
        };
        Ok((Role::Unit, self.plain(opening, inner)?))
    }

    /// A group that depends on whether another one matched, of which `(?(` was read.
    fn conditional(&mut self, flags: Flags) -> Result<Width, Refusal> {
        let missing = || Refusal::invalid("missing ), unterminated name");
        let name = self.until(')').ok_or_else(missing)?;
        let number = if is_name(&name) {
            self.groups.number(&name).ok_or_else(|| Refusal::invalid(format!("unknown group name '{name}'")))?
        } else {
            let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            let number = name.parse::<usize>().ok().filter(|_| is_number);
            number.ok_or_else(|| Refusal::invalid(format!("bad character in group name '{name}'")))?
        };
        if number == 0 {
            return Err(Refusal::invalid("bad group number"));
        }
        self.last_condition = self.last_condition.max(number);
        if number > self.groups.len() {
            self.unsupported("a condition about a group that follows is not supported");
        }
        let _ = write!(self.out, "(?({number})");
        let mut width = self.sequence(flags)?;
        if self.take('|') {
            self.out.push('|');
            width = width.or(self.sequence(flags)?);
            if self.peek() == Some('|') {
                return Err(Refusal::invalid("conditional backref with more than two branches"));
            }
        } else {
            width = width.or(Width::NONE);
        }
        self.end()?;
        Ok(width)
    }

    /// Writes a reference to a group.
    pub(super) fn reference(&mut self, number: usize, flags: Flags) -> Result<Width, Refusal> {
        if !(1..=self.groups.len()).contains(&number) {
            return Err(Refusal::invalid(format!("invalid group reference {number}")));
        }
        let width = self.groups.width(number).ok_or_else(|| Refusal::invalid("cannot refer to an open group"))?;
        if flags.ignores_case {
            self.unsupported("a reference to a group is not supported where case does not matter");
        }
        if self.behind > 0 {
            self.unsupported("a reference to a group is not supported in a group that looks behind");
        }
        let _ = write!(self.out, r"(?:\{number})");
        Ok(width)
    }
}
