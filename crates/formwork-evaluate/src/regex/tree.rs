//! The constructs that patterns of all dialects have in common.

#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A character, by its code.
    Char(char, Fold),
    Any,
    Class(Class, Fold),
    Assertion(Assertion),
    Group(Group, Box<Part>),
    /// The match of a group, by its number.
    Back(usize),
    Repeat(Box<Part>, Bounds),
    Sequence(Vec<Part>),
    Choice(Vec<Part>),
}

/// The letters that match in both cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    None,
    Ascii,
    All,
}

/// Flags at a place of a pattern, by their letters: `i`, case does not matter; `u` in Java, that of other letters than
/// ASCII's either; `a` in Python, sets are those of ASCII; `s`, a dot is any character; `d` in Java, only `\n` ends a
/// line; `m`, `^` and `$` are about lines; `x` in Python, whitespace and comments are ignored.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flags(u32);

impl Flags {
    pub(super) fn has(self, letter: char) -> bool {
        self.0 & Flags::bit(letter) != 0
    }

    pub(super) fn set(&mut self, letter: char, is_on: bool) {
        self.0 = if is_on { self.0 | Flags::bit(letter) } else { self.0 & !Flags::bit(letter) };
        // In Python it is the opposite of `a`.
        self.0 &= if letter == 'u' { !Flags::bit('a') } else { u32::MAX };
    }

    fn bit(letter: char) -> u32 {
        1 << (u32::from(letter) % u32::BITS)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assertion {
    Start,
    End,
    /// The end, or before a line break that ends the value.
    LastLine,
    LineStart,
    LineEnd,
    /// Begin or end of a word, or anywhere else if negated.
    Boundary {
        is_negated: bool,
        is_ascii: bool,
    },
}

/// The kind of a group, by its opening in the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    Captured,
    Plain,
    Atomic,
    /// A lookahead or lookbehind: `?=`, `?!`, `?<=` or `?<!`.
    Look(&'static str),
}

/// Bounds of a repetition; `mark` is the character after them, `?` or `+`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) least: u64,
    pub(super) most: Option<u64>,
    pub(super) mark: Option<char>,
}

/// A character class: characters that are in all of its operands.
#[derive(Clone, Default, Debug)]
pub(super) struct Class {
    pub(super) is_negated: bool,
    pub(super) operands: Vec<Vec<Item>>,
}

#[derive(Clone, Debug)]
pub(super) enum Item {
    Range(char, char),
    Set(Set),
    Class(Class),
}

/// A set of characters, written as in the brackets of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Set {
    pub(super) is_negated: bool,
    /// Characters in plain values.
    pub(super) plain: String,
    /// Characters in other values.
    pub(super) others: String,
}

pub(super) enum Escape {
    /// A character, by its code; `true` if a letter or digit names it.
    Character(u32, bool),
    Set(Set),
    Part(Part),
}

/// Values for which a pattern is not supported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// Returns `true` for such a value.
    pub(super) stops: fn(&str) -> bool,
    pub(super) why: &'static str,
}

impl Guard {
    /// In Java lines end elsewhere, and an empty value has no start of a line.
    pub(super) const LINES: Guard = Guard {
        stops: |text| text.is_empty() || text.contains(ENDS_OF_LINES),
        why: "the flag `m` is only supported for values of one line",
    };
    /// In Java a construct after a dollar may match a last line break.
    pub(super) const BEFORE_END: Guard = Guard {
        stops: |text| text.ends_with(ENDS_OF_LINES),
        why: "a `$` before other parts is only supported for values of one line",
    };
    /// Versions of Java differ in the characters beyond ASCII that are in a word.
    pub(super) const BOUNDARY: Guard =
        Guard { stops: |text| !text.is_ascii(), why: "`\\b` and `\\B` are only supported for values of ASCII" };
    /// In Python `i` and the dotless `ı` are one letter where case does not matter.
    pub(super) const CASE: Guard =
        Guard { stops: |text| !text.is_ascii(), why: "the flag `i` is only supported for ASCII" };
    /// Versions of Python differ in whether `\B` matches in it.
    pub(super) const EMPTY: Guard = Guard { stops: str::is_empty, why: "`\\B` is not supported for an empty value" };
}

const ENDS_OF_LINES: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

impl Class {
    pub(super) fn of(set: Set) -> Class {
        Class { is_negated: false, operands: vec![vec![Item::Set(set)]] }
    }
}

impl Part {
    /// Returns the least and the greatest number of characters that the part matches; `widths` are those of groups.
    pub(super) fn width(&self, widths: &[Option<Width>]) -> Width {
        match self {
            Part::Char(..) | Part::Any | Part::Class(..) => (1, 1),
            Part::Assertion(_) | Part::Group(Group::Look(_), _) => (0, 0),
            Part::Group(_, inner) => inner.width(widths),
            Part::Back(number) => widths.get(number - 1).copied().flatten().unwrap_or_default(),
            Part::Choice(parts) => {
                let widths = parts.iter().map(|part| part.width(widths));
                widths.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))).unwrap_or_default()
            }
            Part::Repeat(inner, bounds) => {
                let (least, most) = inner.width(widths);
                (least.saturating_mul(bounds.least), most.saturating_mul(bounds.most.unwrap_or(u64::MAX)))
            }
            Part::Sequence(parts) => parts.iter().fold((0, 0), |sum, part| {
                let (least, most) = part.width(widths);
                (sum.0.saturating_add(least), sum.1.saturating_add(most))
            }),
        }
    }
}

/// The least and the greatest number of matched characters.
pub(super) type Width = (u64, u64);
