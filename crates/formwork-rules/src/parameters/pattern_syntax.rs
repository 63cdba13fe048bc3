//! Patterns that no regular expression engine compiles, separated from those that only the engine here
//! cannot run.

/// The error of a pattern in every engine; `None` for a pattern that some engine may compile.
pub fn fault(pattern: &str) -> Option<&'static str> {
    let mut reader = Reader { chars: pattern.chars().collect(), at: 0 };
    let mut open_groups = 0_usize;
    // Whether there is something that a quantifier may repeat.
    let mut is_repeatable = false;
    while let Some(c) = reader.next() {
        match c {
            '\\' => {
                let Some(escaped) = reader.next() else { return Some("it ends in a backslash") };
                reader.skip_escaped(escaped);
                is_repeatable = true;
            }
            '[' => {
                if let Some(fault) = reader.class() {
                    return Some(fault);
                }
                is_repeatable = true;
            }
            '(' => {
                open_groups += 1;
                // The rest may have comments.
                if reader.skip_group_mark() {
                    return None;
                }
                is_repeatable = false;
            }
            ')' => {
                if open_groups == 0 {
                    return Some("a group is closed that was not opened: `)`");
                }
                open_groups -= 1;
                is_repeatable = true;
            }
            '|' => is_repeatable = false,
            '*' | '+' | '?' => {
                if !is_repeatable {
                    return Some("a quantifier has nothing to repeat");
                }
                reader.skip_quantifier_mark();
            }
            '{' => match reader.bounds() {
                Some((least, Some(most))) if most < least => return Some("the bounds of a repetition are reversed"),
                Some(_) => reader.skip_quantifier_mark(),
                // Some engines take the brace as it is, and Java repeats nothing.
                None => is_repeatable = true,
            },
            _ => is_repeatable = true,
        }
    }
    (open_groups > 0).then_some("a group is not closed: `)` is missing")
}

/// The bounds of a repetition, from what is between its braces: `3`, `3,` or `3,5`.
pub(super) fn bounds(text: &str) -> Option<(u64, Option<u64>)> {
    Some(match text.split_once(',') {
        Some((least, "")) => (least.parse().ok()?, None),
        Some((least, most)) => (least.parse().ok()?, Some(most.parse().ok()?)),
        None => {
            let count = text.parse().ok()?;
            (count, Some(count))
        }
    })
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.get(self.at).copied();
        self.at += usize::from(c.is_some());
        c
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Moves after what belongs to an escape, by its first character.
    fn skip_escaped(&mut self, escaped: char) {
        let digits = |radix: u32| move |c: &char| c.is_digit(radix);
        match escaped {
            'Q' => self.skip_quoted(),
            'p' | 'P' | 'x' | 'N' | 'k' if matches!(self.peek(), Some('{' | '<')) => {
                while self.next().is_some_and(|c| !matches!(c, '}' | '>')) {}
            }
            'p' | 'P' | 'c' => self.at += usize::from(self.peek().is_some()),
            'x' => self.skip_up_to(2, digits(16)),
            'u' => self.skip_up_to(4, digits(16)),
            '0' => self.skip_up_to(3, digits(8)),
            _ => {}
        }
    }

    fn skip_up_to(&mut self, count: usize, is_own: impl Fn(&char) -> bool) {
        self.at += self.chars[self.at..].iter().take(count).take_while(|c| is_own(c)).count();
    }

    /// Moves after `\E`, or to the end.
    fn skip_quoted(&mut self) {
        while let Some(c) = self.next() {
            if c == '\\' && self.peek() == Some('E') {
                self.at += 1;
                return;
            }
        }
    }

    /// Moves after what marks a group as special, such as `?:` and `?<name>`. Whether it has the flag `x`.
    fn skip_group_mark(&mut self) -> bool {
        if self.peek() != Some('?') {
            return false;
        }
        let start = self.at;
        while let Some(c) = self.peek().filter(|&c| c != ')') {
            self.at += 1;
            if matches!(c, ':' | '=' | '!' | '>') {
                break;
            }
        }
        let mark = &self.chars[start..self.at];
        !mark.contains(&'<') && mark.contains(&'x')
    }

    /// Moves after the mark of a lazy or possessive quantifier.
    fn skip_quantifier_mark(&mut self) {
        if matches!(self.peek(), Some('?' | '+')) {
            self.at += 1;
        }
    }

    /// Reads the bounds after an opening brace, `3}`, `3,}` or `3,5}`; does not move when it has none.
    fn bounds(&mut self) -> Option<(u64, Option<u64>)> {
        let rest = &self.chars[self.at..];
        let end = rest.iter().position(|&c| c == '}')?;
        let found = bounds(&rest[..end].iter().collect::<String>())?;
        self.at += end + 1;
        Some(found)
    }

    /// Moves after a character class whose bracket was read, classes in it included.
    fn class(&mut self) -> Option<&'static str> {
        let mut open = 1_usize;
        let mut is_start = true;
        self.skip_negation();
        // The character that a range may begin with.
        let mut before: Option<char> = None;
        while let Some(c) = self.next() {
            match c {
                // A bracket right after the opening one is literal.
                ']' if is_start => before = Some(c),
                ']' => {
                    open -= 1;
                    if open == 0 {
                        return None;
                    }
                    before = None;
                }
                '\\' => {
                    let Some(escaped) = self.next() else { return Some("it ends in a backslash") };
                    self.skip_escaped(escaped);
                    before = (!escaped.is_ascii_alphanumeric()).then_some(escaped);
                }
                // In some engines it is literal, and in Java a class in the class.
                '[' if self.closes_later() => {
                    open += 1;
                    is_start = true;
                    self.skip_negation();
                    before = None;
                    continue;
                }
                '-' => match (before, self.peek()) {
                    (Some(from), Some(to)) if !matches!(to, ']' | '\\' | '[' | '-' | '&') => {
                        if to < from {
                            return Some("a range in a character class is reversed");
                        }
                        self.at += 1;
                        before = None;
                    }
                    _ => before = None,
                },
                c => before = Some(c),
            }
            is_start = false;
        }
        Some("a character class is not closed: `]` is missing")
    }

    /// Moves after the mark of a negated class.
    fn skip_negation(&mut self) {
        self.at += usize::from(self.peek() == Some('^'));
    }

    /// Whether there are closing brackets for a class in a class and the one around it.
    fn closes_later(&self) -> bool {
        let mut closing = 0;
        let mut is_escaped = false;
        for &c in &self.chars[self.at..] {
            if c == ']' && !is_escaped {
                closing += 1;
            }
            is_escaped = c == '\\' && !is_escaped;
        }
        closing >= 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_no_engine_compiles() {
        for pattern in [
            "[a-", "[", "(", "(a", "a)", "*a", "+", "a|*b", "(?:*a)", "(*a)", "[z-a]", "a\\", "[a\\", "a{3,1}",
            "^[a-z", "([a-z]+", "a(b))", "|?",
        ] {
            assert!(fault(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_some_engine_compiles() {
        for pattern in [
            "",
            "a",
            "[]a]",
            "[^]a]",
            "[a-z]",
            "[a-]",
            "[-a]",
            "[\\w-]",
            "[a-z&&[^b]]",
            "[[:alpha:]]",
            "[[]",
            "a{",
            "{",
            "a{2}",
            "{2}",
            "a{2,}",
            "a{1,3}?",
            "a++",
            "a*?",
            "(?i)a",
            "(?<name>a)+",
            "(?:a|b)*",
            "(?=a)b",
            "\\Q[(\\E*",
            "]",
            "}",
            "\\(",
            "[(]",
            "^*",
            "a|",
            "(|a)",
            "x{a}",
            "[a-\\d]",
            "[\\]]",
            "[.-_]",
            "[^^]",
            r"[\p{Alpha}-K-c]",
            r"[\x41-!]",
            "(?x:[# ]#)a",
            "\\x{41}",
            "(?<!a)b",
            "()*",
        ] {
            assert_eq!(fault(pattern), None, "{pattern}");
        }
    }
}
