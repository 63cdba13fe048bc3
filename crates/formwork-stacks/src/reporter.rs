//! The printer of a deployment: diagnostics, notices and lines, on standard error.

use anstyle::{AnsiColor, Style};
use formwork::{Compilation, Diagnostic, Report, Severity, SourceMap};
use formwork_deploy::Answer;
use formwork_project::Failure;
use formwork_report::{Context, Form, MessageFormat, Notice, Summary, printable};
use formwork_run::console::confirm;
use formwork_run::console::report::Reporter;
use formwork_run::terminal;
use formwork_run::upload::Delivered;
use serde_json::Value;

use super::secrets::Secrets;

/// Prints the reports of a deployment in the requested format, without secrets.
pub struct DeployReporter<'r> {
    reporter: &'r mut Reporter,
    secrets: Secrets,
    summary: Summary,
    last_error: Option<String>,
    failures: Vec<Value>,
    uploads: Vec<Delivered>,
}

/// Colours on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// For failures and losses.
    Red,
    /// For finished and new items.
    Green,
    /// For changes and progress.
    Yellow,
    /// For side notes.
    Dim,
}

impl<'r> DeployReporter<'r> {
    /// Creates a reporter on a printer.
    pub fn new(reporter: &'r mut Reporter) -> DeployReporter<'r> {
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
    pub fn diagnostics(&mut self, report: &Report) {
        self.keep_first_error(report.diagnostics());
        self.reporter.print(report);
    }

    /// Prints diagnostics that were found after those of the template were printed.
    pub fn more_diagnostics(&mut self, found: &[Diagnostic], compilation: &Compilation) {
        self.keep_first_error(found);
        self.reporter.print_more(found, compilation);
    }

    /// Records the message of the first error, for programs: see [`DeployReporter::last_error`].
    fn keep_first_error(&mut self, found: &[Diagnostic]) {
        if let Some(first) = found.iter().find(|found| found.severity == Severity::Error) {
            self.last_error = Some(self.secrets.mask(&first.message));
        }
    }

    /// Prints the count of diagnostics for people. `outcome` is the result for the template.
    pub fn finish_diagnostics(&mut self, outcome: &str) {
        if self.is_for_people() {
            self.reporter.finish(outcome);
        }
    }

    /// Prints the count of all diagnostics, for programs.
    pub fn finish(&mut self) {
        if !self.is_for_people() {
            self.reporter.count(self.summary);
            self.reporter.finish("");
        }
    }

    /// Prints the end of a report that is the product of the command.
    pub fn finish_report(&mut self) {
        self.reporter.count(self.summary);
        self.reporter.finish("");
    }

    /// Masks these values from now on.
    pub fn hide(&mut self, secrets: Secrets) {
        self.secrets = secrets;
    }

    /// Masks secrets and escapes control characters.
    pub fn clean(&self, text: &str) -> String {
        printable(&self.secrets.mask(text)).into_owned()
    }

    /// Masks secrets.
    pub fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }

    /// Returns `true` if lines for people are printed.
    pub fn is_for_people(&self) -> bool {
        self.reporter.args().message_format != MessageFormat::Json
    }

    /// Prints a line for people or `object` for programs; neither under `--quiet`.
    pub fn line(&self, line: &str, object: impl FnOnce() -> Value) {
        if self.reporter.args().quiet {
            return;
        }
        if self.is_for_people() {
            terminal::say_folded(&format!("{line}\n"), self.form());
        } else {
            terminal::say(&format!("{}\n", object()), Form::Json);
        }
    }

    /// Prints a line for people only; nothing under `--quiet`.
    pub fn print_line(&self, line: &str) {
        if self.is_for_people() && !self.reporter.args().quiet {
            terminal::say(&format!("{line}\n"), self.form());
        }
    }

    /// Prints a notice about a template; errors also under `--quiet`.
    pub fn print(&mut self, notice: &Notice, about: Option<&Compilation>) {
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
        if self.reporter.args().quiet && notice.severity != Severity::Error {
            return;
        }
        let none = SourceMap::new();
        let (sources, secrets) = about.map_or((&none, &[][..]), |about| (about.sources(), about.secrets()));
        let context = Context { sources, secrets, color: self.colors(), width: self.reporter.width() };
        let (text, form) = match self.reporter.args().message_format {
            MessageFormat::Human => (notice.to_human(&context), self.form()),
            MessageFormat::Json => (notice.to_json(&context), Form::Json),
            MessageFormat::Short | MessageFormat::Sarif | MessageFormat::Github | MessageFormat::Junit => {
                (notice.to_short(&context), Form::Plain)
            }
        };
        // A document on standard output contains only its own notices.
        if self.reporter.args().message_format.is_document() {
            terminal::say(&text, form);
        } else {
            self.reporter.emit(&text, form);
        }
    }

    /// Prints a finding of CloudFormation's own checks: a diagnostic about a template, or the objects for programs, one
    /// per line.
    pub fn checked(&mut self, diagnostic: &Diagnostic, about: &Compilation, objects: &[Value]) {
        if self.is_for_people() {
            return self.more_diagnostics(std::slice::from_ref(diagnostic), about);
        }
        for object in objects {
            self.summary.count(diagnostic.severity);
            if !self.reporter.args().quiet || diagnostic.severity == Severity::Error {
                self.reporter.emit(&format!("{object}\n"), Form::Json);
            }
        }
    }

    /// Returns `true` under `--verbose`.
    pub fn is_verbose(&self) -> bool {
        self.reporter.args().verbose
    }

    /// Records a failure, for programs: see [`DeployReporter::failures`].
    pub fn add_failure(&mut self, failure: Value) {
        self.failures.push(failure);
    }

    /// Returns the resources that failed or were rejected.
    pub fn failures(&self) -> &[Value] {
        &self.failures
    }

    /// Records the uploads, for programs: see [`DeployReporter::uploads`].
    pub fn set_uploads(&mut self, uploads: Vec<Delivered>) {
        self.uploads = uploads;
    }

    /// Returns the objects that were uploaded or existed already.
    pub fn uploads(&self) -> &[Delivered] {
        &self.uploads
    }

    /// Returns the message of the last error.
    pub fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    fn form(&self) -> Form {
        Form::words(self.reporter.colors())
    }

    /// Colours a string where colours are enabled.
    pub fn paint(&self, text: &str, color: Color) -> String {
        paint(text, color, self.colors())
    }

    /// Returns `true` if standard error has colours.
    pub fn colors(&self) -> bool {
        self.reporter.colors()
    }

    /// Returns `true` if standard output has colours.
    pub fn colors_output(&self) -> bool {
        self.reporter.colors_output()
    }

    /// Prints on standard output.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn print_output(&self, text: &str, form: Form) -> Result<(), Failure> {
        Ok(terminal::print(text, form)?)
    }

    /// Asks a yes-or-no question.
    pub fn ask(&self, question: &str) -> Answer {
        Answer::Pending(confirm::ask(question))
    }

    /// Returns the terminal columns of standard error.
    pub fn error_width(&self) -> Option<usize> {
        terminal::width()
    }

    /// Returns the terminal columns of standard output.
    pub fn output_width(&self) -> Option<usize> {
        terminal::width_of(&std::io::stdout())
    }
}

/// Colours a string if `has_colors`.
pub fn paint(text: &str, color: Color, has_colors: bool) -> String {
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
