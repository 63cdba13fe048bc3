//! Reading a pattern: sequences, alternatives and repetitions.

use rustc_hash::FxHashMap;

use super::dialect::{Dialect, Table};
use super::tree::{Bounds, Class, Escape, Flags, Fold, Group, Guard, Part, Place, Set, Width};
use super::{Refusal, references};

/// Groups in groups, or classes in classes, that are read.
const DEPTH: u32 = 60;

/// From here on Python does not count repetitions.
const MOST: u64 = 4_294_967_295;

/// A pattern that is read.
pub(super) struct Parser {
    pub(super) dialect: Dialect,
    pub(super) table: &'static Table,
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    /// The widths of the groups that were opened so far; not known while a group is open.
    pub(super) widths: Vec<Option<Width>>,
    /// The numbers of groups by their names.
    pub(super) names: FxHashMap<String, usize>,
    /// Groups that look behind around the current place.
    pub(super) behind: u32,
    /// The greatest number of a group that a condition names.
    pub(super) last_condition: usize,
    pub(super) guards: Vec<Guard>,
    /// The first part that is not supported.
    unsupported: Option<String>,
    /// Whether case does not matter in Python.
    ignores_case: bool,
    has_non_ascii: bool,
    depth: u32,
}

impl Parser {
    pub(super) fn new(pattern: &str, dialect: Dialect) -> Parser {
        Parser {
            dialect,
            table: dialect.table(),
            chars: if dialect == Dialect::Java { unquoted(pattern) } else { pattern.chars().collect() },
            at: 0,
            widths: Vec::new(),
            names: FxHashMap::default(),
            behind: 0,
            last_condition: 0,
            guards: Vec::new(),
            unsupported: None,
            ignores_case: false,
            has_non_ascii: false,
            depth: 0,
        }
    }

    /// Reads the whole pattern.
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
        if let Some(why) = references::fault(&tree) {
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

    /// Reads alternatives up to a closing parenthesis or the end.
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

    /// Reads parts one after the other.
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

    /// Reads a part that is not a repetition; none for a comment, which leaves what is before it to be repeated.
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
            '^' | '$' => Part::Place(self.end_of_line(c == '^', *flags)),
            c => Part::Char(self.character(u32::from(c)), fold),
        }))
    }

    /// Reads something that may be in another one of its kind.
    pub(super) fn deeper<T>(
        &mut self,
        what: &str,
        read: impl FnOnce(&mut Parser) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if self.depth == DEPTH {
            return Err(Refusal::unsupported(format!("more than {DEPTH} {what} are not supported")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn end_of_line(&mut self, is_start: bool, flags: Flags) -> Place {
        match (self.dialect, is_start) {
            (Dialect::Java, true) => Place::Start,
            (Dialect::Java, false) => {
                self.guards.extend(self.peek().map(|_| Guard::BEFORE_END));
                Place::End
            }
            (Dialect::Python, true) if flags.has('m') => Place::LineStart,
            (Dialect::Python, true) => Place::Start,
            (Dialect::Python, false) if flags.has('m') => Place::LineEnd,
            (Dialect::Python, false) => Place::LastLine,
        }
    }

    /// Reads the bounds of a repetition, if the next characters are some.
    fn bounds(&mut self, is_first: bool) -> Result<Option<Bounds>, Refusal> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let Some(bounds) = self.braces(is_first)? else { return Ok(None) };
                bounds
            }
            _ => return Ok(None),
        };
        self.at += 1;
        let mark = self.take_if(|c| c == '?' || c == '+');
        Ok(Some(Bounds { least, most, mark }))
    }

    /// Reads `{2}`, `{2,}`, `{2,3}`, in Python `{,3}` up to the closing brace; does not move when it is something else,
    /// which is literal in Python.
    fn braces(&mut self, is_first: bool) -> Result<Option<(u64, Option<u64>)>, Refusal> {
        let start = self.at;
        self.at += 1;
        let least = self.digits_of(10, usize::MAX);
        let most = if self.take(',') { self.digits_of(10, usize::MAX) } else { least.clone() };
        let is_java = self.dialect == Dialect::Java;
        let is_bounds = self.at > start + 1 && self.peek() == Some('}') && !(is_java && (is_first || least.is_empty()));
        let number = |digits: &str| digits.parse::<u64>().ok().filter(|&number| is_java || number < MOST);
        let least = if least.is_empty() { Some(0) } else { number(&least) };
        let most = if most.is_empty() { Some(None) } else { number(&most).map(Some) };
        match least.zip(most) {
            Some((least, Some(most))) if is_bounds && most < least => {
                Err(Refusal::invalid(self.table.words.reversed_bounds))
            }
            Some(bounds) if is_bounds => Ok(Some(bounds)),
            None if is_bounds && !is_java => Err(Refusal::invalid("the repetition number is too large")),
            _ => {
                self.at = start;
                match is_java {
                    true if is_first => self.unsupported("`{` has nothing in front of it to repeat"),
                    true => self.unsupported("`{` is not followed by `n}`, `n,}` or `n,m}`"),
                    false => {}
                }
                Ok(None)
            }
        }
    }

    fn repeat(&mut self, part: Option<Part>, bounds: Bounds) -> Result<Part, Refusal> {
        let is_python = self.dialect == Dialect::Python;
        match &part {
            None => return Err(Refusal::invalid(self.table.words.nothing_to_repeat)),
            Some(Part::Place(_)) if is_python => return Err(Refusal::invalid(self.table.words.nothing_to_repeat)),
            Some(Part::Repeat(..)) if is_python => return Err(Refusal::invalid("multiple repeat")),
            Some(Part::Group(Group::Look(_), _)) if is_python => {
                self.unsupported("a repetition of a group that looks ahead or behind is not supported");
            }
            Some(Part::Repeat(..) | Part::Sequence(_)) => {
                self.unsupported("a repetition of a repetition is not supported");
            }
            Some(_) => {}
        }
        Ok(Part::Repeat(Box::new(part.unwrap_or(Part::Any)), bounds))
    }

    /// Moves after whitespace and comments, which the flag `x` allows between parts.
    fn skip_remarks(&mut self) {
        loop {
            if self.take('#') {
                while self.next().is_some_and(|c| c != '\n') {}
            } else if self.take_if(|c| " \t\n\r\u{b}\u{c}".contains(c)).is_none() {
                return;
            }
        }
    }

    /// The character with a code.
    pub(super) fn character(&mut self, code: u32) -> char {
        self.has_non_ascii |= code > 0x7f;
        char::from_u32(code).unwrap_or_else(|| {
            self.unsupported(&format!("U+{code:04X} is not a character"));
            char::REPLACEMENT_CHARACTER
        })
    }

    /// Notes what is not supported; what follows may still be invalid.
    pub(super) fn unsupported(&mut self, why: &str) {
        self.unsupported.get_or_insert_with(|| why.to_owned());
    }

    pub(super) fn next(&mut self) -> Option<char> {
        self.take_if(|_| true)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn take(&mut self, c: char) -> bool {
        self.take_if(|next| next == c).is_some()
    }

    pub(super) fn take_if(&mut self, is_wanted: impl Fn(char) -> bool) -> Option<char> {
        let c = self.peek().filter(|&c| is_wanted(c));
        self.at += usize::from(c.is_some());
        c
    }

    /// The characters that follow as long as they are wanted.
    pub(super) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> String {
        std::iter::from_fn(|| self.take_if(&is_wanted)).collect()
    }

    /// The characters up to one, behind which it moves; `None` when it does not come.
    pub(super) fn until(&mut self, end: char) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|&c| c == end)?;
        let text = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        Some(text)
    }

    /// Up to so many digits of a number.
    pub(super) fn digits_of(&mut self, radix: u32, most: usize) -> String {
        (0..most).map_while(|_| self.take_if(|c| c.is_digit(radix))).collect()
    }
}

/// A pattern of Java with what is between `\Q` and `\E` as escapes.
fn unquoted(pattern: &str) -> Vec<char> {
    let mut made = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        made.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(quoted) = rest.strip_prefix(r"\Q") {
            let (literal, after) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
            made.extend(literal.chars().map(|c| format!(r"\x{{{:X}}}", u32::from(c))));
            rest = after;
        } else if let Some(after) = rest.strip_prefix(r"\E") {
            rest = after;
        } else {
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end);
            made.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    made.push_str(rest);
    made.chars().collect()
}
