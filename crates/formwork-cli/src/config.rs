//! SAM's configuration file, samconfig.toml (reference/command-line.md#samconfig).

use std::path::{Path, PathBuf};

use formwork::disk::Loader;
use formwork::{Given, ParameterValue, ReadError};
use toml::{Table, Value};

use crate::args::InputArgs;
use crate::failure::{Failure, FileFailure};
use crate::inputs::{PARAMETER_HELP, no_parameter, parameter_word};
#[cfg(feature = "aws")]
use crate::project_host;

/// What the file says for a command.
#[derive(Debug, Default)]
pub(crate) struct Configured {
    pub(crate) parameters: Vec<ParameterValue>,
    pub(crate) region: Option<String>,
    pub(crate) stack_name: Option<String>,
    pub(crate) s3_bucket: Option<String>,
    pub(crate) s3_prefix: Option<String>,
    pub(crate) resolve_s3: bool,
    pub(crate) kms_key_id: Option<String>,
}

/// A setting that means nothing.
#[derive(Debug)]
struct Wrong {
    why: String,
    help: Option<&'static str>,
}

impl Wrong {
    fn in_file(self, path: &Path) -> FileFailure {
        let failure = FileFailure::unfit(path, format!("{}: {}", path.display(), self.why));
        match self.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

impl From<String> for Wrong {
    fn from(why: String) -> Wrong {
        Wrong { why, help: None }
    }
}

/// Commands that SAM has too; the others read the section of `deploy` when they have none.
const SAM_COMMANDS: [&str; 6] = ["build", "deploy", "package", "sync", "local_invoke", "local_start_api"];

/// Reads the file that the arguments name, else the one beside the template, if there is one.
///
/// # Errors
/// When a file that was named cannot be read, when the file is no TOML, when the environment that
/// was named is not in it.
pub(crate) fn read(loader: &Loader, folder: &Path, command: &str, inputs: &InputArgs) -> Result<Configured, Failure> {
    let Some((path, table)) = table(loader, folder, inputs)? else { return Ok(Configured::default()) };
    let environment = inputs.config_env.as_deref().unwrap_or("default");
    Ok(configured(&table, environment, command).map_err(|wrong| wrong.in_file(&path))?)
}

/// What the file says for a command, by key.
#[cfg(feature = "aws")]
#[derive(Debug, Default)]
pub(crate) struct Section {
    path: PathBuf,
    tables: Vec<Table>,
}

#[cfg(feature = "aws")]
impl Section {
    /// Reads the same file as [`read`].
    ///
    /// # Errors
    /// Those of [`read`].
    pub(crate) fn read(folder: &Path, command: &str, inputs: &InputArgs) -> Result<Section, Failure> {
        let loader = project_host::loader(folder, inputs)?;
        let Some((path, table)) = table(&loader, folder, inputs)? else { return Ok(Section::default()) };
        let environment = inputs.config_env.as_deref().unwrap_or("default");
        let of = |section| table.get(environment)?.get(section)?.get("parameters")?.as_table().cloned();
        let tables = [command, "global"].into_iter().filter_map(of).collect();
        Ok(Section { path, tables })
    }

    /// Says that a setting of the file means nothing.
    pub(crate) fn unfit(&self, why: String) -> FileFailure {
        Wrong::from(why).in_file(&self.path)
    }

    fn find(&self, key: &str) -> Option<&Value> {
        self.tables.iter().find_map(|table| table.get(key))
    }

    /// A text.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.find(key)?.as_str().map(str::to_owned)
    }

    /// A flag.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        self.find(key)?.as_bool()
    }

    /// Words: one text of words, a list of words, or a table of `K=V`.
    ///
    /// # Errors
    /// When it is none of these.
    pub(crate) fn words(&self, key: &str) -> Result<Option<Vec<String>>, FileFailure> {
        self.find(key).map(|value| words(key, value)).transpose().map_err(|why| self.unfit(why))
    }
}

/// The file that the arguments name, else the one beside the template.
fn table(loader: &Loader, folder: &Path, inputs: &InputArgs) -> Result<Option<(PathBuf, Table)>, Failure> {
    let (path, read) = if let Some(path) = &inputs.config_file {
        (path.clone(), loader.read_named(path))
    } else {
        let path = beside(folder, "samconfig.toml");
        let read = loader.read(&path);
        (path, read)
    };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) if inputs.config_file.is_none() => {
            return match &inputs.config_env {
                Some(name) => {
                    Err(format!("there is no samconfig.toml with an environment {name} beside the template").into())
                }
                None => Ok(None),
            };
        }
        Err(error) => return Err(FileFailure::unread(&path, &error).into()),
    };
    let unfit = |why: String| FileFailure::unfit(&path, format!("{} is not well-formed: {why}", path.display()));
    let text = String::from_utf8(bytes).map_err(|_| unfit("it is not UTF-8 text".to_owned()))?;
    let table: Table = text.parse().map_err(|error| unfit(not_toml(&text, &error)))?;
    let environment = inputs.config_env.as_deref().unwrap_or("default");
    if inputs.config_env.is_some() && !table.contains_key(environment) {
        let why = format!("{} has no environment {environment}", path.display());
        return Err(FileFailure::unfit(&path, why).into());
    }
    Ok(Some((path, table)))
}

/// A file in a folder, as people write its path.
fn beside(folder: &Path, name: &str) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
}

/// Where a text is not TOML. The parser's own message quotes the line, and what bears the name of a
/// configuration file need not be one.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let before = &text[..error.span().map_or(0, |span| text.floor_char_boundary(span.start))];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}: {}", error.message())
}

fn configured(table: &Table, environment: &str, command: &str) -> Result<Configured, Wrong> {
    let mut sections = vec![command];
    if !SAM_COMMANDS.contains(&command) {
        sections.push("deploy");
    }
    sections.push("global");
    let find = |key: &str| {
        sections.iter().find_map(|section| table.get(environment)?.get(section)?.get("parameters")?.get(key))
    };
    let text = |key: &str| find(key).and_then(Value::as_str).map(str::to_owned);
    let parameters = match find("parameter_overrides") {
        None => Vec::new(),
        Some(value) => words("parameter_overrides", value)?
            .iter()
            .enumerate()
            .map(|(at, word)| {
                let value = parameter_word(word).ok_or_else(|| Wrong {
                    why: no_parameter("parameter_overrides", at),
                    help: Some(PARAMETER_HELP),
                })?;
                Ok(ParameterValue { given: Given::File, ..value })
            })
            .collect::<Result<_, Wrong>>()?,
    };
    Ok(Configured {
        parameters,
        region: text("region"),
        stack_name: text("stack_name"),
        s3_bucket: text("s3_bucket"),
        s3_prefix: text("s3_prefix"),
        resolve_s3: find("resolve_s3").and_then(Value::as_bool).unwrap_or_default(),
        kms_key_id: text("kms_key_id"),
    })
}

/// The words of a setting: one text of words, a list of words, or a table.
fn words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let wrong_shape = || format!("{key} is no text of words, no list of them and no table of values");
    match value {
        Value::String(text) => Ok(split(text)),
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong_shape)).collect()
        }
        Value::Table(table) => table
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) => Ok(format!("{name}={text}")),
                Value::Integer(number) => Ok(format!("{name}={number}")),
                Value::Float(number) => Ok(format!("{name}={number}")),
                Value::Boolean(truth) => Ok(format!("{name}={truth}")),
                _ => Err(wrong_shape()),
            })
            .collect(),
        _ => Err(wrong_shape()),
    }
}

/// Splits at spaces outside of quotes; quotes and backslashes before them go.
///
/// SAM CLI's words are not those of a shell: any other backslash is part of a value, and `#` begins no comment.
fn split(text: &str) -> Vec<String> {
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

    fn check(text: &str, environment: &str, command: &str) -> (Vec<(String, String)>, Option<String>) {
        let table: Table = text.parse().expect("TOML");
        let found = configured(&table, environment, command).expect("sound");
        (found.parameters.into_iter().map(|value| (value.name, value.value)).collect(), found.region)
    }

    #[test]
    fn every_shape_of_overrides() {
        let want = vec![("A".to_owned(), "x y".to_owned()), ("B".to_owned(), "2".to_owned())];
        for shape in [
            r#""A='x y' B=2""#,
            r#"["A=x y", "B=2"]"#,
            r#"{A = "x y", B = 2}"#,
            r#""ParameterKey=A,ParameterValue='x y' B=2""#,
        ] {
            let text = format!("[default.deploy.parameters]\nparameter_overrides = {shape}\n");
            assert_eq!(check(&text, "default", "deploy").0, want, "{shape}");
        }
    }

    #[test]
    fn words_are_not_those_of_a_shell() {
        assert_eq!(split(r#"A=C:\temp "B=x \"y\" #" #C=$1"#), [r"A=C:\temp", r#"B=x "y" #"#, "#C=$1"]);
    }

    #[test]
    fn sections_in_their_order() {
        let text = "[prod.global.parameters]\nregion = \"a\"\n[prod.deploy.parameters]\nparameter_overrides = \"P=1\"\n[prod.expand.parameters]\nregion = \"b\"\n";
        assert_eq!(check(text, "prod", "expand"), (vec![("P".into(), "1".into())], Some("b".into())));
        assert_eq!(check(text, "prod", "resolve"), (vec![("P".into(), "1".into())], Some("a".into())));
        assert_eq!(check(text, "prod", "build"), (vec![], Some("a".into())));
        assert_eq!(check(text, "default", "expand"), (vec![], None));
    }
}
