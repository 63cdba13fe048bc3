//! The characters that a pattern allows at all.

/// The characters of the matches of a pattern that matches whole strings: all that it names anywhere.
pub(super) struct Alphabet {
    ranges: Vec<(char, char)>,
}

impl Alphabet {
    /// Returns the characters of a pattern; `None` if it may match any character, or a part of a string.
    pub(super) fn of(pattern: &str) -> Option<Alphabet> {
        let inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
        let mut reader = Reader { characters: inner.chars().peekable(), ranges: Vec::new(), depth: 0 };
        reader.read()?;
        Some(Alphabet { ranges: reader.ranges })
    }

    pub(super) fn has(&self, character: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&character))
    }
}

struct Reader<'p> {
    characters: std::iter::Peekable<std::str::Chars<'p>>,
    ranges: Vec<(char, char)>,
    depth: u32,
}

impl Reader<'_> {
    fn read(&mut self) -> Option<()> {
        while let Some(character) = self.characters.next() {
            match character {
                // An alternative without an anchor matches a part of a string.
                '|' if self.depth == 0 => return None,
                '.' | '^' | '$' => return None,
                '(' => {
                    self.depth += 1;
                    if self.characters.next_if_eq(&'?').is_some() {
                        // Flags and look-around are not understood.
                        self.characters.next_if_eq(&':')?;
                    }
                }
                ')' => self.depth = self.depth.checked_sub(1)?,
                '|' | '*' | '+' | '?' => {}
                '{' => while self.characters.next()? != '}' {},
                '[' => self.class()?,
                '\\' => self.escape()?,
                other => self.ranges.push((other, other)),
            }
        }
        Some(())
    }

    fn class(&mut self) -> Option<()> {
        if self.characters.peek() == Some(&'^') {
            return None;
        }
        loop {
            let first = match self.characters.next()? {
                ']' => return Some(()),
                '[' | '&' | '~' => return None,
                '\\' => match self.escaped()? {
                    Some(character) => character,
                    None => continue,
                },
                other => other,
            };
            let mut ahead = self.characters.clone();
            let is_range = ahead.next() == Some('-') && ahead.peek().is_some_and(|next| *next != ']');
            if !is_range {
                self.ranges.push((first, first));
                continue;
            }
            self.characters.next();
            let last = match self.characters.next()? {
                '\\' => self.escaped()??,
                other => other,
            };
            self.ranges.push((first, last));
        }
    }

    fn escape(&mut self) -> Option<()> {
        if let Some(character) = self.escaped()? {
            self.ranges.push((character, character));
        }
        Some(())
    }

    /// Reads an escape: a character, or nothing for a class, which is added.
    #[allow(clippy::option_option, reason = "the outer one is a pattern that is not understood")]
    fn escaped(&mut self) -> Option<Option<char>> {
        match self.characters.next()? {
            'd' => self.ranges.push(('0', '9')),
            'w' => self.ranges.extend([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
            's' => self.ranges.extend([(' ', ' '), ('\t', '\r')]),
            letter if letter.is_ascii_alphanumeric() => return None,
            mark => return Some(Some(mark)),
        }
        Some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::Alphabet;

    #[test]
    fn characters_of_a_pattern_are_those_that_it_names() {
        let lower = Alphabet::of("^[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?$").expect("an alphabet");
        assert!(lower.has('a') && lower.has('-') && !lower.has('_') && !lower.has('A'));
        let path = Alphabet::of("^(/[\\w.-]+)+\\.fifo$").expect("an alphabet");
        assert!(path.has('/') && path.has('_') && path.has('.') && !path.has(' '));
    }

    #[test]
    fn patterns_that_match_a_part_or_anything_have_none() {
        for pattern in ["[a-z]+", "^a.*$", "^[^a]$", "^a|b$", "^(?i)a$", "^\\S+$", "^a\\b$"] {
            assert!(Alphabet::of(pattern).is_none(), "{pattern}");
        }
    }
}
