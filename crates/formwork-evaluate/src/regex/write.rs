//! Writing a pattern for the engine.

use std::fmt::Write as _;

use super::dialect::Dialect;
use super::tree::{Assertion, Bounds, Class, Fold, Group, Item, Part, Set};

pub(super) fn pattern(tree: &Part, dialect: Dialect, is_plain: bool) -> String {
    let mut writer = Writer { out: String::from(r"\A(?:"), dialect, is_plain };
    writer.part(tree);
    writer.out.push_str(if dialect == Dialect::Java { r")\z" } else { ")" });
    writer.out
}

struct Writer {
    out: String,
    dialect: Dialect,
    is_plain: bool,
}

impl Writer {
    fn part(&mut self, part: &Part) {
        match part {
            &Part::Char(c, Fold::Ascii) if c.is_ascii_alphabetic() => {
                self.out.extend(['[', c.to_ascii_lowercase(), c.to_ascii_uppercase(), ']']);
            }
            &Part::Char(c, fold) => self.folded(fold, |writer| writer.literal(c)),
            Part::Any => self.out.push_str("(?s:.)"),
            Part::Class(class, fold) => self.folded(*fold, |writer| writer.class(class, *fold)),
            Part::Assertion(assertion) => self.assertion(*assertion),
            Part::Group(group, inner) => {
                let opening = match group {
                    Group::Captured => "",
                    Group::Plain => "?:",
                    Group::Atomic => "?>",
                    Group::Look(opening) => opening,
                };
                self.out.push('(');
                self.out.push_str(opening);
                self.part(inner);
                self.out.push(')');
            }
            // A digit may follow.
            Part::Back(number) => drop(write!(self.out, r"(?:\{number})")),
            Part::Repeat(inner, bounds) => self.repeat(inner, *bounds),
            Part::Sequence(parts) => parts.iter().for_each(|part| self.part(part)),
            Part::Choice(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.out.push_str(if at > 0 { "|" } else { "" });
                    self.part(part);
                }
            }
        }
    }

    fn folded(&mut self, fold: Fold, write: impl FnOnce(&mut Writer)) {
        self.out.push_str(if fold == Fold::All { "(?i:" } else { "" });
        write(self);
        self.out.push_str(if fold == Fold::All { ")" } else { "" });
    }

    fn literal(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.out.push(c);
        } else {
            let _ = write!(self.out, r"\x{{{:X}}}", u32::from(c));
        }
    }

    fn repeat(&mut self, inner: &Part, Bounds { least, most, mark }: Bounds) {
        self.out.push_str(if mark == Some('+') { "(?>" } else { "" });
        self.part(inner);
        match (least, most) {
            (0, None) => self.out.push('*'),
            (1, None) => self.out.push('+'),
            (0, Some(1)) => self.out.push('?'),
            (least, None) => drop(write!(self.out, "{{{least},}}")),
            (least, Some(most)) => drop(write!(self.out, "{{{least},{most}}}")),
        }
        self.out.push_str(match mark {
            Some('?') => "?",
            Some(_) => ")",
            None => "",
        });
    }

    fn class(&mut self, class: &Class, fold: Fold) {
        self.out.push_str(if class.is_negated { "[^" } else { "[" });
        // `[:` would begin the name of a class in the engine.
        if let Some(Item::Range(':', _)) = class.operands.first().and_then(|items| items.first()) {
            self.out.push(':');
        }
        for (at, items) in class.operands.iter().enumerate() {
            self.out.push_str(if at > 0 { "&&" } else { "" });
            for item in items {
                match item {
                    &Item::Range(first, last) => self.range(first, last, fold),
                    Item::Set(set) => self.set(set),
                    Item::Class(class) => self.class(class, fold),
                }
            }
        }
        self.out.push(']');
    }

    fn range(&mut self, first: char, last: char, fold: Fold) {
        let mut write = |first: char, last: char| {
            self.literal(first);
            if first != last {
                self.out.push('-');
                self.literal(last);
            }
        };
        write(first, last);
        for (from, to, other) in [('a', 'z', 'A'), ('A', 'Z', 'a')] {
            let (low, high) = (first.max(from), last.min(to));
            if low <= high && fold == Fold::Ascii {
                let swapped = |c: char| char::from(c as u8 - from as u8 + other as u8);
                write(swapped(low), swapped(high));
            }
        }
    }

    fn set(&mut self, set: &Set) {
        let characters = if self.is_plain { &set.plain } else { &set.others };
        self.out.push_str(if set.is_negated { "[^" } else { "[" });
        self.out.push_str(characters);
        self.out.push(']');
    }

    fn assertion(&mut self, assertion: Assertion) {
        self.out.push_str(match assertion {
            Assertion::Start => r"\A",
            Assertion::End => r"\z",
            Assertion::LineStart => "(?m:^)",
            Assertion::LineEnd => "(?m:$)",
            Assertion::LastLine if self.is_plain => r"\z",
            Assertion::LastLine => r"(?=\n?\z)",
            Assertion::Boundary { is_negated, .. } if self.is_plain => {
                if is_negated {
                    r"\B"
                } else {
                    r"\b"
                }
            }
            Assertion::Boundary { is_negated, is_ascii } => return self.boundary(is_negated, is_ascii),
        });
    }

    /// Writes a boundary, because words of the engine have other characters.
    fn boundary(&mut self, is_negated: bool, is_ascii: bool) {
        let Some(word) = self.dialect.table().set('w', is_ascii) else { return };
        let (before, after) = if is_negated { ("(?=", "(?!") } else { ("(?!", "(?=") };
        for part in ["(?:(?<=", before, "|(?<!", after] {
            self.out.push_str(part);
            self.set(&word);
            self.out.push(')');
        }
        self.out.push(')');
    }
}
