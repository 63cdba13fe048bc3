//! The printer of a deployment: diagnostics, notices and lines, on standard error.

use anstyle::{AnsiColor, Style};
use formwork::{Compilation, Diagnostic, Report, Severity, SourceMap};
use formwork_console::confirm;
use formwork_console::report::Reporter;
use formwork_deploy::Answer;
use formwork_project::Failure;
use formwork_report::{Context, Form, MessageFormat, Notice, Summary, printable};
use formwork_run::terminal;
use formwork_run::upload::Delivered;
use serde_json::Value;

use super::secrets::Secrets;

/// Prints everything that a deployment reports, in the form that was asked for, and no secret.
pub struct DeployReporter<'r> {
    reporter: &'r mut Reporter,
    secrets: Secrets,
    summary: Summary,
    last_error: Option<String>,
    failures: Vec<Value>,
    uploads: Vec<Delivered>,
}

/// Colours of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// Of what fails or is lost.
    Red,
    /// Of what is done or new.
    Green,
    /// Of what changes or goes on.
    Yellow,
    /// Of what is beside the point.
    Dim,
}

impl<'r> DeployReporter<'r> {
    /// A report of which nothing is printed yet.
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

    /// Prints what was found after the diagnostics of a template were printed.
    pub fn more_diagnostics(&mut self, found: &[Diagnostic], compilation: &Compilation) {
        self.keep_first_error(found);
        self.reporter.print_more(found, compilation);
    }

    /// Keeps the message of the first of these errors, for programs: see [`DeployReporter::last_error`].
    fn keep_first_error(&mut self, found: &[Diagnostic]) {
        if let Some(first) = found.iter().find(|found| found.severity == Severity::Error) {
            self.last_error = Some(self.secrets.mask(&first.message));
        }
    }

    /// Prints the count of diagnostics for people. `outcome` is what became of the template.
    pub fn finish_diagnostics(&mut self, outcome: &str) {
        if self.is_for_people() {
            self.reporter.finish(outcome);
        }
    }

    /// Prints the count of all that was printed, for programs.
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

    /// From now on these are masked.
    pub fn hide(&mut self, secrets: Secrets) {
        self.secrets = secrets;
    }

    /// A text without secrets and without characters that act on a terminal.
    pub fn clean(&self, text: &str) -> String {
        printable(&self.secrets.mask(text)).into_owned()
    }

    /// A text without secrets.
    pub fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }

    /// Whether lines for people are printed.
    pub fn is_for_people(&self) -> bool {
        self.reporter.args().message_format != MessageFormat::Json
    }

    /// A line for people; `object` for programs. Under `--quiet` neither.
    pub fn line(&self, line: &str, object: impl FnOnce() -> Value) {
        if self.reporter.args().quiet {
            return;
        }
        if self.is_for_people() {
            terminal::say(&format!("{line}\n"), self.form());
        } else {
            terminal::say(&format!("{}\n", object()), Form::Json);
        }
    }

    /// A line for people alone. Under `--quiet` none.
    pub fn tell(&self, line: &str) {
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
        // A document on standard output has nothing but its own.
        if self.reporter.args().message_format.is_document() {
            terminal::say(&text, form);
        } else {
            self.reporter.emit(&text, form);
        }
    }

    /// Prints what CloudFormation's own checks found: a diagnostic about a template, or the objects for programs, one
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

    /// Whether more is printed than is needed.
    pub fn is_verbose(&self) -> bool {
        self.reporter.args().verbose
    }

    /// Keeps what failed, for programs: see [`DeployReporter::failures`].
    pub fn add_failure(&mut self, failure: Value) {
        self.failures.push(failure);
    }

    /// The resources that failed or were refused.
    pub fn failures(&self) -> &[Value] {
        &self.failures
    }

    /// Keeps what was uploaded, for programs: see [`DeployReporter::uploads`].
    pub fn set_uploads(&mut self, uploads: Vec<Delivered>) {
        self.uploads = uploads;
    }

    /// What was uploaded, or is there already.
    pub fn uploads(&self) -> &[Delivered] {
        &self.uploads
    }

    /// The message of the last error.
    pub fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    fn form(&self) -> Form {
        Form::words(self.reporter.colors())
    }

    /// A text in a colour, where there are colours.
    pub fn paint(&self, text: &str, color: Color) -> String {
        paint(text, color, self.colors())
    }

    /// Whether standard error has colours.
    pub fn colors(&self) -> bool {
        self.reporter.colors()
    }

    /// Whether standard output has colours.
    pub fn colors_output(&self) -> bool {
        self.reporter.colors_output()
    }

    /// Prints on standard output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn print_output(&self, text: &str, form: Form) -> Result<(), Failure> {
        Ok(terminal::print(text, form)?)
    }

    /// Asks a question that is answered by yes or no.
    pub fn ask(&self, question: &str) -> Answer {
        Answer::Pending(confirm::ask(question))
    }

    /// The columns of the terminal that standard error is.
    pub fn error_width(&self) -> Option<usize> {
        terminal::width()
    }

    /// The columns of the terminal that standard output is.
    pub fn output_width(&self) -> Option<usize> {
        terminal::width_of(&std::io::stdout())
    }
}

/// A text in a colour, if there are colours.
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
