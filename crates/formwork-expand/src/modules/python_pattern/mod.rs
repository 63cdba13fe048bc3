//! The `Pattern` of a schema: Python's regular expressions, which the AWS CLI matches from the start of a value on
//! (reference/modules/parameters.md#schema).
//!
//! A pattern is read as Python's own parser does it, and written again for the engine. What cannot be translated is reported,
//! never ignored.

mod class;
mod escape;
mod flags;
mod group;
mod names;
mod parser;
mod repeat;
mod width;

use std::cell::OnceCell;

use formwork_evaluate::{BoundedRegex, Match};

use parser::{Parser, Translated};

/// A compiled pattern of Python.
#[derive(Debug)]
pub struct PythonPattern {
    source: String,
    steps: usize,
    of_plain: Compiled,
    /// Compiled when there is such a value.
    of_others: OnceCell<Compiled>,
}

/// A pattern for values of one kind, or why the engine cannot run it.
#[derive(Debug)]
struct Compiled {
    regex: Result<BoundedRegex, String>,
    ignores_case: bool,
    has_non_ascii: bool,
    has_non_boundary: bool,
}

/// Which values a pattern is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Values {
    /// Those of ASCII that do not end in a line break. Most are, and for them sets are small.
    Plain,
    /// All others.
    Others,
}

/// Why a pattern is not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// Python refuses it, too.
    Invalid(String),
    /// Python takes it.
    Unsupported(String),
}

impl PythonPattern {
    /// Compiles a pattern, of which each match may take so many steps of backtracking.
    ///
    /// # Errors
    /// Why Python does not compile it.
    pub fn new(source: &str, steps: usize) -> Result<PythonPattern, String> {
        let of_plain = Compiled::new(source, Values::Plain, steps)?;
        Ok(PythonPattern { source: source.to_owned(), steps, of_plain, of_others: OnceCell::new() })
    }

    /// Whether `text` matches, from its start on.
    pub fn matches(&self, text: &str) -> Match {
        if text.is_ascii() && !text.ends_with('\n') {
            return self.of_plain.matches(text);
        }
        let of_others = || match Compiled::new(&self.source, Values::Others, self.steps) {
            Ok(compiled) => compiled,
            Err(why) => Compiled::unsupported(why),
        };
        self.of_others.get_or_init(of_others).matches(text)
    }
}

/// Why Python does not compile a pattern.
pub(super) fn fault(pattern: &str) -> Option<String> {
    match Parser::new(pattern, Values::Plain).pattern() {
        Err(Refusal::Invalid(why)) => Some(why),
        Err(Refusal::Unsupported(_)) | Ok(_) => None,
    }
}

impl Compiled {
    fn new(source: &str, values: Values, steps: usize) -> Result<Compiled, String> {
        match Parser::new(source, values).pattern() {
            Err(Refusal::Invalid(why)) => Err(why),
            Err(Refusal::Unsupported(why)) => Ok(Compiled::unsupported(why)),
            Ok(Translated { text, ignores_case, has_non_ascii, has_non_boundary }) => {
                let regex = BoundedRegex::new(&format!(r"\A(?:{text})"), steps);
                Ok(Compiled { regex, ignores_case, has_non_ascii, has_non_boundary })
            }
        }
    }

    fn unsupported(why: String) -> Compiled {
        Compiled { regex: Err(why), ignores_case: false, has_non_ascii: false, has_non_boundary: false }
    }

    fn matches(&self, text: &str) -> Match {
        match &self.regex {
            Err(why) => Match::Unknown(why.clone()),
            // In Python `i` and the dotless `ı` are one letter where case does not matter.
            Ok(_) if self.ignores_case && (self.has_non_ascii || !text.is_ascii()) => {
                Match::Unknown("the flag `i` is only supported for ASCII".to_owned())
            }
            // Versions of Python differ.
            Ok(_) if self.has_non_boundary && text.is_empty() => {
                Match::Unknown("`\\B` is not supported for an empty value".to_owned())
            }
            Ok(regex) => regex.is_match(text),
        }
    }
}

impl Refusal {
    fn invalid(why: impl Into<String>) -> Refusal {
        Refusal::Invalid(why.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str) -> Match {
        PythonPattern::new(pattern, 200_000).map_or_else(|why| panic!("{pattern}: {why}"), |it| it.matches(text))
    }

    #[test]
    fn matches_as_in_python() {
        for (pattern, yes, no) in [
            ("[a-z-]+$", "web-a", "Web"),
            ("^[a-z]+$", "web\n", "web\n\n"),
            (r"[a-z]+\Z", "web", "web\n"),
            (r"\w+$", "größe", "a-b"),
            (r"(?a)\w+$", "size", "größe"),
            (r"\w\Z", "²", "\u{301}"),
            (r"\s$", "\u{1c}", "\u{200b}"),
            (r"(?a)\s$", "\t", "\u{1c}"),
            (r"a\b.é", "a é", "aéé"),
            (r"\d\Bx", "1x", "1 x"),
            (r"\0101|\101$", "A", "\u{8}"),
            ("[[&&]--~~a]", "&--~~a]", "b"),
            ("[]a]+$", "]a", "b"),
            (r"[\b]$", "\u{8}", "b"),
            (r"[^\W\d]+$", "ab", "a1"),
            ("a{,2}$", "aa", "aaa"),
            ("a{$|{}b", "{}b", "a"),
            ("a{2}?$", "aa", "a"),
            ("a++a|b", "b", "aa"),
            ("(?P<n>a)(?P=n)$", "aa", "ab"),
            (r"(a)\1b", "aab", "ab"),
            ("(a)?(?:b|c)$", "ac", "d"),
            ("(?i)topic(?-i:A)$", "TOPICA", "topica"),
            ("(?x) a b # words\n c$", "abc", "a b c"),
            ("(?m:^b$)|a(?m:$)\n^b", "b", "a\nb"),
            ("(?s)a.b|c", "a\nb", "b"),
            ("a(?#words)*b", "aab", "a?b"),
            ("(?<=a)b|a(?<!b)c", "ac", "b"),
        ] {
            assert_eq!(check(pattern, yes), Match::Yes, "{pattern} {yes}");
            assert_eq!(check(pattern, no), Match::No, "{pattern} {no}");
        }
    }

    #[test]
    fn finds_what_python_does_not_compile() {
        for (pattern, why) in [
            ("*a", "nothing to repeat"),
            ("^*", "nothing to repeat"),
            ("a**", "multiple repeat"),
            ("a{3,1}", "min repeat greater than max repeat"),
            ("a{99999999999}", "the repetition number is too large"),
            ("[a", "unterminated character set"),
            ("[z-a]", "bad character range: its ends are reversed"),
            (r"[\w-a]", "bad character range: an end of it is a set"),
            ("(a", "missing ), unterminated subpattern"),
            ("a)", "unbalanced parenthesis"),
            (r"\p{L}", r"bad escape \p"),
            (r"\x4", r"incomplete escape \x4"),
            (r"\400", r"octal escape value \400 outside of range 0-0o377"),
            ("\\", "bad escape (end of pattern)"),
            ("(?<n>a)", "unknown extension ?<n"),
            ("(?P<1>a)", "bad character in group name '1'"),
            ("(?P<n>a)(?P<n>b)", "redefinition of group name 'n'"),
            ("(?P=n)", "unknown group name 'n'"),
            (r"(a\1)", "cannot refer to an open group"),
            (r"(a)\2", "invalid group reference 2"),
            ("(?<=a|bc)", "look-behind requires fixed-width pattern"),
            ("a(?i)b", "global flags not at the start of the expression"),
            ("(?au)a", "ASCII and UNICODE flags are incompatible"),
            ("(?L)a", "cannot use LOCALE flag with a str pattern"),
            ("(?(1)a)", "invalid group reference 1"),
            ("(a)(?(1)a|b|c)", "conditional backref with more than two branches"),
        ] {
            assert_eq!(fault(pattern).as_deref(), Some(why), "{pattern}");
        }
    }

    #[test]
    fn leaves_undecided_what_it_cannot_translate() {
        let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
        let conditions = format!("(){}a{}", "(?(1)".repeat(100_000), ")".repeat(100_000));
        for pattern in
            [r"\N{DIGIT ONE}", r"(?i)(a)\1", "(?=a)*", r"((a)\2?)+\2", r"\ud800", r"a\z", "(?i)é", &deep, &conditions]
        {
            assert!(matches!(check(pattern, "a"), Match::Unknown(_)), "{pattern}");
        }
        assert!(matches!(check("(?i)k", "\u{212a}"), Match::Unknown(_)));
        assert!(matches!(check(r"\B", ""), Match::Unknown(_)));
    }
}
