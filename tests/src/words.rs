//! A run as the words of a command line describe it (reference/command-line.md), for the library.

use std::sync::Arc;

use formwork::schemas::Schemas;
use formwork::{
    Compat, FileBytes, Format, Goal, LanguageExtensions, Options, ParameterValue, PseudoParameter, Serverless,
    SourceFile, UnknownRules, ValueOfAll, ValueSource, Values, VirtualPath,
};

/// What a command line asks of the library.
#[derive(Clone, Debug)]
pub struct Request {
    /// The command.
    pub stage: Goal,
    /// Its options.
    pub options: Options,
    /// Format of the output.
    pub format: Option<Format>,
    /// Whether `package` unrolls loops.
    pub expand: bool,
    /// Whether `package` notes the items of parameters.
    pub record: bool,
    /// Whether the files are only united: `merge`.
    pub merges: bool,
    /// What is printed about rules.
    pub rules: Option<Rules>,
}

/// A command about rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rules {
    /// `rules check`
    Check,
    /// `rules solve`, of one rule or all.
    Solve(Option<String>),
    /// `rules table`, of one rule or all.
    Table(Option<String>),
}

impl Request {
    /// A command without options.
    pub fn new(stage: Goal) -> Request {
        Request {
            stage,
            options: Options::default(),
            format: None,
            expand: false,
            record: false,
            merges: false,
            rules: None,
        }
    }

    /// The command that `words` begin with, and its options. `file` returns the content of files that
    /// options name.
    ///
    /// # Errors
    /// Names the word that means nothing.
    pub fn from_words(words: &[String], file: &dyn Fn(&str) -> Option<FileBytes>) -> Result<Request, String> {
        let (command, options) = words.split_first().ok_or("no command")?;
        if command == "rules" {
            return Request::about_rules(options, file);
        }
        let stage = match command.as_str() {
            "expand" | "merge" => Goal::Expand,
            "resolve" => Goal::Resolve,
            "check" | "validate" => Goal::Check,
            "deploy" => Goal::Deploy,
            "package" => Goal::Package,
            other => return Err(format!("unknown command {other}")),
        };
        let mut request = Request::new(stage);
        request.options.for_service = command == "validate";
        request.merges = command == "merge";
        request.add_options(options, file)?;
        Ok(request)
    }

    fn about_rules(words: &[String], file: &dyn Fn(&str) -> Option<FileBytes>) -> Result<Request, String> {
        let (command, rest) = words.split_first().ok_or("no command about rules")?;
        let (rule, options) = match rest.split_first() {
            Some((rule, options)) if !rule.starts_with("--") => (Some(rule.clone()), options),
            _ => (None, rest),
        };
        let (stage, rules) = match command.as_str() {
            "check" => (Goal::Rules, Rules::Check),
            "solve" => (Goal::Solve, Rules::Solve(rule)),
            "table" => (Goal::Solve, Rules::Table(rule)),
            other => return Err(format!("unknown command rules {other}")),
        };
        let mut request = Request { rules: Some(rules), ..Request::new(stage) };
        request.add_options(options, file)?;
        Ok(request)
    }

    /// Adds options.
    ///
    /// # Errors
    /// Names the word that means nothing.
    pub fn add_options(&mut self, words: &[String], file: &dyn Fn(&str) -> Option<FileBytes>) -> Result<(), String> {
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let options = &mut self.options;
            match word.as_str() {
                "--strict" => options.strict = true,
                "--merge" => {}
                file if !file.starts_with("--") => options.other_files.push(VirtualPath::new(file)),
                "--prune" => options.prune = true,
                "--serverless" => options.serverless = Serverless::Output,
                "--expand" => self.expand = true,
                "--record" => self.record = true,
                "--allow-unresolved" => options.allow_unresolved = true,
                "--parameter-overrides" => {
                    while let Some(value) = words.next_if(|word| !word.starts_with("--")) {
                        let (name, value) = pair(value)?;
                        options.parameters.push(ParameterValue { name, value, given: ValueSource::CommandLine });
                    }
                }
                name => {
                    let value = words.next().ok_or_else(|| format!("{name} has no value"))?;
                    self.add_option(name, value, file)?;
                }
            }
        }
        Ok(())
    }

    fn add_option(&mut self, name: &str, value: &str, file: &dyn Fn(&str) -> Option<FileBytes>) -> Result<(), String> {
        let source = || match file(value) {
            Some(bytes) => Ok(SourceFile { path: value.to_owned(), display: value.to_owned(), bytes }),
            None => Err(format!("no file {value}")),
        };
        let unknown = || Err(format!("{name} {value} means nothing"));
        let options = &mut self.options;
        let mut pseudo = |pseudo| options.pseudo.push((pseudo, value.to_owned()));
        match name {
            "--region" => pseudo(PseudoParameter::Region),
            "--account-id" => pseudo(PseudoParameter::AccountId),
            "--partition" => pseudo(PseudoParameter::Partition),
            "--stack-name" => pseudo(PseudoParameter::StackName),
            "--pseudo" => {
                let (name, value) = pair(value)?;
                let pseudo = PseudoParameter::from_name(&name).ok_or_else(|| format!("no pseudo parameter {name}"))?;
                options.pseudo.push((pseudo, value));
            }
            "--parameters-file" => options.parameter_files.push(source()?),
            "--account" => options.accounts.push(source()?),
            "--schemas" => {
                let text = String::from_utf8_lossy(&source()?.bytes).into_owned();
                let known = options.schemas.get_or_insert_with(|| Arc::new(Schemas::embedded()));
                Arc::make_mut(known).add(&text).map_err(|error| format!("{value}: {error}"))?;
            }
            "--constraint" => options.constraints.push(source()?),
            "--rules-unknown" => {
                options.unknown_rules = match value {
                    "fail" => UnknownRules::Fail,
                    "warn" => UnknownRules::Warn,
                    "skip" => UnknownRules::Skip,
                    _ => return unknown(),
                }
            }
            "--value-of-all" => {
                options.value_of_all = match value {
                    "account" => ValueOfAll::Account,
                    "parameters" => ValueOfAll::Parameters,
                    _ => return unknown(),
                }
            }
            "--values" => {
                options.values = match value {
                    "keep" => Values::Keep,
                    "pin" => Values::Pin,
                    "all" => Values::All,
                    _ => return unknown(),
                }
            }
            "--language-extensions" => {
                options.language_extensions = match value {
                    "auto" => LanguageExtensions::Auto,
                    "always" => LanguageExtensions::Always,
                    "never" => LanguageExtensions::Never,
                    _ => return unknown(),
                }
            }
            "--compat" => {
                options.compat = match value {
                    "aws" => Compat::Aws,
                    "sam" => Compat::Sam,
                    _ => return unknown(),
                }
            }
            "--format" => {
                self.format = Some(match value {
                    "yaml" => Format::Yaml,
                    "json" => Format::Json,
                    _ => return unknown(),
                });
            }
            _ => return unknown(),
        }
        Ok(())
    }
}

fn pair(word: &str) -> Result<(String, String), String> {
    let (name, value) = word.split_once('=').ok_or_else(|| format!("{word} is not NAME=VALUE"))?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_refused() {
        let parse = |line: &str| {
            Request::from_words(&shlex::split(line).expect("words"), &|_| None).map(|request| request.stage)
        };
        assert_eq!(parse("expand --values all --parameter-overrides A=1 B=2 --strict"), Ok(Goal::Expand));
        assert!(parse("expand --values most").is_err());
        assert!(parse("expand --account gone.json").is_err());
        assert!(parse("expand --colour red").is_err());
        assert!(parse("bake").is_err());
    }
}
