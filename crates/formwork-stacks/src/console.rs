//! The terminal, as reports about stacks use it.

use formwork::{Compilation, Diagnostic, Report};
use formwork_console::report::Reporter;
use formwork_console::{confirm, terminal};
use formwork_deploy::Answer;
use formwork_project::Failure;
use formwork_report::{Form, MessageFormat, Summary};

/// How a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The form of messages.
    pub message_format: MessageFormat,
    /// Whether only errors are printed.
    pub is_quiet: bool,
    /// Whether more is printed than is needed.
    pub is_verbose: bool,
    /// Whether messages have colours.
    pub colors: bool,
    /// The columns of the terminal that messages go to.
    pub width: Option<usize>,
}

/// Prints diagnostics and lines, counts them, and asks a person.
pub trait Console {
    /// How a report is printed.
    fn style(&self) -> Style;

    /// Prints and counts the diagnostics of a template.
    fn report(&mut self, report: &Report);

    /// Prints and counts what was found after the diagnostics of a template were printed.
    fn found(&mut self, found: &[Diagnostic], compilation: &Compilation);

    /// Prints a part of the report.
    fn emit(&mut self, text: &str, form: Form);

    /// Prints a message on standard error.
    fn say(&self, text: &str, form: Form);

    /// Prints on standard output.
    ///
    /// # Errors
    /// When it cannot be written.
    fn print(&self, text: &str, form: Form) -> Result<(), Failure>;

    /// Counts diagnostics that were printed elsewhere.
    fn count(&mut self, summary: Summary);

    /// Prints the end of the report. `outcome` is the clause about the output.
    fn finish(&mut self, outcome: &str);

    /// Asks a question that is answered by yes or no.
    fn ask(&self, question: &str) -> Answer;

    /// Whether standard output has colours.
    fn colors_output(&self) -> bool;

    /// The columns of the terminal that standard error is.
    fn error_width(&self) -> Option<usize>;

    /// The columns of the terminal that standard output is.
    fn output_width(&self) -> Option<usize>;
}

impl Console for Reporter {
    fn style(&self) -> Style {
        let choices = self.choices();
        Style {
            message_format: choices.message_format,
            is_quiet: choices.quiet,
            is_verbose: choices.verbose,
            colors: self.colors(),
            width: self.width(),
        }
    }

    fn report(&mut self, report: &Report) {
        self.print(report);
    }

    fn found(&mut self, found: &[Diagnostic], compilation: &Compilation) {
        self.print_more(found, compilation);
    }

    fn emit(&mut self, text: &str, form: Form) {
        Reporter::emit(self, text, form);
    }

    fn say(&self, text: &str, form: Form) {
        terminal::say(text, form);
    }

    fn print(&self, text: &str, form: Form) -> Result<(), Failure> {
        Ok(terminal::print(text, form)?)
    }

    fn count(&mut self, summary: Summary) {
        Reporter::count(self, summary);
    }

    fn finish(&mut self, outcome: &str) {
        Reporter::finish(self, outcome);
    }

    fn ask(&self, question: &str) -> Answer {
        Answer::Pending(confirm::ask(question))
    }

    fn colors_output(&self) -> bool {
        Reporter::colors_output(self)
    }

    fn error_width(&self) -> Option<usize> {
        terminal::width()
    }

    fn output_width(&self) -> Option<usize> {
        terminal::width_of(&std::io::stdout())
    }
}
