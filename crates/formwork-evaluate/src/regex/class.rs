//! Character classes.

use super::Refusal;
use super::dialect::Dialect;
use super::parser::Parser;
use super::tree::{Class, Escape, Flags, Fold, Item};

impl Parser {
    /// Reads a character class; its bracket was read.
    pub(super) fn class(&mut self, flags: Flags) -> Result<Class, Refusal> {
        let start = self.at;
        self.open_class(flags).map_err(|refusal| match refusal {
            // In some engines a bracket in a class is literal: there it may end with one that closes another class.
            Refusal::Invalid(why) if why == self.table.words.open_class && self.closes_early(start) => {
                Refusal::Unsupported(why)
            }
            refusal => refusal,
        })
    }

    /// Returns `true` if a class that begins here ends if brackets in it are literal.
    fn closes_early(&self, start: usize) -> bool {
        let mut at = start + usize::from(self.chars.get(start) == Some(&'^'));
        let first = at;
        while let Some(c) = self.chars.get(at) {
            match c {
                '\\' => at += 1,
                ']' if at > first => return self.dialect == Dialect::Java,
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn open_class(&mut self, flags: Flags) -> Result<Class, Refusal> {
        let mut class = Class { is_negated: self.take('^'), operands: vec![Vec::new()] };
        let is_java = self.dialect == Dialect::Java;
        let start = self.at;
        loop {
            let c = self.next().ok_or_else(|| Refusal::invalid(self.table.words.open_class))?;
            let item = match c {
                // A bracket right after the opening one is literal.
                ']' if self.at > start + 1 => break,
                '[' if is_java => Item::Class(self.deeper("classes in classes", |parser| parser.open_class(flags))?),
                '&' if is_java && class.operands.len() > 1 => {
                    self.unsupported("another `&` in an intersection is not supported");
                    continue;
                }
                '&' if is_java && self.peek() == Some('&') => {
                    self.at += 1;
                    if self.at == start + 2 || self.peek().is_none_or(|next| "&]".contains(next)) {
                        self.unsupported("`&&` without a set on either side is not supported");
                    }
                    class.operands.push(Vec::new());
                    continue;
                }
                c => {
                    let element = self.element(c, flags)?;
                    self.item(element, flags)?
                }
            };
            if let Some(items) = class.operands.last_mut() {
                items.push(item);
            }
        }
        Ok(class)
    }

    fn element(&mut self, c: char, flags: Flags) -> Result<Escape, Refusal> {
        if c == '\\' { self.escape(flags, true) } else { Ok(Escape::Character(u32::from(c), false)) }
    }

    /// Reads the rest of an element: a range if a dash and another element follow.
    fn item(&mut self, element: Escape, flags: Flags) -> Result<Item, Refusal> {
        let next = self.chars.get(self.at + 1).copied();
        let is_java = self.dialect == Dialect::Java;
        if self.peek() != Some('-') || matches!(next, None | Some(']')) || is_java && next == Some('[') {
            return Ok(self.alone(element));
        }
        if is_java && let Escape::Set(_) = element {
            // After a set a dash is itself.
            return Ok(self.alone(element));
        }
        self.at += 2;
        if is_java && next == Some('-') {
            self.unsupported("`--` in a character class is not supported");
        }
        let last = self.element(next.unwrap_or('-'), flags)?;
        let (Escape::Character(from, is_named), Escape::Character(to, is_last_named)) = (element, last) else {
            if is_java {
                self.unsupported("invalid character class range");
                return Ok(Item::Range('-', '-'));
            }
            return Err(Refusal::invalid("bad character range: an end of it is a set"));
        };
        if to < from && is_java && (is_named || is_last_named || matches!(next, Some('-' | '&'))) {
            self.unsupported("invalid character class range");
        } else if to < from {
            return Err(Refusal::invalid(self.table.words.reversed_range));
        }
        if is_java && self.dialect.fold(flags) == Fold::All {
            self.unsupported("a range is not supported with the flags `iu`");
        }
        Ok(Item::Range(self.character(from), self.character(to)))
    }

    fn alone(&mut self, element: Escape) -> Item {
        match element {
            Escape::Set(set) => Item::Set(set),
            Escape::Character(code, _) => {
                let c = self.character(code);
                Item::Range(c, c)
            }
            Escape::Part(_) => Item::Range('\0', '\0'),
        }
    }
}
