//! The terminal, as reports about stacks use it.

use formwork::{Compilation, Diagnostic, Report};
use formwork_deploy::Answer;
use formwork_report::Summary;
use formwork_stacks::{Console, Style};

use crate::commands::confirm;
use crate::failure::Failure;
use crate::report::Reporter;
use crate::terminal::{self, Form};

impl Console for Reporter<'_> {
    fn style(&self) -> Style {
        let args = self.args();
        Style {
            message_format: args.message_format.into(),
            is_quiet: args.quiet,
            is_verbose: args.verbose,
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
        confirm::ask(question)
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
