//! Values of parameters in the syntax of the command line (reference/command-line.md#parameter-values).

use formwork_evaluate::ValueSource;
use thiserror::Error;

use crate::options::ParameterValue;

/// A word of `--parameter-overrides`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterWord {
    /// `NAME=VALUE`, or SAM CLI's `ParameterKey=NAME,ParameterValue=VALUE`.
    Value(ParameterValue),
    /// `file://PATH`: a parameter file, which the caller reads.
    File(String),
}

/// The error of a word that names no parameter. The word itself may be the end of a secret value with a space in it, so
/// it is counted, not quoted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("word {} of {option} is not NAME=VALUE", .at + 1)]
pub struct NotAParameter {
    option: String,
    at: usize,
    help: &'static str,
}

impl NotAParameter {
    /// Creates the error of the word `at`, from 0, of an option or setting.
    pub(crate) fn new(option: &str, at: usize, word: &str) -> NotAParameter {
        // The first word is not the end of a value.
        let help = match word.chars().find(|c| !c.is_ascii_alphanumeric()) {
            Some('{' | '[') if at == 0 => "write NAME=VALUE, or pass a file of values: `file://FILE`",
            Some(':') if at == 0 => "write `=` between name and value, not `:`",
            None if at == 0 => "write `=` between name and value, without spaces around it",
            _ => "quote a value that contains spaces: \"NAME=a value\"",
        };
        NotAParameter { option: option.to_owned(), at, help }
    }

    /// Returns the advice.
    pub fn help(&self) -> &'static str {
        self.help
    }
}

/// Parses the words of `--parameter-overrides`.
///
/// ```
/// use formwork::{ParameterWord, parameter_words};
///
/// let words = parameter_words(["Stage=prod", "file://values.json"]).expect("two words");
/// assert!(matches!(&words[0], ParameterWord::Value(value) if value.name == "Stage" && value.value == "prod"));
/// assert_eq!(words[1], ParameterWord::File("values.json".to_owned()));
/// ```
///
/// # Errors
/// When a word names no parameter.
pub fn parameter_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Vec<ParameterWord>, NotAParameter> {
    let word = |(at, word): (usize, &str)| match word.strip_prefix("file://") {
        Some(path) => Ok(ParameterWord::File(path.to_owned())),
        None => {
            value(word).map(ParameterWord::Value).ok_or_else(|| NotAParameter::new("--parameter-overrides", at, word))
        }
    };
    words.into_iter().enumerate().map(word).collect()
}

/// Parses `K=V`, split at the first `=`, or SAM CLI's `ParameterKey=K,ParameterValue=V`.
pub(crate) fn value(word: &str) -> Option<ParameterValue> {
    let of =
        |name: &str, value: String| ParameterValue { name: name.to_owned(), value, given: ValueSource::CommandLine };
    if let Some(rest) = word.strip_prefix("ParameterKey=")
        && let Some((name, value)) = rest.split_once(",ParameterValue=")
    {
        return Some(of(name, unquoted(value).replace("\\,", ",")));
    }
    match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Some(of(name, unquoted(value).to_owned())),
        _ => None,
    }
}

/// Removes the quotes that a shell left around a value.
fn unquoted(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(value)
}

/// Splits at spaces outside of quotes; quotes and backslashes before them are removed.
///
/// The syntax of SAM CLI differs from that of a shell: any other backslash is part of a value, and `#` begins no
/// comment.
pub(crate) fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut started) = (Vec::new(), String::new(), None, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|next| matches!(next, '"' | '\'' | '\\')) => {
                word.extend(chars.next());
                started = true;
            }
            '"' | '\'' if quote.is_none() => {
                quote = Some(c);
                started = true;
            }
            c if quote == Some(c) => quote = None,
            c if c.is_whitespace() && quote.is_none() => {
                if started {
                    words.push(std::mem::take(&mut word));
                    started = false;
                }
            }
            c => {
                word.push(c);
                started = true;
            }
        }
    }
    if started {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str) -> (String, String) {
        let value = value(word).expect("a value");
        (value.name, value.value)
    }

    #[test]
    fn a_word_is_split_at_its_first_sign() {
        assert_eq!(check("A=b=c, d"), ("A".into(), "b=c, d".into()));
        assert_eq!(check("A="), ("A".into(), String::new()));
        assert_eq!(check("ParameterKey=A,ParameterValue=x\\,y"), ("A".into(), "x,y".into()));
        assert_eq!(check("A=\"x y\""), ("A".into(), "x y".into()));
        assert!(value("A").is_none());
        assert!(value("=x").is_none());
    }

    #[test]
    fn words_are_not_those_of_a_shell() {
        assert_eq!(split(r#"A=C:\temp "B=x \"y\" #" #C=$1"#), [r"A=C:\temp", r#"B=x "y" #"#, "#C=$1"]);
    }

    #[test]
    fn the_help_is_for_the_form_of_the_first_word() {
        let help = |words: &[&'static str]| parameter_words(words.iter().copied()).expect_err("no value").help();
        assert!(help(&["Stage", "prod"]).contains("without spaces around it"));
        assert!(help(&["Stage:prod"]).contains("not `:`"));
        assert!(help(&["{\"Stage\":\"prod\"}"]).contains("file://FILE"));
        assert!(help(&["A=1", "x:y"]).contains("quote a value"), "it may be the end of a value");
    }

    #[test]
    fn a_word_without_a_name_is_counted() {
        let error = parameter_words(["A=1", "hunter2"]).expect_err("no name");
        assert_eq!(error.to_string(), "word 2 of --parameter-overrides is not NAME=VALUE");
    }
}
