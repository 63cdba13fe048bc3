//! SAM CLI's configuration file, samconfig.toml (reference/command-line.md#samconfig), read through the host. The
//! command line takes precedence over its values ([`Section::apply_to`]).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use formwork_base::suggest::nearest;
use formwork_base::toml_slip::{TomlSlip, toml_slip};
use formwork_base::{FileBytes, Host, ReadError, VirtualPath};
use formwork_evaluate::ValueSource;
use formwork_template::PseudoParameter;
use thiserror::Error;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use crate::options::{Configuration, Options, ParameterValue, SourceFile};
use crate::parameter_words::{self, NotAParameter, split};
pub use crate::samconfig_tables::MisspeltTable;

/// Commands that SAM CLI has, too; the others read the section of `deploy` if they have none.
const SAM_COMMANDS: [&str; 7] =
    ["build", "deploy", "package", "sync", "local_invoke", "local_start_api", "local_start_lambda"];

const PARAMETERS: &str = "parameters";

const OVERRIDES: &str = "parameter_overrides";

/// The prefix of a word that is read from a file.
const FILE_SCHEME: &str = "file://";

const DEFAULT_ENVIRONMENT: &str = "default";

/// A configuration file of SAM CLI.
///
/// ```
/// use formwork::samconfig::SamConfig;
/// use formwork::{MemoryHost, Options, PseudoParameter};
///
/// let host = MemoryHost::new().with(
///     "samconfig.toml",
///     "[prod.deploy.parameters]\nparameter_overrides = \"Stage=prod\"\nregion = \"eu-west-1\"\n",
/// );
/// let file = SamConfig::beside_template(&host).expect("a file that can be read").expect("a file");
/// let section = file.section(Some("prod"), "expand").expect("an environment of that name");
/// let mut options = Options::default();
/// section.apply_to("samconfig.toml", &mut options).expect("words that name parameters");
/// assert_eq!(options.configurations[0].values[0].0.name, "Stage");
/// assert_eq!(options.pseudo, [(PseudoParameter::Region, "eu-west-1".to_owned())]);
/// ```
#[derive(Clone, Debug)]
pub struct SamConfig {
    table: Table,
    text: Arc<str>,
}

/// The reason why a configuration file, or a setting in it, cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SamConfigError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] ReadError),
    /// The file is not text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The file is not TOML.
    #[error("line {}, column {}: {}", .0.line, .0.column, .0.title)]
    NotToml(TomlSlip),
    /// The requested environment is not in the file.
    #[error("has no environment {name}")]
    NoEnvironment {
        /// The requested environment.
        name: String,
        /// The environments in the file.
        known: Vec<String>,
    },
    /// A setting of words has another type.
    #[error("{0} is not a string, a list of strings or a table of values")]
    NoWords(String),
    /// A word of a setting refers to a file, which only the command line may do.
    #[error("{0} names a file with `file://`")]
    NamesFile(String),
    /// A word of `parameter_overrides` names no parameter.
    #[error(transparent)]
    NotAParameter(#[from] NotAParameter),
}

impl SamConfigError {
    /// Returns the error of the file at `path`, as a sentence.
    pub fn in_file(&self, path: &str) -> String {
        match self {
            SamConfigError::Unreadable(error) => format!("{path} cannot be read: {error}"),
            SamConfigError::NotText => format!("{path} is not well-formed: {self}"),
            SamConfigError::NotToml(slip) => format!("{path}:{}:{}: {}", slip.line, slip.column, slip.title),
            SamConfigError::NoEnvironment { .. } => format!("{path} {self}"),
            SamConfigError::NoWords(_) | SamConfigError::NamesFile(_) | SamConfigError::NotAParameter(_) => {
                format!("{path}: {self}")
            }
        }
    }

    /// Returns the advice.
    pub fn help(&self) -> Option<Cow<'static, str>> {
        match self {
            SamConfigError::NotAParameter(word) => Some(word.help().into()),
            SamConfigError::NotToml(slip) => Some(slip.help.clone().into()),
            SamConfigError::NamesFile(_) => Some("pass the file on the command line".into()),
            SamConfigError::NoEnvironment { name, known } => {
                Some(match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?").into(),
                    None if known.is_empty() => format!("add a table `[{name}.deploy.parameters]`").into(),
                    None => match known.as_slice() {
                        [one] => format!("use {one}, or leave it out").into(),
                        all => format!("use one of {}", all.join(", ")).into(),
                    },
                })
            }
            _ => None,
        }
    }
}

/// The largest number of keys outside of `parameters` that are reported: one shows the mistake.
const MOST_STRAY_KEYS: usize = 10;

impl SamConfig {
    /// The name of the file beside a template.
    pub const FILE_NAME: &str = "samconfig.toml";

    /// Reads the file beside the template; `None` if it does not exist.
    ///
    /// # Errors
    /// When it cannot be read, or is not TOML.
    pub fn beside_template(host: &dyn Host) -> Result<Option<SamConfig>, SamConfigError> {
        match host.read(&VirtualPath::new(SamConfig::FILE_NAME)) {
            Ok(bytes) => SamConfig::parse(&bytes).map(Some),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Parses the bytes of a file.
    ///
    /// # Errors
    /// When they are not TOML.
    pub fn parse(bytes: &[u8]) -> Result<SamConfig, SamConfigError> {
        let text = std::str::from_utf8(bytes).map_err(|_| SamConfigError::NotText)?;
        let table = text.parse().map_err(|error| not_toml(text, &error))?;
        Ok(SamConfig { table, text: text.into() })
    }

    /// Returns the names of the environments, sorted.
    pub fn environments(&self) -> impl Iterator<Item = &str> {
        self.table.iter().filter(|(_, value)| value.is_table()).map(|(name, _)| name.as_str())
    }

    /// Returns the settings for a command, in an environment or in the default one.
    ///
    /// # Errors
    /// When the requested environment is not in the file.
    pub fn section(&self, environment: Option<&str>, command: &str) -> Result<Section, SamConfigError> {
        let name = environment.unwrap_or(DEFAULT_ENVIRONMENT);
        if environment.is_some() && !self.table.contains_key(name) {
            let is_environment = |(_, value): &(&String, &Value)| value.is_table();
            let known = self.table.iter().filter(is_environment).map(|(name, _)| name.clone()).collect();
            return Err(SamConfigError::NoEnvironment { name: name.to_owned(), known });
        }
        let deploy = (!SAM_COMMANDS.contains(&command)).then_some("deploy");
        let names = std::iter::once(command).chain(deploy).chain(["global"]);
        let of = |section: &str| {
            let table = self.table.get(name)?.get(section)?.get(PARAMETERS)?.as_table()?;
            Some(([name.to_owned(), section.to_owned()], table.clone()))
        };
        Ok(Section { tables: names.filter_map(of).collect(), text: Arc::clone(&self.text) })
    }

    /// Returns the tables of the file that nothing reads, and that are near to one that is read.
    pub fn misspelt_tables(&self) -> Vec<MisspeltTable> {
        crate::samconfig_tables::misspelt(&self.table, &self.text)
    }

    /// Returns the keys of an environment that have no effect because they are beside a table `parameters` or replace
    /// one: each with the table that is meant, and its line, from 1.
    pub fn stray_keys(&self, environment: Option<&str>, command: &str) -> Vec<(String, String, usize)> {
        let name = environment.unwrap_or(DEFAULT_ENVIRONMENT);
        let none = Table::new();
        let own = self.table.get(name).and_then(Value::as_table).unwrap_or(&none);
        let plain = |table: &Table| -> Vec<String> {
            table.iter().filter(|(_, value)| !value.is_table()).map(|(key, _)| key.clone()).collect()
        };
        let command = if own.get(command).is_some_and(Value::is_table) { command } else { "deploy" };
        let section = own.get(command).and_then(Value::as_table).map(plain).unwrap_or_default();
        let of = |command: &str, keys: Vec<String>| {
            let meant = format!("{name}.{command}.{PARAMETERS}");
            keys.into_iter().map(move |key| (meant.clone(), key)).collect::<Vec<_>>()
        };
        let mut top = plain(&self.table);
        top.retain(|key| key != "version");
        let mut all = [of("global", top), of("global", plain(own)), of(command, section)].concat();
        // Each is searched for in the text.
        all.truncate(MOST_STRAY_KEYS);
        let line = |key: &str| self.text.lines().position(|line| line.trim_start().starts_with(key)).unwrap_or(0) + 1;
        all.into_iter()
            .map(|(meant, key)| {
                let line = line(&key);
                (meant, key, line)
            })
            .collect()
    }
}

/// The settings of a configuration file for a command, by key.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The tables that apply, the nearest first, each with the names of its environment and command.
    tables: Vec<([String; 2], Table)>,
    text: Arc<str>,
}

impl Section {
    /// Returns the names of the tables that apply, the nearest first: `default.deploy.parameters`.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.tables.iter().map(|([environment, command], _)| format!("{environment}.{command}.{PARAMETERS}"))
    }

    /// Returns the keys with their lines, from 1.
    pub fn keys(&self) -> Vec<(String, usize)> {
        let Ok(root) = DeTable::parse(&self.text) else { return Vec::new() };
        let ends: Vec<usize> = self.text.match_indices('\n').map(|(at, _)| at).collect();
        let line = |offset: usize| ends.partition_point(|&end| end < offset) + 1;
        let mut found = Vec::new();
        for ([environment, command], _) in &self.tables {
            let below = |table: &DeValue<'_>, name: &str| -> Option<Vec<(String, usize)>> {
                let DeValue::Table(table) = table else { return None };
                let DeValue::Table(table) = table.get(name)?.get_ref() else { return None };
                Some(table.iter().map(|(key, _)| (key.get_ref().to_string(), line(key.span().start))).collect())
            };
            let section = root.get_ref().get(environment.as_str()).and_then(|value| match value.get_ref() {
                DeValue::Table(table) => table.get(command.as_str()),
                _ => None,
            });
            found.extend(section.and_then(|section| below(section.get_ref(), PARAMETERS)).unwrap_or_default());
        }
        found
    }

    /// Returns a line of the file, from 1.
    pub fn line(&self, number: usize) -> &str {
        self.text.lines().nth(number.saturating_sub(1)).unwrap_or_default()
    }

    fn find(&self, key: &str) -> Option<&Value> {
        self.tables.iter().find_map(|(_, table)| table.get(key))
    }

    /// Returns a string setting.
    pub fn text(&self, key: &str) -> Option<String> {
        self.find(key)?.as_str().map(str::to_owned)
    }

    /// Returns a flag.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.find(key)?.as_bool()
    }

    /// Returns the words of a string, a list of strings, or a table as `K=V`.
    ///
    /// # Errors
    /// When the setting has another type, and when a word refers to a file.
    pub fn words(&self, key: &str) -> Result<Option<Vec<String>>, SamConfigError> {
        let wrong_shape = || SamConfigError::NoWords(key.to_owned());
        let words = self.find(key).map(|value| words(value).ok_or_else(wrong_shape)).transpose()?;
        if words.iter().flatten().any(|word| word.starts_with(FILE_SCHEME)) {
            return Err(SamConfigError::NamesFile(key.to_owned()));
        }
        Ok(words)
    }

    /// Returns the values of `parameter_overrides`, each with its byte range in the file.
    ///
    /// # Errors
    /// When a word names no parameter.
    pub fn parameters(&self) -> Result<Vec<(ParameterValue, Range<usize>)>, SamConfigError> {
        let words = self.words(OVERRIDES)?.unwrap_or_default();
        let places = self.places();
        let value = |(at, word): (usize, &String)| {
            let value = parameter_words::value(word).ok_or_else(|| NotAParameter::new(OVERRIDES, at, word))?;
            // The words of one string share its place.
            let place = places.get(at).or(places.first()).cloned().unwrap_or_default();
            Ok((ParameterValue { given: ValueSource::File, ..value }, place))
        };
        words.iter().enumerate().map(value).collect()
    }

    fn places(&self) -> Vec<Range<usize>> {
        let Some(([environment, command], _)) = self.tables.iter().find(|(_, table)| table.contains_key(OVERRIDES))
        else {
            return Vec::new();
        };
        let Ok(root) = DeTable::parse(&self.text) else { return Vec::new() };
        let mut table = root.get_ref();
        for name in [environment, command, PARAMETERS] {
            let Some(DeValue::Table(below)) = table.get(name).map(Spanned::get_ref) else { return Vec::new() };
            table = below;
        }
        let Some(value) = table.get(OVERRIDES) else { return Vec::new() };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(Spanned::span).collect(),
            DeValue::Table(values) => values.values().map(Spanned::span).collect(),
            _ => vec![value.span()],
        }
    }

    /// Adds the values to options that have those of the command line, which take precedence. `path` is that of the
    /// file, as messages show it. A value for a name that the template does not declare is ignored.
    ///
    /// # Errors
    /// When a word of `parameter_overrides` names no parameter.
    pub fn apply_to(&self, path: &str, options: &mut Options) -> Result<(), SamConfigError> {
        let values = self.parameters()?;
        if !values.is_empty() {
            let bytes = FileBytes::from(self.text.as_bytes().to_vec());
            let file = SourceFile { path: path.to_owned(), display: path.to_owned(), bytes };
            options.configurations.push(Configuration { file, values });
        }
        for (name, key) in [(PseudoParameter::StackName, "stack_name"), (PseudoParameter::Region, "region")] {
            let is_known = options.pseudo.iter().any(|(known, _)| *known == name);
            if let Some(value) = self.text(key).filter(|_| !is_known) {
                options.pseudo.insert(0, (name, value));
            }
        }
        Ok(())
    }
}

/// The place of a TOML syntax error. The parser's own message quotes the line, and a file with the name of a
/// configuration file need not be one.
fn not_toml(text: &str, error: &toml::de::Error) -> SamConfigError {
    SamConfigError::NotToml(toml_slip(text, error.span().unwrap_or_default(), error.message()))
}

fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(split(text)),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        Value::Table(table) => table
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) => Some(format!("{name}={text}")),
                Value::Integer(number) => Some(format!("{name}={number}")),
                Value::Float(number) => Some(format!("{name}={number}")),
                Value::Boolean(truth) => Some(format!("{name}={truth}")),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::MemoryHost;

    use super::*;

    fn check(text: &str, environment: &str, command: &str) -> (Vec<(String, String)>, Option<String>) {
        let file = SamConfig::parse(text.as_bytes()).expect("TOML");
        let environment = (environment != DEFAULT_ENVIRONMENT).then_some(environment);
        let section = file.section(environment, command).expect("an environment");
        let values = section.parameters().expect("words that name parameters");
        (values.into_iter().map(|(value, _)| (value.name, value.value)).collect(), section.text("region"))
    }

    #[test]
    fn parameter_overrides_have_every_shape_of_sam_cli() {
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
    fn the_section_of_the_command_counts_before_deploy_and_global() {
        let text = "[prod.global.parameters]\nregion = \"a\"\n[prod.deploy.parameters]\nparameter_overrides = \"P=1\"\n[prod.expand.parameters]\nregion = \"b\"\n";
        assert_eq!(check(text, "prod", "expand"), (vec![("P".into(), "1".into())], Some("b".into())));
        assert_eq!(check(text, "prod", "resolve"), (vec![("P".into(), "1".into())], Some("a".into())));
        assert_eq!(check(text, "prod", "build"), (vec![], Some("a".into())));
        assert_eq!(check(text, "default", "expand"), (vec![], None));
    }

    #[test]
    fn values_of_the_command_line_win() {
        let text = "[default.global.parameters]\nregion = \"a\"\nstack_name = \"b\"\nparameter_overrides = \"P=1\"\n";
        let section = SamConfig::parse(text.as_bytes()).and_then(|file| file.section(None, "expand")).expect("sound");
        let mut options = Options { pseudo: vec![(PseudoParameter::Region, "own".into())], ..Options::default() };
        section.apply_to("samconfig.toml", &mut options).expect("sound");
        let pseudo = [(PseudoParameter::StackName, "b".to_owned()), (PseudoParameter::Region, "own".to_owned())];
        assert_eq!(options.pseudo, pseudo);
        let (value, place) = &options.configurations[0].values[0];
        assert_eq!((value.given, &text[place.clone()]), (ValueSource::File, "\"P=1\""));
    }

    #[test]
    fn keys_outside_of_parameters_are_found() {
        let text = "version = 0.1\n[default]\nregion = 'x'\n[default.deploy]\nstack_name = 'y'\n[default.deploy.parameters]\ns3_prefix = 'z'\n";
        let file = SamConfig::parse(text.as_bytes()).expect("TOML");
        let of = |meant: &str, key: &str, line| (meant.to_owned(), key.to_owned(), line);
        let both = [of("default.global.parameters", "region", 3), of("default.deploy.parameters", "stack_name", 5)];
        assert_eq!(file.stray_keys(None, "deploy"), both);
        assert_eq!(file.stray_keys(None, "check"), both, "`check` reads the section of `deploy`");
        assert_eq!(file.stray_keys(Some("prod"), "deploy"), []);
    }

    #[test]
    fn what_cannot_be_used_is_named_and_never_quoted() {
        let read = |text: &str| SamConfig::beside_template(&MemoryHost::new().with(SamConfig::FILE_NAME, text));
        assert!(SamConfig::beside_template(&MemoryHost::new()).is_ok_and(|file| file.is_none()));
        let error = read("a = 1\nsecret hunter2\n").expect_err("not TOML");
        assert!(error.to_string().starts_with("line 2, column ") && !error.to_string().contains("hunter2"), "{error}");
        assert_eq!(SamConfig::parse(&[0xFF]).expect_err("not text"), SamConfigError::NotText);
        let file = read("[default.deploy.parameters]\nparameter_overrides = \"A=1 hunter2\"\ntags = 1\n");
        let file = file.expect("TOML").expect("a file");
        assert_eq!(
            file.section(Some("prod"), "deploy").expect_err("no environment").to_string(),
            "has no environment prod"
        );
        let section = file.section(None, "deploy").expect("the default one");
        let error = section.parameters().expect_err("a word without a name").to_string();
        assert_eq!(error, "word 2 of parameter_overrides is not NAME=VALUE");
        assert_eq!(section.words("tags"), Err(SamConfigError::NoWords("tags".to_owned())));
        for (key, value) in [("parameter_overrides", "\"file://p.json\""), ("tags", "[\"a=b\", \"file:///etc/a=b\"]")] {
            let file = read(&format!("[default.deploy.parameters]\n{key} = {value}\n")).expect("TOML").expect("a file");
            let section = file.section(None, "deploy").expect("the default one");
            let error = section.words(key).expect_err("a file");
            assert_eq!(error.to_string(), format!("{key} names a file with `file://`"));
        }
    }
}
