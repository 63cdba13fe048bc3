//! Regular expressions of Java, valid ones and some that are not, and values that they may match.

use super::Random;

const QUANTIFIERS: &[&str] = &["*", "+", "?", "{1,3}"];
const RARE_QUANTIFIERS: &[&str] = &["{2}", "{0,}", "*?", "+?", "??", "++", "*+", "{,2}", "{2,1}"];
const GROUPS: &[&str] = &["(", "(?:"];
const RARE_GROUPS: &[&str] = &[
    "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?<n>", "(?i:", "(?s:", "(?-i:", "(?iu:", "(?m:", "(?d:", "(?P<q>", "(?x:",
    "(?U:",
];
const FLAGS: &[&str] = &["(?i)", "(?s)", "(?d)", "(?iu)", "(?m)", "(?-i)", "(?is)", "(?u)", "(?x)"];
const LITERALS: &[&str] = &[
    "a", "b", "c", "x", "A", "Z", "0", "9", "_", "-", " ", "/", ":", "@", "#", "&", "~", "!", "^", "\\.", ".", "é",
    "É", "K", "ſ", "k", "\u{2028}",
];
const ESCAPES: &[&str] = &[
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
const REFERENCES: &[&str] = &[r"\1", r"\2", r"\k<n>", r"\12"];
const OF_CLASSES: &[&str] = &[
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
];
const ENDS: &[char] = &['!', '0', '8', '9', 'A', 'C', 'K', 'Y', 'Z', '_', 'a', 'c', 'k', 'm', 'z'];
const OF_VALUES: &[char] = &[
    'a', 'b', 'c', 'x', 'A', 'B', 'K', 'k', 's', '0', '9', '_', '-', '.', ' ', '/', ':', '@', '#', '&', '~', '!', 'é',
    'É', '\u{212a}', '\u{17f}', '\n', '\r', '\u{85}', '\u{2028}', '\t',
];

/// A pattern.
pub fn pattern(random: &mut Random) -> String {
    let mut out = String::new();
    alternatives(random, 0, &mut out);
    out
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

fn alternatives(random: &mut Random, depth: usize, out: &mut String) {
    sequence(random, depth, out);
    if random.below(4) == 0 {
        out.push('|');
        sequence(random, depth, out);
    }
}

fn sequence(random: &mut Random, depth: usize, out: &mut String) {
    if random.below(8) == 0 {
        out.push_str(random.of(FLAGS));
    }
    for _ in 0..=random.below(4) {
        atom(random, depth, out);
        match random.below(10) {
            0 => out.push_str(random.of(RARE_QUANTIFIERS)),
            1 | 2 => out.push_str(random.of(QUANTIFIERS)),
            _ => {}
        }
    }
}

fn atom(random: &mut Random, depth: usize, out: &mut String) {
    match random.below(20) {
        0..=6 => out.push_str(random.of(LITERALS)),
        7..=9 => class(random, 0, out),
        10..=12 => out.push_str(random.of(ESCAPES)),
        13 => out.push_str(random.of(REFERENCES)),
        _ if depth < 3 => {
            let groups = if random.below(2) == 0 { GROUPS } else { RARE_GROUPS };
            out.push_str(random.of(groups));
            alternatives(random, depth + 1, out);
            out.push(')');
        }
        _ => out.push('a'),
    }
}

fn class(random: &mut Random, depth: usize, out: &mut String) {
    out.push_str(if random.below(4) == 0 { "[^" } else { "[" });
    for _ in 0..=random.below(4) {
        match random.below(20) {
            0..=6 => {
                let (one, other) = (random.of(ENDS), random.of(ENDS));
                out.extend([one.min(other), '-', one.max(other)]);
            }
            7..=16 => out.push_str(random.of(OF_CLASSES)),
            17 | 18 if depth < 2 => class(random, depth + 1, out),
            17 | 18 => out.push('b'),
            _ => {
                out.push_str("&&");
                if depth < 2 && random.below(3) > 0 {
                    class(random, depth + 1, out);
                } else {
                    out.push_str(random.of(&["a-z", "abc", r"\w"]));
                }
            }
        }
    }
    out.push(']');
}
