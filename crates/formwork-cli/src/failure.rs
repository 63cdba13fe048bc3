//! How a command ends that could not do its work.

use std::borrow::Cow;
use std::path::Path;

use formwork::{Diagnostic, ReadError, codes};

/// Why a command ends early, with status 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments mean nothing, or a file cannot be written; in words.
    Usage(String),
    /// A file cannot be read.
    File(Box<FileFailure>),
}

/// A file that cannot be read, or that does not hold what it should.
#[derive(Clone, Debug)]
pub(crate) struct FileFailure {
    /// Its path as it was typed.
    pub(crate) path: String,
    /// Whether it is a template; then others can be looked at all the same.
    pub(crate) is_template: bool,
    pub(crate) message: String,
    /// The line that is meant; none where the file does not exist, or all of it is meant.
    pub(crate) line: Option<u32>,
    help: Option<Cow<'static, str>>,
}

impl FileFailure {
    /// A file that cannot be read.
    pub(crate) fn unread(path: &Path, error: &ReadError) -> FileFailure {
        let path = path.display().to_string();
        let help = match error {
            ReadError::NotFound => Some("correct the path, or add the file"),
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
            help: help.map(Cow::Borrowed),
        }
    }

    /// A file that is not what it should be, in a whole sentence.
    pub(crate) fn unfit(path: &Path, message: String) -> FileFailure {
        FileFailure { path: path.display().to_string(), is_template: false, message, line: None, help: None }
    }

    /// The same at a line, from 1.
    pub(crate) fn at_line(self, line: usize) -> FileFailure {
        FileFailure { line: u32::try_from(line).ok(), ..self }
    }

    /// The same with advice.
    pub(crate) fn help(self, help: impl Into<Cow<'static, str>>) -> FileFailure {
        FileFailure { help: Some(help.into()), ..self }
    }

    /// The same for a template.
    pub(crate) fn of_template(self) -> FileFailure {
        FileFailure { is_template: true, ..self }
    }

    /// The advice.
    pub(crate) fn advice(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// What is reported.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(codes::UNREADABLE_FILE, &self.message);
        match &self.help {
            Some(help) => diagnostic.help(help.as_ref()),
            None => diagnostic,
        }
    }
}

impl Failure {
    /// The first of the errors of a file. All of them were reported when the command line was read.
    pub(crate) fn of_first(files: Vec<FileFailure>) -> Failure {
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
