//! Regular expressions in the syntax of the engine, run in bounded time and memory. Those of other languages are translated
//! first: that of a parameter's `AllowedPattern`, and that of a module's schema.

mod groups;

use fancy_regex::{CompileError, Error, Regex, RegexBuilder, RuntimeError};

use groups::GroupUse;

/// The size that a compiled expression may have, in bytes.
const SIZE: usize = 1 << 20;

/// A regular expression that matches in bounded time.
#[derive(Debug)]
pub struct BoundedRegex(Regex);

/// The result of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Match {
    /// The value matches.
    Yes,
    /// It does not.
    No,
    /// It is not known, and why.
    Unknown(String),
}

impl BoundedRegex {
    /// Compiles an expression, of which each match may take so many steps of backtracking.
    ///
    /// # Errors
    /// Why the engine cannot run it as other languages do, on one line.
    pub fn new(expression: &str, steps: usize) -> Result<BoundedRegex, String> {
        GroupUse::of(expression).check()?;
        let mut builder = RegexBuilder::new(expression);
        let built = builder.backtrack_limit(steps).delegate_size_limit(SIZE).build();
        built.map(BoundedRegex).map_err(|error| match error {
            // Its place is one in the translated expression, which nobody has seen.
            Error::ParseError(_, kind) => uncapitalized(&kind.to_string()),
            Error::CompileError(error) => match *error {
                CompileError::InnerError(error) => cause(&error),
                other => uncapitalized(&other.to_string()),
            },
            other => uncapitalized(&other.to_string()),
        })
    }

    /// Whether it matches anywhere in `text`.
    pub fn is_match(&self, text: &str) -> Match {
        match self.0.is_match(text) {
            Ok(true) => Match::Yes,
            Ok(false) => Match::No,
            Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded)) => {
                Match::Unknown("it needs too many steps for this value".into())
            }
            Err(error) => Match::Unknown(error.to_string()),
        }
    }
}

/// The innermost reason of an error, on one line.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn uncapitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: &[&str] = &[
        "a",
        "b",
        "(",
        ")",
        "(?:",
        "(?=",
        "(?<=",
        "(?<!",
        "(?!",
        "(?>",
        "*",
        "+",
        "?",
        "{1,3}",
        "{2,}",
        "{,2}",
        "|",
        "[a-c]",
        "[^b]",
        "[[a]&&b]",
        ".",
        r"\1",
        r"\2",
        "(?P<n>",
        "(?P=n)",
        "(?<m>",
        r"\k<m>",
        r"\k<-1>",
        "(?(1)",
        "(?(",
        "(?(?=a)",
        "(?&n)",
        "(?(DEFINE)",
        r"\g<1>",
        "(?R)",
        r"\K",
        r"\G",
        "^",
        "$",
        r"\b",
        r"\A",
        r"\z",
        r"\Z",
        "(?~",
        "(*FAIL)",
        "é",
        "(?i)",
        "(?x)",
        "(?s)",
        r"\d",
        r"\R",
        r"\X",
        r"\h",
        r"\p{L}",
        "++",
        "*+",
        "(?<=a|bc)",
        "(?#c)",
    ];

    /// The engine panics for some expressions that it compiles. Each of them is refused.
    #[test]
    fn no_expression_makes_the_engine_panic() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut below = move |count: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % count
        };
        let mut ran = 0;
        for _ in 0..20_000 {
            let mut expression: String = (0..=below(12)).map(|_| PIECES[below(PIECES.len())]).collect();
            let open = expression.matches('(').count().saturating_sub(expression.matches(')').count());
            expression.push_str(&")".repeat(open));
            let value: String = (0..below(6)).map(|_| ["a", "b", "é", "c", "\n"][below(5)]).collect();
            if let Ok(regex) = BoundedRegex::new(&format!("^(?:{expression})"), 2_000) {
                ran += usize::from(!matches!(regex.is_match(&value), Match::Unknown(_)));
            }
        }
        assert!(ran > 2_000, "{ran}");
        for expression in [r"(#(\2?)){1,3}", "(?(1))", r"(a)\g<1>", r"(a)*\1"] {
            assert!(BoundedRegex::new(expression, 2_000).is_err(), "{expression}");
        }
    }
}
