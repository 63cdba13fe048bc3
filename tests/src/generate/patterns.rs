//! Regular expressions of Java and of Python, valid ones and some that are not, and values that they may match.

use super::Random;

const QUANTIFIERS: &[&str] = &["*", "+", "?", "{1,3}"];
const RARE_QUANTIFIERS: &[&str] = &["{2}", "{0,}", "*?", "+?", "??", "++", "*+", "{,2}", "{2,1}"];
const GROUPS: &[&str] = &["(", "(?:"];
const LITERALS: &[&str] = &[
    "a", "b", "c", "x", "A", "Z", "0", "9", "_", "-", " ", "/", ":", "@", "#", "&", "~", "!", "^", "\\.", ".", "é",
    "É", "K", "ſ", "k", "\u{2028}",
];

/// What has a meaning somewhere, in any order.
const SOUP: &[&str] = &[
    "(", ")", "(", ")", "(?", "(?:", "[", "]", "[", "]", "[^", "{", "}", "{1", "{2,", ",3}", ",", "|", "*", "+", "?",
    ".", "^", "$", "\\", "\\\\", "-", ":", "=", "!", "<", ">", "#", "&", "&&", "~", "0", "1", "2", "7", "a", "b", "c",
    "P", "n", "u", "x", "4", "i", "s", "m", " ", "\n", "é", "Z", "z", "A", "Q", "E", "d", "w", "D",
];

/// A language of regular expressions.
pub struct Dialect {
    rare_groups: &'static [&'static str],
    flags: &'static [&'static str],
    escapes: &'static [&'static str],
    references: &'static [&'static str],
    of_classes: &'static [&'static str],
    /// Whether classes have classes and intersections in them.
    has_sets_of_sets: bool,
}

/// That of Java.
pub const JAVA: Dialect = Dialect {
    rare_groups: &[
        "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?<n>", "(?i:", "(?s:", "(?-i:", "(?iu:", "(?m:", "(?d:", "(?P<q>",
        "(?x:", "(?U:",
    ],
    flags: &["(?i)", "(?s)", "(?d)", "(?iu)", "(?m)", "(?-i)", "(?is)", "(?u)", "(?x)"],
    escapes: JAVA_ESCAPES,
    references: &[r"\1", r"\2", r"\k<n>", r"\12"],
    of_classes: OF_JAVA_CLASSES,
    has_sets_of_sets: true,
};

/// That of Python.
pub const PYTHON: Dialect = Dialect {
    rare_groups: &[
        "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?P<n>", "(?P<m>", "(?i:", "(?s:", "(?-i:", "(?m:", "(?a:", "(?x:",
        "(?ms-i:", "(?#c)(", "(?(1)", "(?(n)", "(?<q>",
    ],
    flags: &["(?i)", "(?s)", "(?m)", "(?a)", "(?is)", "(?u)", "(?x)", "(?#c)", "(?x) "],
    escapes: PYTHON_ESCAPES,
    references: &[r"\1", r"\2", "(?P=n)", r"\12", "(?P=m)"],
    of_classes: OF_PYTHON_CLASSES,
    has_sets_of_sets: false,
};

const JAVA_ESCAPES: &[&str] = &[
    r"\d",
    r"\w",
    r"\s",
    r"\W",
    r"\S",
    r"\D",
    r"\b",
    r"\B",
    r"\-",
    r"\x41",
    r"\u0061",
    r"\uD83D\uDE00",
    r"\uD83D",
    r"\0101",
    r"\t",
    r"\R",
    r"\h",
    r"\v",
    r"\Qa.b\E",
    r"\p{Upper}",
    r"\p{Alnum}",
    r"\p{IsAlphabetic}",
    r"\p{Lu}",
    r"\A",
    r"\z",
    "^",
    "$",
];
const PYTHON_ESCAPES: &[&str] = &[
    r"\d", r"\w", r"\s", r"\W", r"\S", r"\D", r"\b", r"\B", r"\-", r"\x41", r"\u0061", r"\0101", r"\101", r"\0", r"\t",
    r"\n", r"\A", r"\Z", r"\ ", r"\h", "{", "}", "]", "^", "$", "$",
];
const OF_JAVA_CLASSES: &[&str] = &[
    "a",
    "b",
    "z",
    "A",
    "Z",
    "0",
    "9",
    "_",
    ".",
    ":",
    "/",
    "@",
    "#",
    "k",
    "K",
    "é",
    r"\d",
    r"\w",
    r"\s",
    r"\D",
    r"\W",
    r"\-",
    r"\.",
    r"\]",
    r"\x41",
    r"\\",
    r"\p{Alpha}",
    r"\p{Punct}",
    r"\p{L}",
    r"\h",
    "-",
    "&",
    "~",
    "^",
    "--",
    "~~",
    "[:alpha:]",
    "[=a=]",
    r"\uD83D\uDE00",
    r"\uD800\uDC00-\uDBFF\uDFFF",
];
const OF_PYTHON_CLASSES: &[&str] = &[
    "a",
    "b",
    "z",
    "A",
    "Z",
    "0",
    "9",
    "_",
    ".",
    ":",
    "/",
    "@",
    "#",
    "k",
    "K",
    "é",
    r"\d",
    r"\w",
    r"\s",
    r"\D",
    r"\W",
    r"\-",
    r"\.",
    r"\]",
    r"\x41",
    r"\\",
    r"\b",
    r"\101",
    r"\n",
    "[",
    "-",
    "&",
    "~",
    "^",
    "--",
    "~~",
    "&&",
    "||",
    "[:alpha:]",
];
const ENDS: &[char] = &['!', '0', '8', '9', 'A', 'C', 'K', 'Y', 'Z', '_', 'a', 'c', 'k', 'm', 'z'];
const OF_VALUES: &[char] = &[
    'a',
    'b',
    'c',
    'x',
    'A',
    'B',
    'K',
    'k',
    's',
    '0',
    '9',
    '_',
    '-',
    '.',
    ' ',
    '/',
    ':',
    '@',
    '#',
    '&',
    '~',
    '!',
    'é',
    'É',
    '\u{212a}',
    '\u{17f}',
    '\n',
    '\r',
    '\u{85}',
    '\u{2028}',
    '\t',
    '\u{1f600}',
];

/// A pattern.
pub fn pattern(random: &mut Random, dialect: &Dialect) -> String {
    let mut writer = Writer { random, dialect, out: String::new() };
    if writer.random.below(6) == 0 {
        for _ in 0..=writer.random.below(9) {
            writer.write(SOUP);
        }
    } else {
        writer.alternatives(0);
    }
    writer.out
}

/// A value of a few characters, half of them from the pattern's own.
pub fn value_of_pattern(random: &mut Random, pattern: &str) -> String {
    let own: Vec<char> = pattern.chars().filter(|c| c.is_alphanumeric() || "_-. /:@#~!".contains(*c)).collect();
    let characters = if random.below(2) == 0 && !own.is_empty() { &own } else { OF_VALUES };
    let value: String = (0..random.below(6)).map(|_| random.of(characters)).collect();
    if random.below(5) < 4 {
        return value;
    }
    let swapped = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    value.chars().map(swapped).collect()
}

struct Writer<'w> {
    random: &'w mut Random,
    dialect: &'w Dialect,
    out: String,
}

impl Writer<'_> {
    fn write(&mut self, pieces: &[&str]) {
        self.out.push_str(self.random.of(pieces));
    }

    fn alternatives(&mut self, depth: usize) {
        self.sequence(depth);
        if self.random.below(4) == 0 {
            self.out.push('|');
            self.sequence(depth);
        }
    }

    fn sequence(&mut self, depth: usize) {
        // Python has them at the start alone.
        if self.random.below(8) == 0 && (self.dialect.has_sets_of_sets || self.out.is_empty()) {
            self.write(self.dialect.flags);
        }
        for _ in 0..=self.random.below(4) {
            self.atom(depth);
            match self.random.below(10) {
                0 => self.write(RARE_QUANTIFIERS),
                1 | 2 => self.write(QUANTIFIERS),
                _ => {}
            }
        }
    }

    fn atom(&mut self, depth: usize) {
        match self.random.below(20) {
            0..=6 => self.write(LITERALS),
            7..=9 => self.class(0),
            10..=12 => self.write(self.dialect.escapes),
            13 => self.write(self.dialect.references),
            _ if depth < 3 => {
                let groups = if self.random.below(2) == 0 { GROUPS } else { self.dialect.rare_groups };
                self.write(groups);
                self.alternatives(depth + 1);
                self.out.push(')');
            }
            _ => self.out.push('a'),
        }
    }

    fn class(&mut self, depth: usize) {
        let opening = if self.random.below(4) == 0 { "[^" } else { "[" };
        self.out.push_str(opening);
        for _ in 0..=self.random.below(4) {
            let kind = self.random.below(20);
            let is_set = kind > 16 && self.dialect.has_sets_of_sets;
            match kind {
                0..=6 => {
                    let (one, other) = (self.random.of(ENDS), self.random.of(ENDS));
                    self.out.extend([one.min(other), '-', one.max(other)]);
                }
                17 | 18 if is_set && depth < 2 => self.class(depth + 1),
                17 | 18 if is_set => self.out.push('b'),
                19 if is_set => {
                    self.out.push_str("&&");
                    if depth < 2 && self.random.below(3) > 0 {
                        self.class(depth + 1);
                    } else {
                        self.write(&["a-z", "abc", r"\w"]);
                    }
                }
                _ => self.write(self.dialect.of_classes),
            }
        }
        self.out.push(']');
    }
}
