//! The printer of a deployment: diagnostics, notices and lines, on standard error.

use anstyle::{AnsiColor, Style};
use formwork::{Compilation, Diagnostic, Report, Severity, SourceMap};
use formwork_report::{Context, Notice, Summary, printable};
use serde_json::Value;

use super::secrets::Secrets;
use crate::args::{MessageFormatArg, ReportArgs};
use crate::report::Reporter;
use crate::terminal::{Form, say};
use crate::upload::Delivered;

/// Prints everything that a deployment reports, in the form that was asked for, and no secret.
pub(in crate::commands) struct DeployReporter<'r, 'a> {
    reporter: &'r mut Reporter<'a>,
    secrets: Secrets,
    summary: Summary,
    last_error: Option<String>,
    failures: Vec<Value>,
    uploads: Vec<Delivered>,
}

/// Colours of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::commands) enum Color {
    Red,
    Green,
    Yellow,
    Dim,
}

impl<'r, 'a> DeployReporter<'r, 'a> {
    pub(in crate::commands) fn new(reporter: &'r mut Reporter<'a>) -> DeployReporter<'r, 'a> {
        DeployReporter {
            reporter,
            secrets: Secrets::default(),
            summary: Summary::default(),
            last_error: None,
            failures: Vec::new(),
            uploads: Vec::new(),
        }
    }

    /// Prints the diagnostics of a template.
    pub(in crate::commands) fn diagnostics(&mut self, report: &Report) {
        self.reporter.print(report);
    }

    /// Prints what was found after the diagnostics of a template were printed.
    pub(in crate::commands) fn more_diagnostics(&mut self, found: &[Diagnostic], compilation: &Compilation) {
        self.reporter.print_more(found, compilation);
    }

    /// Prints the count of diagnostics for people. `outcome` is what became of the template.
    pub(in crate::commands) fn finish_diagnostics(&mut self, outcome: &str) {
        if self.is_for_people() {
            self.reporter.finish(outcome);
        }
    }

    /// Prints the count of all that was printed, for programs.
    pub(in crate::commands) fn finish(&mut self) {
        if !self.is_for_people() {
            self.reporter.count(self.summary);
            self.reporter.finish("");
        }
    }

    /// Prints the end of a report that is the product of the command.
    pub(super) fn finish_report(&mut self) {
        self.reporter.count(self.summary);
        self.reporter.finish("");
    }

    fn args(&self) -> &'a ReportArgs {
        self.reporter.args()
    }

    /// From now on these are masked.
    pub(in crate::commands) fn hide(&mut self, secrets: Secrets) {
        self.secrets = secrets;
    }

    /// A text without secrets and without characters that act on a terminal.
    pub(in crate::commands) fn clean(&self, text: &str) -> String {
        printable(&self.secrets.mask(text)).into_owned()
    }

    /// A text without secrets.
    pub(in crate::commands) fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }

    /// Whether lines for people are printed.
    pub(in crate::commands) fn is_for_people(&self) -> bool {
        self.args().message_format != MessageFormatArg::Json
    }

    /// A line for people; `object` for programs. Under `--quiet` neither.
    pub(in crate::commands) fn line(&self, line: &str, object: impl FnOnce() -> Value) {
        if self.args().quiet {
            return;
        }
        if self.is_for_people() {
            say(&format!("{line}\n"), self.form());
        } else {
            say(&format!("{}\n", object()), Form::Json);
        }
    }

    /// A line for people alone. Under `--quiet` none.
    pub(in crate::commands) fn tell(&self, line: &str) {
        if self.is_for_people() && !self.args().quiet {
            say(&format!("{line}\n"), self.form());
        }
    }

    /// Prints a notice about a template; errors also under `--quiet`.
    pub(in crate::commands) fn print(&mut self, notice: &Notice, about: Option<&Compilation>) {
        let mut notice = notice.clone();
        notice.message = self.secrets.mask(&notice.message);
        for words in notice.notes.iter_mut().chain(&mut notice.help) {
            *words = self.secrets.mask(words);
        }
        match notice.severity {
            Severity::Error => {
                self.summary.errors += 1;
                self.last_error = Some(notice.message.clone());
            }
            Severity::Warning => self.summary.warnings += 1,
            Severity::Note => self.summary.notes += 1,
        }
        if self.args().quiet && notice.severity != Severity::Error {
            return;
        }
        let none = SourceMap::new();
        let (sources, secrets) = about.map_or((&none, &[][..]), |about| (about.sources(), about.secrets()));
        let context = Context { sources, secrets, color: self.reporter.colors(), width: self.reporter.width() };
        let (text, form) = match self.args().message_format {
            MessageFormatArg::Human => (notice.to_human(&context), self.form()),
            MessageFormatArg::Json => (notice.to_json(&context), Form::Json),
            MessageFormatArg::Short | MessageFormatArg::Sarif | MessageFormatArg::Github | MessageFormatArg::Junit => {
                (notice.to_short(&context), Form::Plain)
            }
        };
        // A document on standard output has nothing but its own.
        if self.args().message_format.is_document() {
            say(&text, form);
        } else {
            self.reporter.emit(&text, form);
        }
    }

    /// Prints what CloudFormation's own checks found: a diagnostic about a template, or the objects for programs, one
    /// per line.
    pub(super) fn checked(&mut self, diagnostic: &Diagnostic, about: &Compilation, objects: &[Value]) {
        if self.is_for_people() {
            return self.more_diagnostics(std::slice::from_ref(diagnostic), about);
        }
        for object in objects {
            self.summary.count(diagnostic.severity);
            if !self.args().quiet || diagnostic.severity == Severity::Error {
                self.reporter.emit(&format!("{object}\n"), Form::Json);
            }
        }
    }

    /// Whether more is printed than is needed.
    pub(in crate::commands) fn is_verbose(&self) -> bool {
        self.args().verbose
    }

    /// Keeps what failed, for programs: see [`DeployReporter::failures`].
    pub(in crate::commands) fn add_failure(&mut self, failure: Value) {
        self.failures.push(failure);
    }

    /// The resources that failed or were refused.
    pub(in crate::commands) fn failures(&self) -> &[Value] {
        &self.failures
    }

    /// Keeps what was uploaded, for programs: see [`DeployReporter::uploads`].
    pub(super) fn set_uploads(&mut self, uploads: Vec<Delivered>) {
        self.uploads = uploads;
    }

    /// What was uploaded, or is there already.
    pub(super) fn uploads(&self) -> &[Delivered] {
        &self.uploads
    }

    /// The message of the last error.
    pub(in crate::commands) fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    fn form(&self) -> Form {
        Form::words(self.reporter.colors())
    }

    /// A text in a colour, where there are colours.
    pub(in crate::commands) fn paint(&self, text: &str, color: Color) -> String {
        paint(text, color, self.colors())
    }

    /// Whether standard error has colours.
    pub(in crate::commands) fn colors(&self) -> bool {
        self.reporter.colors()
    }

    /// Whether standard output has colours.
    pub(in crate::commands) fn colors_output(&self) -> bool {
        self.reporter.colors_output()
    }
}

/// A text in a colour, if there are colours.
pub(in crate::commands) fn paint(text: &str, color: Color, has_colors: bool) -> String {
    if !has_colors || text.is_empty() {
        return text.to_owned();
    }
    let style = match color {
        Color::Red => AnsiColor::Red.on_default().bold(),
        Color::Green => AnsiColor::Green.on_default(),
        Color::Yellow => AnsiColor::Yellow.on_default(),
        Color::Dim => Style::new().dimmed(),
    };
    format!("{style}{text}{style:#}")
}
