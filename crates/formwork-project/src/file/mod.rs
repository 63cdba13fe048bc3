//! `formwork.toml`: default values of options, sets of parameter values, and the directory of templates
//! (reference/configuration.md).

mod allowed;
mod below;
mod document;
mod scalar;
mod setting;
mod stack;
mod template;

use std::ops::Range;
use std::path::{Path, PathBuf};

use formwork::disk::{project_configuration, project_root, read_inside};
use formwork::{Configuration, FileBytes, Limits, ParameterValue, SourceFile, ValueSource};

pub use allowed::{ALLOWED, Effect, effect_of};
pub use below::{LeavesDirectory, below};
pub use setting::{Setting, SettingValue};
pub use stack::DeclaredStack;
pub use template::DeclaredTemplate;

use crate::failure::FileFailure;
use crate::notes;

/// The name of the file.
pub const FILE_NAME: &str = "formwork.toml";

/// The largest number of errors of a file that are reported.
pub const MOST_ERRORS: usize = 20;

/// Parameter values, each with its name and its byte range in the file.
type ParameterSet = Vec<(String, String, Range<usize>)>;

/// A `formwork.toml`.
#[derive(Debug, Default)]
pub struct ProjectFile {
    /// The path of the file.
    pub path: PathBuf,
    template_root: Option<PathBuf>,
    settings: Vec<Setting>,
    sets: Vec<(String, ParameterSet)>,
    templates: Vec<DeclaredTemplate>,
    stacks: Vec<DeclaredStack>,
    /// The content, shared by all values that are read from it.
    bytes: Option<FileBytes>,
}

impl ProjectFile {
    /// Reads the file in the working directory or in the nearest directory of the project above it; `None` if it does
    /// not exist, and with `--no-config`. A file that another user owns is not read, which is noted.
    ///
    /// # Errors
    /// When the file cannot be read; else every error in its content.
    pub fn find() -> Result<Option<ProjectFile>, Vec<FileFailure>> {
        ProjectFile::find_from(Path::new("."))
    }

    /// Reads the file in a directory or in the nearest directory of the project above it.
    ///
    /// # Errors
    /// Those of [`ProjectFile::find`].
    pub fn find_from(directory: &Path) -> Result<Option<ProjectFile>, Vec<FileFailure>> {
        if is_left_out() {
            return Ok(None);
        }
        let Some(found) = project_configuration(directory, FILE_NAME) else { return Ok(None) };
        let path = found.path;
        if found.is_foreign {
            notes::note_foreign(&path);
            return Ok(None);
        }
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let bytes = read_inside(&project_root(directory), &path, Limits::default().file_bytes)
            .map_err(|error| vec![FileFailure::unread(&path, &error)])?;
        notes::note_input(path.display().to_string());
        ProjectFile::parse(&path, &bytes).map(Some)
    }

    /// Parses the bytes of a file. The names of options are checked where they are used.
    ///
    /// # Errors
    /// When it is not TOML; else every value whose type no option and no parameter has.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<ProjectFile, Vec<FileFailure>> {
        let (file, failures) = document::read(path, bytes);
        if failures.is_empty() { Ok(file) } else { Err(failures) }
    }

    /// Parses the usable part of a file, for an editor, in which a file is often incomplete.
    pub fn parse_leniently(path: &Path, bytes: &[u8]) -> ProjectFile {
        document::read(path, bytes).0
    }

    /// Returns the setting of an option for a command, such as `["local", "invoke"]`: that of the command takes
    /// precedence over that of all commands.
    pub fn setting(&self, command: &[&str], option: &str) -> Option<&Setting> {
        let of_option = self.settings.iter().filter(|setting| setting.option == option && setting.is_for(command));
        of_option.min_by_key(|setting| setting.command.is_empty())
    }

    /// Returns the names of the parameter sets, in the order of the file.
    pub fn sets(&self) -> impl Iterator<Item = &str> {
        self.sets.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the default values of options, in the order of the file.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Returns the directory in which the default template is searched for.
    pub fn template_root(&self) -> Option<&Path> {
        self.template_root.as_deref()
    }

    /// Returns the templates of several files, in the order of the file.
    pub fn templates(&self) -> &[DeclaredTemplate] {
        &self.templates
    }

    /// Returns the stacks, in the order of the file.
    pub fn stacks(&self) -> &[DeclaredStack] {
        &self.stacks
    }

    /// Returns the values of a stack in a stage.
    pub fn values_of(&self, stack: &DeclaredStack, stage: Option<&str>) -> Configuration {
        self.configuration(&stack.parameters_in(stage))
    }

    /// Returns `true` if the file of the working directory declares a template with this name.
    pub fn names_template(name: &Path) -> bool {
        let file = ProjectFile::find().ok().flatten();
        file.is_some_and(|file| file.templates.iter().any(|one| name.as_os_str() == one.name.as_str()))
    }

    /// Returns the directory of the file.
    pub fn directory(&self) -> &Path {
        self.path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Returns the values of a parameter set.
    ///
    /// # Errors
    /// When the file has no set of this name.
    pub fn set(&self, name: &str) -> Result<Configuration, FileFailure> {
        let found = self.sets.iter().find(|(known, _)| known == name);
        found.map(|(_, values)| self.configuration(values)).ok_or_else(|| {
            let why = format!("{} has no parameter set `{name}`", self.path.display());
            let known: Vec<&str> = self.sets.iter().map(|(known, _)| known.as_str()).collect();
            let failure = FileFailure::unfit(&self.path, why);
            match formwork::suggest::nearest(name, known.iter().copied()) {
                Some(near) => failure.help(format!("did you mean `{near}`?")),
                None if known.is_empty() => failure.help(format!("add a table `[parameters.{name}]`")),
                None => failure.help(format!("use one of {}", known.join(", "))),
            }
        })
    }

    fn configuration(&self, values: &ParameterSet) -> Configuration {
        let value = |(name, value, place): &(String, String, Range<usize>)| {
            let value = ParameterValue { name: name.clone(), value: value.clone(), given: ValueSource::File };
            (value, place.clone())
        };
        let path = self.path.display().to_string();
        let file = SourceFile {
            path: path.clone(),
            display: path,
            bytes: self.bytes.clone().unwrap_or_else(|| Vec::new().into()),
        };
        Configuration { file, values: values.iter().map(value).collect() }
    }

    /// Creates the error of a setting, with its line.
    pub fn unfit_setting(&self, line: usize, why: &str) -> FileFailure {
        let text = String::from_utf8_lossy(self.bytes.as_deref().unwrap_or_default());
        let source = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        ProjectFile::unfit(&self.path, line, why).with_line(line, source)
    }

    fn unfit(path: &Path, line: usize, why: &str) -> FileFailure {
        FileFailure::unfit(path, format!("{}:{line}: {why}", path.display())).at_line(line)
    }
}

/// Returns `true` if the command line has `--no-config`. The command line cannot be parsed before the file is read,
/// since the file has its defaults.
fn is_left_out() -> bool {
    std::env::args_os().any(|word| word == "--no-config")
}
