//! `formwork.toml`: default values of options, sets of parameter values, and where templates are
//! (reference/configuration.md).

mod allowed;
mod below;
mod document;
mod setting;

use std::ops::Range;
use std::path::{Path, PathBuf};

use formwork::disk::{project_configuration, project_root, read_inside};
use formwork::{Configuration, Limits, ParameterValue, SourceFile, ValueSource};

pub use allowed::{ALLOWED, Effect, effect_of};
pub use below::{LeavesDirectory, below};
pub use setting::{Setting, SettingValue};

use crate::failure::FileFailure;
use crate::notes;

/// Its name.
pub const FILE_NAME: &str = "formwork.toml";

/// Most errors of a file that are reported.
pub const MOST_ERRORS: usize = 20;

/// Values of parameters, each with its name and the range of bytes that it has in the file.
type ParameterSet = Vec<(String, String, Range<usize>)>;

/// A `formwork.toml`.
#[derive(Debug, Default)]
pub struct ProjectFile {
    /// Where it is.
    pub path: PathBuf,
    /// The directory in which the default template is looked for.
    template_root: Option<PathBuf>,
    /// Default values of options, in the order of the file.
    settings: Vec<Setting>,
    /// Sets of parameter values by their names.
    sets: Vec<(String, ParameterSet)>,
    bytes: Vec<u8>,
}

impl ProjectFile {
    /// Reads the file in the working directory or the nearest directory of the project above it that has one; `None`
    /// without one, and with `--no-config`. One that another user owns is not read, which is noted.
    ///
    /// # Errors
    /// When the file cannot be read, and all that it holds that is not a setting.
    pub fn find() -> Result<Option<ProjectFile>, Vec<FileFailure>> {
        ProjectFile::find_from(Path::new("."))
    }

    /// The same for a directory.
    ///
    /// # Errors
    /// Those of [`ProjectFile::find`].
    pub fn find_from(folder: &Path) -> Result<Option<ProjectFile>, Vec<FileFailure>> {
        if is_left_out() {
            return Ok(None);
        }
        let Some(found) = project_configuration(folder, FILE_NAME) else { return Ok(None) };
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

    /// Parses the bytes of a file. Which options there are is checked where they are used.
    ///
    /// # Errors
    /// When it is not TOML; else all values with a type that no option and no parameter has.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<ProjectFile, Vec<FileFailure>> {
        let (file, failures) = document::read(path, bytes);
        if failures.is_empty() { Ok(file) } else { Err(failures) }
    }

    /// The same for an editor, in which a file is often half written: what can be used of it.
    pub fn parse_leniently(path: &Path, bytes: &[u8]) -> ProjectFile {
        document::read(path, bytes).0
    }

    /// The setting of an option of a command, such as `["local", "invoke"]`: that of the command before that of all
    /// commands.
    pub fn setting(&self, command: &[&str], option: &str) -> Option<&Setting> {
        let of_option = self.settings.iter().filter(|setting| setting.option == option && setting.is_for(command));
        of_option.min_by_key(|setting| setting.command.is_empty())
    }

    /// The names of the parameter sets, in the order of the file.
    pub fn sets(&self) -> impl Iterator<Item = &str> {
        self.sets.iter().map(|(name, _)| name.as_str())
    }

    /// Default values of options, in the order of the file.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The directory in which the default template is looked for.
    pub fn template_root(&self) -> Option<&Path> {
        self.template_root.as_deref()
    }

    /// The values of a set.
    ///
    /// # Errors
    /// When there is no set of this name.
    pub fn set(&self, name: &str) -> Result<Configuration, FileFailure> {
        let value = |(name, value, place): &(String, String, Range<usize>)| {
            let value = ParameterValue { name: name.clone(), value: value.clone(), given: ValueSource::File };
            (value, place.clone())
        };
        let path = self.path.display().to_string();
        let file = SourceFile { path: path.clone(), display: path, bytes: self.bytes.clone().into() };
        let found = self.sets.iter().find(|(known, _)| known == name);
        let found = found.map(|(_, values)| Configuration { file, values: values.iter().map(value).collect() });
        found.ok_or_else(|| {
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

    /// The error of a setting, with its line.
    pub fn unfit_setting(&self, line: usize, why: &str) -> FileFailure {
        let text = String::from_utf8_lossy(&self.bytes);
        let source = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        ProjectFile::unfit(&self.path, line, why).with_line(line, source)
    }

    /// A file with an error at a line.
    fn unfit(path: &Path, line: usize, why: &str) -> FileFailure {
        FileFailure::unfit(path, format!("{}:{line}: {why}", path.display())).at_line(line)
    }
}

/// Whether the command line has `--no-config`. The file is read before the command line is: its defaults belong to it.
fn is_left_out() -> bool {
    std::env::args_os().any(|word| word == "--no-config")
}
