//! Groups, references to them, and flags.

use super::Refusal;
use super::dialect::Dialect;
use super::parser::Parser;
use super::tree::{Flags, Group, Guard, Part};

const END: &str = "unexpected end of pattern";

impl Parser {
    /// Reads a group whose parenthesis was read; none for a comment.
    pub(super) fn group(&mut self, flags: &mut Flags) -> Result<Option<Part>, Refusal> {
        if !self.take('?') {
            return self.captured(None, *flags).map(Some);
        }
        let is_python = self.dialect == Dialect::Python;
        let group = match self.peek() {
            Some(':') => Group::Plain,
            Some('>') => Group::Atomic,
            Some('=') => Group::Look("?="),
            Some('!') => Group::Look("?!"),
            Some('<') => return self.behind(*flags).map(Some),
            Some('P') if is_python => return self.named(*flags).map(Some),
            Some('#') if is_python => {
                self.until(')').ok_or_else(|| Refusal::invalid("missing ), unterminated comment"))?;
                return Ok(None);
            }
            Some('(') if is_python => return self.conditional(*flags).map(Some),
            Some(c) if !is_python || c == '-' || self.table.flags.contains(c) => {
                return if is_python { self.with_flags(*flags) } else { self.with_flags_of_java(flags) }.map(Some);
            }
            Some(c) => return Err(Refusal::invalid(format!("unknown extension ?{c}"))),
            None if is_python => return Err(Refusal::invalid(END)),
            None => return Err(Refusal::invalid(self.table.words.open_group)),
        };
        self.at += 1;
        self.inside(group, *flags).map(Some)
    }

    /// Reads the alternatives of a group and its end.
    fn inside(&mut self, group: Group, mut flags: Flags) -> Result<Part, Refusal> {
        let inner = self.alternatives(&mut flags)?;
        self.end()?;
        Ok(Part::Group(group, Box::new(inner)))
    }

    fn end(&mut self) -> Result<(), Refusal> {
        if self.take(')') { Ok(()) } else { Err(Refusal::invalid(self.table.words.open_group)) }
    }

    fn captured(&mut self, name: Option<String>, flags: Flags) -> Result<Part, Refusal> {
        let at = self.widths.len();
        self.widths.push(None);
        self.names.extend(name.map(|name| (name, at + 1)));
        let group = self.inside(Group::Captured, flags)?;
        self.widths[at] = Some(group.width(&self.widths));
        Ok(group)
    }

    /// A group that looks behind, in Java also one with a name; `(?` was read.
    fn behind(&mut self, flags: Flags) -> Result<Part, Refusal> {
        self.at += 1;
        let group = match self.peek() {
            Some('=') => Group::Look("?<="),
            Some('!') => Group::Look("?<!"),
            _ if self.dialect == Dialect::Java => {
                let name = self.take_while(|c| c.is_ascii_alphanumeric());
                let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && self.take('>');
                if !is_name {
                    return Err(Refusal::unsupported("the name of a group must be alphanumeric"));
                }
                if self.names.get(&name).copied().is_some() {
                    self.unsupported("two groups have one name");
                }
                return self.captured(Some(name), flags);
            }
            Some(kind) => return Err(Refusal::invalid(format!("unknown extension ?<{kind}"))),
            None => return Err(Refusal::invalid(END)),
        };
        self.at += 1;
        self.behind += 1;
        let part = self.inside(group, flags)?;
        self.behind -= 1;
        if let (Part::Group(_, inner), Dialect::Python) = (&part, self.dialect) {
            let (least, most) = inner.width(&self.widths);
            if least != most {
                return Err(Refusal::invalid("look-behind requires fixed-width pattern"));
            }
        }
        Ok(part)
    }

    /// Java: flags for a group or for the rest of the one around.
    fn with_flags_of_java(&mut self, flags: &mut Flags) -> Result<Part, Refusal> {
        let (mut inner, mut is_on) = (*flags, true);
        loop {
            match self.next() {
                None => return Err(Refusal::invalid(self.table.words.open_group)),
                Some('-') if is_on => is_on = false,
                Some(')') => {
                    *flags = inner;
                    self.at -= 1;
                    self.end()?;
                    return Ok(Part::Sequence(Vec::new()));
                }
                Some(':') => return self.inside(Group::Plain, inner),
                Some(flag @ ('x' | 'U')) => {
                    return Err(Refusal::unsupported(format!("the flag `{flag}` is not supported")));
                }
                Some(flag) if self.table.flags.contains(flag) => {
                    inner.set(flag, is_on);
                    self.guards.extend(inner.has('m').then_some(Guard::LINES));
                }
                Some(flag) => return Err(Refusal::unsupported(format!("`(?{flag}` opens no group of Java"))),
            }
        }
    }

    /// Python: reads the flags of the whole pattern, which are written at its start.
    pub(super) fn flags_of_all(&mut self, flags: &mut Flags) -> Result<(), Refusal> {
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
            let own = self.letters();
            if own.is_empty() || !self.take(')') {
                self.at = start;
                break;
            }
            letters.push_str(&own);
            add(flags, &own)?;
        }
        add(flags, &letters)
    }

    fn letters(&mut self) -> String {
        let letters = self.table.flags;
        self.take_while(|c| letters.contains(c))
    }

    /// Python: a group with flags of its own.
    fn with_flags(&mut self, flags: Flags) -> Result<Part, Refusal> {
        let added = self.letters();
        let mut inner = flags;
        add(&mut inner, &added)?;
        if !added.is_empty() && self.take(')') {
            return Err(Refusal::invalid("global flags not at the start of the expression"));
        }
        if self.take('-') {
            let removed = self.letters();
            if removed.is_empty() {
                return Err(Refusal::invalid("missing flag"));
            }
            if removed.contains(['a', 'u', 'L']) {
                return Err(Refusal::invalid("cannot turn off flags 'a', 'u' and 'L'"));
            }
            removed.chars().for_each(|letter| inner.set(letter, false));
            if removed.chars().any(|letter| added.contains(letter)) {
                return Err(Refusal::invalid("bad inline flags: flag turned on and off"));
            }
        }
        match self.next() {
            Some(':') => self.inside(Group::Plain, inner),
            Some(c) if c.is_alphabetic() => Err(Refusal::invalid("unknown flag")),
            _ => Err(Refusal::invalid("missing -, : or )")),
        }
    }

    /// Python: a group with a name, or a reference to one.
    fn named(&mut self, flags: Flags) -> Result<Part, Refusal> {
        self.at += 1;
        if self.take('<') {
            let name = self.name('>')?;
            if self.names.get(&name).copied().is_some() {
                return Err(Refusal::invalid(format!("redefinition of group name '{name}'")));
            }
            return self.captured(Some(name), flags);
        }
        if !self.take('=') {
            return Err(Refusal::invalid("unknown extension ?P"));
        }
        let name = self.name(')')?;
        let number = self.names.get(&name).copied();
        self.reference(number.ok_or_else(|| Refusal::invalid(format!("unknown group name '{name}'")))?, flags)
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

    /// Python: a group that depends on whether another one matched, which is only looked through.
    fn conditional(&mut self, flags: Flags) -> Result<Part, Refusal> {
        self.at += 1;
        let name = self.until(')').ok_or_else(|| Refusal::invalid("missing ), unterminated name"))?;
        let number = if is_name(&name) {
            let number = self.names.get(&name).copied();
            number.ok_or_else(|| Refusal::invalid(format!("unknown group name '{name}'")))?
        } else {
            let number = name.parse::<usize>().ok().filter(|_| name.bytes().all(|byte| byte.is_ascii_digit()));
            number.ok_or_else(|| Refusal::invalid(format!("bad character in group name '{name}'")))?
        };
        if number == 0 {
            return Err(Refusal::invalid("bad group number"));
        }
        self.last_condition = self.last_condition.max(number);
        self.unsupported("a group that depends on another one is not supported");
        match self.inside(Group::Plain, flags)? {
            Part::Group(_, inner) if matches!(&*inner, Part::Choice(parts) if parts.len() > 2) => {
                Err(Refusal::invalid("conditional backref with more than two branches"))
            }
            // Without a second branch it may match nothing.
            Part::Group(group, inner) if !matches!(&*inner, Part::Choice(_)) => {
                let parts = vec![*inner, Part::Sequence(Vec::new())];
                Ok(Part::Group(group, Box::new(Part::Choice(parts))))
            }
            part => Ok(part),
        }
    }

    /// A reference to a group.
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

/// Switches on what letters of Python name.
fn add(flags: &mut Flags, letters: &str) -> Result<(), Refusal> {
    if letters.contains('L') {
        return Err(Refusal::invalid("cannot use LOCALE flag with a str pattern"));
    }
    if letters.contains('a') && letters.contains('u') {
        return Err(Refusal::invalid("ASCII and UNICODE flags are incompatible"));
    }
    letters.chars().for_each(|letter| flags.set(letter, true));
    Ok(())
}

/// Whether Python takes a text for a name; not known for letters beyond ASCII.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
