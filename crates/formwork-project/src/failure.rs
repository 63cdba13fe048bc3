//! Errors that end a command.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

use formwork::suggest::nearest;
use formwork::toml_slip::TomlSlip;
use formwork::{Diagnostic, ReadError, codes};

/// The error that ends a command early, with status 2.
#[derive(Debug)]
pub enum Failure {
    /// Invalid arguments, or a file that cannot be written; the message.
    Usage(String),
    /// A file cannot be read.
    File(Box<FileFailure>),
}

/// A file that cannot be read, or whose content is invalid.
#[derive(Clone, Debug)]
pub struct FileFailure {
    /// The path as typed.
    pub path: String,
    /// Set for a template: the other templates of the run are still processed.
    pub is_template: bool,
    /// The error.
    pub message: String,
    /// The line of the error; `None` if the file does not exist, or the error concerns all of it.
    pub line: Option<u32>,
    /// The text of the line, if it is known not to hold a secret.
    source: Option<String>,
    help: Option<Cow<'static, str>>,
}

impl FileFailure {
    /// Creates the error of a file that cannot be read.
    pub fn unread(path: &Path, error: &ReadError) -> FileFailure {
        if *error == ReadError::NotFound {
            return FileFailure::missing(path);
        }
        let path = path.display().to_string();
        let help = match error {
            ReadError::OutsideRoot => Some("name a directory that contains the file with `--project-root DIR`"),
            ReadError::NotRegular(_) => Some("put a regular file in its place, or remove it"),
            ReadError::IsDirectory => Some("name a file in it"),
            ReadError::Denied => Some("change the permissions of the file"),
            _ => None,
        };
        FileFailure {
            message: format!("{path} cannot be read: {error}"),
            path,
            is_template: false,
            line: None,
            source: None,
            help: help.map(Cow::Borrowed),
        }
    }

    /// Creates the error of a file that does not exist, with the nearest existing name as advice.
    pub fn missing(path: &Path) -> FileFailure {
        let shown = path.display().to_string();
        FileFailure {
            message: format!("{shown}: no such file"),
            path: shown,
            is_template: false,
            line: None,
            source: None,
            help: Some(near_file(path).into()),
        }
    }

    /// Rejects a template on the command line that does not exist, before files beside it are searched for.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn if_missing(template: &Path) -> Result<(), FileFailure> {
        let is_missing = template != Path::new("-")
            && template.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        if is_missing { Err(FileFailure::missing(template).of_template()) } else { Ok(()) }
    }

    /// Creates the error of a file with invalid content; `message` is a whole sentence.
    pub fn unfit(path: &Path, message: String) -> FileFailure {
        FileFailure {
            path: path.display().to_string(),
            is_template: false,
            message,
            line: None,
            source: None,
            help: None,
        }
    }

    /// Sets the line, from 1.
    #[must_use]
    pub fn at_line(self, line: usize) -> FileFailure {
        FileFailure { line: u32::try_from(line).ok(), ..self }
    }

    /// Adds advice.
    #[must_use]
    pub fn help(self, help: impl Into<Cow<'static, str>>) -> FileFailure {
        FileFailure { help: Some(help.into()), ..self }
    }

    /// Sets the line and its text.
    #[must_use]
    pub fn with_line(self, number: usize, text: &str) -> FileFailure {
        FileFailure { source: Some(text.to_owned()), ..self.at_line(number) }
    }

    /// Sets the place of a TOML syntax error, with the text of its line if that is harmless.
    #[must_use]
    pub fn at_slip(self, slip: &TomlSlip) -> FileFailure {
        FileFailure { source: slip.shown.clone(), ..self.at_line(slip.line) }
    }

    /// Returns the line to show, with its number in front.
    pub fn source(&self) -> Option<String> {
        self.line.zip(self.source.as_ref()).map(|(number, text)| format!("{number} | {}", text.trim_end()))
    }

    /// Marks the file as a template.
    #[must_use]
    pub fn of_template(self) -> FileFailure {
        FileFailure { is_template: true, ..self }
    }

    /// Returns the advice.
    pub fn advice(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Returns the error as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(codes::UNREADABLE_FILE, &self.message);
        let diagnostic = match self.line.zip(self.source.as_ref()) {
            Some((number, text)) => diagnostic.note(format!("line {number} is `{}`", text.trim())),
            None => diagnostic,
        };
        match &self.help {
            Some(help) => diagnostic.help(help.as_ref()),
            None => diagnostic,
        }
    }
}

const COMPARED: usize = 10_000;

fn near_file(path: &Path) -> String {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let (wanted, directory) = match parent.filter(|parent| !parent.is_dir()) {
        // The first component that does not exist is the misspelt one.
        Some(parent) => {
            let missing = parent.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists()).last();
            let missing = missing.unwrap_or(parent);
            (missing, missing.parent())
        }
        None => (path, parent),
    };
    let is_whole = wanted == path;
    let entries = std::fs::read_dir(directory.filter(|one| !one.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    let names = entries.into_iter().flatten().flatten().take(COMPARED);
    let mut names: Vec<String> = names
        .filter(|entry| is_whole || entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let name = wanted.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let near = nearest(&name, names.iter().map(String::as_str)).map(|near| wanted.with_file_name(near));
    match near {
        Some(near) if is_whole => format!("did you mean `{}`?", near.display()),
        Some(near) => match path.strip_prefix(wanted) {
            Ok(rest) => format!("did you mean `{}`?", near.join(rest).display()),
            Err(_) => format!("did you mean `{}`?", near.display()),
        },
        None if is_whole => "correct the path, or add the file".to_owned(),
        None => format!("the directory {} does not exist: correct the path", wanted.display()),
    }
}

impl Failure {
    /// Returns the first error of a file. All of them were reported when the command line was read.
    pub fn of_first(files: Vec<FileFailure>) -> Failure {
        let first = files.into_iter().next();
        first.map_or_else(|| Failure::Usage("a configuration file cannot be used".to_owned()), Failure::from)
    }
}

impl From<FileFailure> for Failure {
    fn from(file: FileFailure) -> Failure {
        Failure::File(Box::new(file))
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Failure {
        Failure::Usage(why)
    }
}

impl From<&str> for Failure {
    fn from(why: &str) -> Failure {
        Failure::Usage(why.to_owned())
    }
}

impl From<Failure> for String {
    fn from(failure: Failure) -> String {
        match failure {
            Failure::Usage(why) => why,
            Failure::File(file) => file.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_does_not_exist_is_corrected() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let help = |path: &str| near_file(&root.join(path)).replace(&root.display().to_string(), "");
        assert_eq!(help("Crago.toml"), "did you mean `/Cargo.toml`?");
        assert_eq!(help("scr/main.rs"), "did you mean `/src/main.rs`?");
        assert_eq!(help("quite/another.rs"), "the directory /quite does not exist: correct the path");
        assert_eq!(help("src/nothing-like-it"), "correct the path, or add the file");
    }
}
