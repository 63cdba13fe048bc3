//! The configuration file that the arguments name, else the one beside the template
//! (reference/command-line.md#samconfig).

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use formwork::disk::{Loader, project_root};
use formwork::samconfig::{SamConfig, SamConfigError, Section};
use formwork::suggest::nearest;
use formwork::{DiskHost, Host, Options, PseudoParameter, ReadError};

use crate::failure::{Failure, FileFailure};
use crate::loader::loader_in;
use crate::notes;

/// The settings that commands read in addition to [`COMMON`], by command.
const SETTINGS: [(&[&str], &[&str]); 6] = [
    (&["build"], &["exclude"]),
    (
        &["package", "deploy", "refactor", "sync"],
        &[
            "s3_bucket",
            "s3_prefix",
            "resolve_s3",
            "kms_key_id",
            "image_repository",
            "image_repositories",
            "resolve_image_repos",
        ],
    ),
    (
        &["deploy", "sync"],
        &[
            "profile",
            "role_arn",
            "capabilities",
            "tags",
            "notification_arns",
            "confirm_changeset",
            "fail_on_empty_changeset",
            "on_failure",
            "disable_rollback",
            "express",
        ],
    ),
    (&["sync"], &["code", "watch"]),
    (&["delete"], &["profile", "role_arn", "express"]),
    (&["outputs", "events", "list", "logs", "diagnose", "refactor"], &["profile"]),
];

const COMMON: [&str; 3] = ["parameter_overrides", "region", "stack_name"];

/// Returns the keys that other readers of `samconfig.toml` know: the options of the program and of SAM CLI, with `_`
/// for `-`. Called only when the file has a key that Formwork does not read.
type KnownKeys = fn() -> Vec<String>;

static KNOWN_KEYS: OnceLock<KnownKeys> = OnceLock::new();

/// Sets once for the process which keys have a meaning elsewhere: the options of the program, which knows them alone.
pub fn know_keys(keys: KnownKeys) {
    KNOWN_KEYS.get_or_init(|| keys);
}

/// The file to read, and the environment in it.
#[derive(Clone, Copy, Debug)]
pub struct ConfigChoice<'a> {
    /// The file of the command line; `None` for the file beside the template.
    pub file: Option<&'a Path>,
    /// The environment of the command line; `None` for `default`.
    pub environment: Option<&'a str>,
    /// Set to read no file.
    pub is_left_out: bool,
    /// Returns the source directory of a built template in a directory; its file is read instead.
    pub source_folder: fn(&Path) -> Option<PathBuf>,
}

/// The settings of the file for a command; empty without a file.
#[derive(Debug, Default)]
pub struct Config {
    path: PathBuf,
    section: Section,
}

impl Config {
    /// Reads the section of `command`. `directory` is the directory of the template, and `host` reads the file beside
    /// it.
    ///
    /// # Errors
    /// When a file of the command line cannot be read, when the file is not TOML, and when the environment of the
    /// command line is not in it.
    pub fn read(
        host: &dyn Host,
        loader: &Loader,
        directory: &Path,
        command: &str,
        choice: &ConfigChoice<'_>,
    ) -> Result<Config, Failure> {
        if choice.is_left_out {
            Ok(Config::default())
        } else {
            Config::read_section(host, loader, directory, command, choice)
        }
    }

    /// Reads the section of a command that reads no template: from the file of the command line, else the one in
    /// `directory`.
    ///
    /// # Errors
    /// Those of [`Config::read`].
    pub fn of_folder(directory: &Path, command: &str, choice: &ConfigChoice<'_>) -> Result<Config, Failure> {
        if choice.is_left_out {
            return Ok(Config::default());
        }
        let loader = loader_in(&project_root(directory))?;
        let host = DiskHost::with_loader(directory, loader);
        Config::read_section(&host, host.loader(), directory, command, choice)
    }

    fn read_section(
        host: &dyn Host,
        loader: &Loader,
        directory: &Path,
        command: &str,
        choice: &ConfigChoice<'_>,
    ) -> Result<Config, Failure> {
        let ConfigChoice { file: named, environment, .. } = *choice;
        let source = named.is_none().then(|| (choice.source_folder)(directory)).flatten();
        let path = path_of(named, source.as_deref().unwrap_or(directory));
        let file = match (named, source) {
            (Some(path), _) => loader.read_named(path).map_err(SamConfigError::from).and_then(|b| parse(&b)),
            (None, Some(_)) => match loader.read(&path) {
                Ok(bytes) => parse(&bytes),
                Err(ReadError::NotFound) => Ok(None),
                Err(error) => Err(SamConfigError::from(error)),
            },
            (None, None) => SamConfig::beside_template(host),
        };
        let Some(file) = file.map_err(|error| unfit(&path, &error))? else {
            return match environment {
                Some(name) => {
                    Err(format!("no samconfig.toml with an environment {name} was found next to the template").into())
                }
                None => Ok(Config::default()),
            };
        };
        let section = file.section(environment, command).map_err(|error| unfit(&path, &error))?;
        let names: Vec<String> = section.names().map(|name| format!("[{name}]")).collect();
        if !names.is_empty() {
            notes::note_input(format!("{} {}", path.display(), names.join(", ")));
        }
        for (meant, key, line) in file.stray_keys(environment, command) {
            let place = format!("{}:{line}", path.display());
            notes::warn(format!("{place}: `{key}` is not below `parameters`, and has no effect; write `[{meant}]`"));
        }
        for table in file.misspelt_tables() {
            let place = format!("{}:{}", path.display(), table.line);
            let (name, meant) = (table.name, table.meant);
            notes::warn(format!("{place}: table `[{name}]` is not read; did you mean `[{meant}]`?"));
        }
        warn_of_unknown_keys(&path, &section);
        Ok(Config { path, section })
    }

    /// Returns the path of the file for a template in `directory`, whether or not it exists.
    pub fn file_of(directory: &Path, choice: &ConfigChoice<'_>) -> PathBuf {
        let source = (choice.source_folder)(directory);
        path_of(choice.file, source.as_deref().unwrap_or(directory))
    }

    /// Returns `true` if a command reads a setting.
    pub fn reads(command: &[&str], key: &str) -> bool {
        let is_read = |(commands, keys): &(&[&str], &[&str])| {
            command.first().is_some_and(|command| commands.contains(command)) && keys.contains(&key)
        };
        COMMON.contains(&key) || SETTINGS.iter().any(is_read)
    }

    /// Adds the parameters and pseudo parameters of the file to those of the command line.
    ///
    /// # Errors
    /// When a word of the file names no parameter.
    pub fn apply_to(&self, options: &mut Options) -> Result<(), FileFailure> {
        let (files, pseudo) = (options.configurations.len(), options.pseudo.clone());
        let path = self.path.display().to_string();
        self.section.apply_to(&path, options).map_err(|error| unfit(&self.path, &error))?;
        if options.configurations.len() > files {
            self.used("parameter_overrides");
        }
        for (name, key) in [(PseudoParameter::StackName, "stack_name"), (PseudoParameter::Region, "region")] {
            let is_in = |pseudo: &[(PseudoParameter, String)]| pseudo.iter().any(|(known, _)| *known == name);
            if is_in(&options.pseudo) && !is_in(&pseudo) {
                self.used(key);
            }
        }
        Ok(())
    }

    /// Notes that a setting has an effect.
    pub fn used(&self, key: &str) {
        notes::note(&self.path, key);
    }

    /// Returns the settings without noting an effect.
    pub fn section(&self) -> &Section {
        &self.section
    }

    /// Returns the path of the file, empty without one.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the names of the parameters that have values.
    ///
    /// # Errors
    /// When a word of the file names no parameter.
    pub fn parameter_names(&self) -> Result<Vec<String>, FileFailure> {
        let found = self.section.parameters().map_err(|error| unfit(&self.path, &error))?;
        Ok(found.into_iter().map(|(parameter, _)| parameter.name).collect())
    }

    /// Returns a string setting, and notes its effect.
    pub fn text(&self, key: &str) -> Option<String> {
        self.section.text(key).inspect(|_| self.used(key))
    }

    /// Returns a string setting without noting an effect.
    pub fn unused_text(&self, key: &str) -> Option<String> {
        self.section.text(key)
    }

    /// Returns the place of a setting as the beginning of a message: `samconfig.toml:4: `.
    pub fn place(&self, key: &str) -> String {
        let line = self.section.keys().into_iter().find(|(known, _)| known == key).map(|(_, line)| line);
        line.map_or_else(String::new, |line| format!("{}:{line}: ", self.path.display()))
    }

    /// Rejects signing profiles: the code would be deployed unsigned although the file asks for signatures.
    ///
    /// # Errors
    /// When the file has signing profiles for a command that uploads code.
    pub fn refuse_signing(&self, command: &str) -> Result<(), FileFailure> {
        const UPLOADS: [&str; 3] = ["package", "deploy", "sync"];
        let keys = self.section.keys();
        let Some((_, line)) =
            keys.iter().find(|(key, _)| key == "signing_profiles").filter(|_| UPLOADS.contains(&command))
        else {
            return Ok(());
        };
        let why = format!("{}:{line}: signing_profiles is set, and Formwork does not sign code", self.path.display());
        let failure = FileFailure::unfit(&self.path, why);
        let help = "sign it in the pipeline, deploy the `s3://` location of the signed object, and remove the key";
        Err(failure.at_line(*line).help(help))
    }

    /// Returns a flag, and notes its effect.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.section.flag(key).inspect(|_| self.used(key))
    }

    /// Returns the words of a setting, and notes its effect.
    ///
    /// # Errors
    /// When the setting has another type.
    pub fn words(&self, key: &str) -> Result<Option<Vec<String>>, FileFailure> {
        let words = self.unused_words(key)?;
        Ok(words.inspect(|_| self.used(key)))
    }

    /// Returns the words of a setting without noting an effect.
    ///
    /// # Errors
    /// When the setting has another type.
    pub fn unused_words(&self, key: &str) -> Result<Option<Vec<String>>, FileFailure> {
        self.section.words(key).map_err(|error| unfit(&self.path, &error))
    }

    /// Creates the error of an invalid setting of the file.
    pub fn unfit(&self, why: &str) -> FileFailure {
        FileFailure::unfit(&self.path, format!("{}: {why}", self.path.display()))
    }
}

/// Keys of SAM CLI that are not read because Formwork always does what they ask for.
const DONE: [&str; 6] = ["version", "lint", "beta_features", "cached", "parallel", "warm_containers"];

/// Warns about keys that neither Formwork nor SAM CLI has: they are misspelt, and have no effect. Keys of SAM CLI that
/// have no effect either are a note.
fn warn_of_unknown_keys(path: &Path, section: &Section) {
    let read = || COMMON.into_iter().chain(SETTINGS.iter().flat_map(|(_, keys)| keys.iter().copied()));
    let mut keys = section.keys();
    keys.retain(|(key, _)| !read().any(|known| known == key));
    if keys.is_empty() {
        return;
    }
    let known = KNOWN_KEYS.get().map_or_else(Vec::new, |keys| keys());
    let (unread, unknown): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(key, _)| known.contains(key));
    let unread: Vec<&str> = unread.iter().map(|(key, _)| key.as_str()).filter(|key| !DONE.contains(key)).collect();
    if let Some((first, rest)) = unread.split_first() {
        let verb = if rest.is_empty() { "has" } else { "have" };
        let names = rest.iter().fold((*first).to_owned(), |names, key| names + ", " + key);
        notes::remark(format!("{}: {names} {verb} no effect", path.display()));
    }
    for (key, line) in &unknown {
        let help = match nearest(key, read().chain(known.iter().map(String::as_str))) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", read().collect::<Vec<_>>().join(", ")),
        };
        notes::warn(format!("{}:{line}: unknown key `{key}` has no effect; {help}", path.display()));
    }
}

fn unfit(path: &Path, error: &SamConfigError) -> FileFailure {
    if let SamConfigError::Unreadable(error) = error {
        return FileFailure::unread(path, error);
    }
    let failure = FileFailure::unfit(path, error.in_file(&path.display().to_string()));
    let failure = match error {
        SamConfigError::NotToml(slip) => failure.at_slip(slip),
        _ => failure,
    };
    match error.help() {
        Some(help) => failure.help(help),
        None => failure,
    }
}

fn parse(bytes: &[u8]) -> Result<Option<SamConfig>, SamConfigError> {
    SamConfig::parse(bytes).map(Some)
}

/// Returns the file of the command line, else the one in a directory, as people write its path.
fn path_of(named: Option<&Path>, directory: &Path) -> PathBuf {
    match named {
        Some(path) => path.to_owned(),
        None if directory == Path::new(".") => PathBuf::from(SamConfig::FILE_NAME),
        None => directory.join(SamConfig::FILE_NAME),
    }
}
