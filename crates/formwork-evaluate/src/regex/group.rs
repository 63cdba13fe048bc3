//! Alternatives, sequences, and groups of alternatives.

use super::Refusal;
use super::dialect::Dialect;
use super::flags::add;
use super::parser::Parser;
use super::tree::{Assertion, Class, Escape, Flags, Fold, Group, Guard, Part, Set};

const END: &str = "unexpected end of pattern";

impl Parser {
    pub(super) fn alternatives(&mut self, flags: &mut Flags) -> Result<Part, Refusal> {
        let first = self.sequence(flags)?;
        if self.peek() != Some('|') {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.take('|') {
            all.push(self.sequence(flags)?);
        }
        Ok(Part::Choice(all))
    }

    fn sequence(&mut self, flags: &mut Flags) -> Result<Part, Refusal> {
        let mut parts = Vec::new();
        loop {
            if flags.has('x') {
                self.skip_remarks();
            }
            if matches!(self.peek(), None | Some('|' | ')')) {
                return Ok(Part::Sequence(parts));
            }
            if let Some(bounds) = self.bounds(parts.is_empty())? {
                let part = self.repeat(parts.pop(), bounds)?;
                parts.push(part);
            } else if let Some(part) = self.part(flags)? {
                parts.push(part);
            }
        }
    }

    /// Reads a part that is not a repetition; `None` for a comment, after which the part before it can be repeated.
    fn part(&mut self, flags: &mut Flags) -> Result<Option<Part>, Refusal> {
        let Some(c) = self.next() else { return Ok(None) };
        let fold = self.dialect.fold(*flags);
        self.ignores_case |= flags.has('i') && self.dialect == Dialect::Python;
        let of_set =
            |characters: &str| Set { is_negated: true, plain: characters.to_owned(), others: characters.to_owned() };
        Ok(Some(match c {
            '(' => return self.deeper("groups in groups", |parser| parser.group(flags)),
            '[' => Part::Class(self.class(*flags)?, fold),
            '\\' => match self.escape(*flags, false)? {
                Escape::Character(code, _) => Part::Char(self.character(code), fold),
                Escape::Set(set) => Part::Class(Class::of(set), fold),
                Escape::Part(part) => part,
            },
            '.' if flags.has('s') => Part::Any,
            '.' if flags.has('d') => Part::Class(Class::of(of_set(r"\n")), Fold::None),
            '.' => Part::Class(Class::of(of_set(self.table.line_ends)), Fold::None),
            '^' | '$' => Part::Assertion(self.end_of_line(c == '^', *flags)),
            c => Part::Char(self.character(u32::from(c)), fold),
        }))
    }

    fn end_of_line(&mut self, is_start: bool, flags: Flags) -> Assertion {
        match (self.dialect, is_start) {
            (Dialect::Java, true) => Assertion::Start,
            (Dialect::Java, false) => {
                self.guards.extend(self.peek().map(|_| Guard::BEFORE_END));
                Assertion::End
            }
            (Dialect::Python, true) if flags.has('m') => Assertion::LineStart,
            (Dialect::Python, true) => Assertion::Start,
            (Dialect::Python, false) if flags.has('m') => Assertion::LineEnd,
            (Dialect::Python, false) => Assertion::LastLine,
        }
    }

    /// Skips whitespace and comments, which the flag `x` allows between parts.
    fn skip_remarks(&mut self) {
        loop {
            if self.take('#') {
                while self.next().is_some_and(|c| c != '\n') {}
            } else if self.take_if(|c| " \t\n\r\u{b}\u{c}".contains(c)).is_none() {
                return;
            }
        }
    }

    /// Reads a group; its parenthesis was read. `None` for a comment.
    fn group(&mut self, flags: &mut Flags) -> Result<Option<Part>, Refusal> {
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

    /// Reads a lookbehind, in Java also a group with a name, after `(?`.
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

    /// Reads flags of Java for a group or for the rest of the one around.
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

    /// Reads a group of Python with a name, or a reference to one.
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

    /// Reads a group of Python that depends on whether another one matched; it is only checked.
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
}

/// Returns `true` if Python accepts a string as a name; approximate for letters beyond ASCII.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
