//! Differences between dialects, as tables.

use super::tree::{Assertion, Flags, Fold, Set};

/// A language of regular expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `java.util.regex`: CloudFormation runs it for `AllowedPattern`.
    Java,
    /// Python's `re`: the AWS CLI runs it for the schemas of modules.
    Python,
}

pub(super) struct Table {
    /// Characters with an escape of one letter.
    pub(super) characters: &'static [(char, char)],
    /// Sets with an escape of one letter: their characters with the flag for ASCII, in values of ASCII, and in others.
    pub(super) sets: &'static [(char, &'static str, &'static str, &'static str)],
    /// Places with an escape of one letter, outside of classes.
    pub(super) assertions: &'static [(char, Assertion)],
    pub(super) flags: &'static str,
    /// Characters that a dot does not match, without the flags `s` and `d`.
    pub(super) line_ends: &'static str,
    pub(super) words: Words,
}

/// Descriptions of errors that both dialects have.
pub(super) struct Words {
    pub(super) backslash: &'static str,
    pub(super) open_class: &'static str,
    pub(super) reversed_range: &'static str,
    pub(super) nothing_to_repeat: &'static str,
    pub(super) reversed_bounds: &'static str,
    pub(super) not_opened: &'static str,
    pub(super) open_group: &'static str,
}

const JAVA_SPACES: &str = r" \t\xA0\u{1680}\u{180e}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}";
/// The characters of `\v`, and of `\R` except `\r\n`.
pub(super) const JAVA_VERTICAL: &str = r"\n\x0B\f\r\x{85}\x{2028}\x{2029}";

static JAVA: Table = Table {
    characters: &[('t', '\t'), ('n', '\n'), ('r', '\r'), ('f', '\u{c}'), ('e', '\u{1b}'), ('a', '\u{7}')],
    sets: &[
        ('d', "0-9", "0-9", "0-9"),
        ('w', "a-zA-Z0-9_", "a-zA-Z0-9_", "a-zA-Z0-9_"),
        ('s', r" \t\n\x0B\f\r", r" \t\n\x0B\f\r", r" \t\n\x0B\f\r"),
        ('h', JAVA_SPACES, JAVA_SPACES, JAVA_SPACES),
        ('v', JAVA_VERTICAL, JAVA_VERTICAL, JAVA_VERTICAL),
    ],
    assertions: &[
        ('A', Assertion::Start),
        ('G', Assertion::Start),
        ('z', Assertion::End),
        ('Z', Assertion::End),
        ('b', Assertion::Boundary { is_negated: false, is_ascii: false }),
        ('B', Assertion::Boundary { is_negated: true, is_ascii: false }),
    ],
    flags: "iusdmxU",
    line_ends: r"\n\r\x{85}\x{2028}\x{2029}",
    words: Words {
        backslash: "it ends in a backslash",
        open_class: "a character class is not closed: `]` is missing",
        reversed_range: "a range in a character class is reversed",
        nothing_to_repeat: "a quantifier has nothing to repeat",
        reversed_bounds: "the bounds of a repetition are reversed",
        not_opened: "a group is closed that was not opened: `)`",
        open_group: "a group is not closed: `)` is missing",
    },
};

static PYTHON: Table = Table {
    characters: &[('a', '\u{7}'), ('t', '\t'), ('n', '\n'), ('v', '\u{b}'), ('f', '\u{c}'), ('r', '\r')],
    sets: &[
        ('d', "0-9", "0-9", r"\p{Nd}"),
        ('s', r" \t-\r", r" \t-\r\x1C-\x1F", r"\s\x1C-\x1F"),
        ('w', "0-9A-Z_a-z", "0-9A-Z_a-z", r"\p{L}\p{N}_"),
    ],
    assertions: &[
        ('A', Assertion::Start),
        ('Z', Assertion::End),
        ('b', Assertion::Boundary { is_negated: false, is_ascii: false }),
        ('B', Assertion::Boundary { is_negated: true, is_ascii: false }),
    ],
    flags: "aiLmsux",
    line_ends: r"\n",
    words: Words {
        backslash: "bad escape (end of pattern)",
        open_class: "unterminated character set",
        reversed_range: "bad character range: its ends are reversed",
        nothing_to_repeat: "nothing to repeat",
        reversed_bounds: "min repeat greater than max repeat",
        not_opened: "unbalanced parenthesis",
        open_group: "missing ), unterminated subpattern",
    },
};

impl Dialect {
    pub(super) fn fold(self, flags: Flags) -> Fold {
        match (flags.has('i'), self) {
            (false, _) => Fold::None,
            (true, Dialect::Java) if !flags.has('u') => Fold::Ascii,
            (true, _) => Fold::All,
        }
    }

    pub(super) fn table(self) -> &'static Table {
        match self {
            Dialect::Java => &JAVA,
            Dialect::Python => &PYTHON,
        }
    }
}

impl Table {
    /// Returns the set of a letter; in upper case all other characters.
    pub(super) fn set(&self, letter: char, is_ascii: bool) -> Option<Set> {
        // `\V` is not a set in Java.
        let is_negated = letter.is_ascii_uppercase() && letter != 'V';
        let name = if is_negated { letter.to_ascii_lowercase() } else { letter };
        let &(_, ascii, plain, others) = self.sets.iter().find(|row| row.0 == name)?;
        let (plain, others) = if is_ascii { (ascii, ascii) } else { (plain, others) };
        Some(Set { is_negated, plain: plain.to_owned(), others: others.to_owned() })
    }
}
