//! Patterns of codes: `FW0307`, `FW03` and `FW03xx` (reference/diagnostics.md#selection).

use super::{ALL, Code};

/// A set of codes: one code, or all codes with a common beginning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodePattern {
    /// The digits of the codes; `None` matches any digit.
    digits: [Option<u8>; 4],
}

impl CodePattern {
    /// Parses `FW0307`, `FW03xx` (an `x` is any digit) or `FW03` (the codes that begin so), in any letter case. Returns
    /// `None` for any other string, and for a pattern that matches no code.
    pub fn parse(text: &str) -> Option<CodePattern> {
        let (mark, rest) = text.split_at_checked(2)?;
        if !mark.eq_ignore_ascii_case("FW") || rest.len() > 4 {
            return None;
        }
        let mut digits = [None; 4];
        for (digit, byte) in digits.iter_mut().zip(rest.bytes()) {
            *digit = match byte {
                b'0'..=b'9' => Some(byte - b'0'),
                b'x' | b'X' => None,
                _ => return None,
            };
        }
        let pattern = CodePattern { digits };
        ALL.iter().any(|info| pattern.matches(info.code)).then_some(pattern)
    }

    /// Returns `true` when the pattern matches a code.
    pub fn matches(&self, code: Code) -> bool {
        let digit = |place: u32| (code.0 / 10_u16.pow(place) % 10) as u8;
        self.digits.iter().zip([3, 2, 1, 0]).all(|(known, place)| known.is_none_or(|known| known == digit(place)))
    }

    /// Returns the number of fixed digits; of two patterns, the one with more of them is the narrower.
    pub fn precision(&self) -> usize {
        self.digits.iter().flatten().count()
    }

    /// Returns `true` when the pattern is one full code.
    pub fn is_full(&self) -> bool {
        self.digits.iter().all(Option::is_some)
    }

    /// Returns the reason why `text` is not a pattern, with the codes nearest to it.
    pub fn explain(text: &str) -> String {
        let digits: String = text.chars().filter(char::is_ascii_digit).take(4).collect();
        if digits.is_empty() {
            return "a code is FW and up to four digits, such as FW0307 or FW03".to_owned();
        }
        let near: Vec<String> = Code::nearest(&format!("{digits:0<4}")).iter().map(Code::to_string).collect();
        format!("no code matches it; the nearest are {}", near.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PLACEHOLDER_LITERAL, UNUSED_IDENTIFIER, VALUE_MISSING};
    use super::*;

    #[test]
    fn patterns_match_the_codes_that_begin_alike() {
        for (text, expected) in [
            ("FW0307", [true, false, false]),
            ("fw0307", [true, false, false]),
            ("FW03", [true, true, false]),
            ("FW03xx", [true, true, false]),
            ("FW0xx1", [false, true, true]),
            ("FW", [true, true, true]),
        ] {
            let pattern = CodePattern::parse(text).expect(text);
            let codes = [PLACEHOLDER_LITERAL, UNUSED_IDENTIFIER, VALUE_MISSING];
            assert_eq!(codes.map(|code| pattern.matches(code)), expected, "{text}");
        }
        for text in ["FW9", "FW03077", "E03", "FW03-7", "", "FÜ03"] {
            assert_eq!(CodePattern::parse(text), None, "{text}");
        }
    }

    #[test]
    fn unknown_codes_come_with_near_ones() {
        assert_eq!(
            CodePattern::explain("FW14"),
            "no code matches it; the nearest are FW1401, FW1402, FW1403".to_owned()
        );
        assert!(CodePattern::explain("loops").starts_with("a code is FW"));
    }
}
