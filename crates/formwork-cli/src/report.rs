//! Printing what a run has to say.

use formwork::{Compilation, Diagnostic, Report, Severity};
use formwork_report::{Context, Summary, human, json, printable, short};

use crate::args::{ColorArg, MessageFormatArg, ReportArgs};
use crate::failure::{Failure, FileFailure};
use crate::terminal::{Form, say, say_line};

/// Prints diagnostics on standard error and counts them.
pub(crate) struct Reporter<'a> {
    args: &'a ReportArgs,
    color: bool,
    summary: Summary,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(args: &'a ReportArgs) -> Reporter<'a> {
        let color = match args.color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never,
        };
        Reporter { args, color, summary: Summary::default() }
    }

    /// Prints what is reported of a template.
    pub(crate) fn print(&mut self, report: &Report) {
        let result = report.compilation();
        let context = Context { sources: result.sources(), secrets: result.secrets(), color: self.color };
        let shown =
            report.diagnostics().iter().filter(|diagnostic| !self.args.quiet || diagnostic.severity == Severity::Error);
        self.print_capped(shown, &context);
        self.summary.add(report.diagnostics());
        if self.args.verbose {
            for (name, items, iterations) in result.loops() {
                say_line(&format!("loop {}: {items} items, {iterations} iterations", printable(name)));
            }
        }
    }

    /// What was read; prints a template that cannot be, and counts it: others are looked at all the same.
    ///
    /// # Errors
    /// Anything else that keeps the command from its work.
    pub(crate) fn readable<T>(&mut self, read: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match read {
            Ok(input) => Ok(Some(input)),
            Err(Failure::File(file)) if file.is_template => {
                self.print_file(&file);
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Prints what is wrong with a file that cannot be read, and counts it.
    pub(crate) fn print_file(&mut self, file: &FileFailure) {
        let mut sources = formwork::SourceMap::new();
        let diagnostic = match sources.add_shown(formwork::VirtualPath::new(&file.path), &file.path, "") {
            Some(id) => {
                sources.hide(id);
                file.diagnostic().at(sources.span(id))
            }
            None => file.diagnostic(),
        };
        let context = Context { sources: &sources, secrets: &[], color: self.color };
        say(&self.rendered(&diagnostic, &context), self.form());
        self.summary.add([&diagnostic]);
    }

    /// Prints diagnostics that are about no file, and counts them.
    #[cfg(feature = "aws")]
    pub(crate) fn print_alone(&mut self, diagnostics: impl Iterator<Item = Diagnostic>) {
        let sources = formwork::SourceMap::new();
        let context = Context { sources: &sources, secrets: &[], color: self.color };
        let diagnostics: Vec<Diagnostic> = diagnostics.collect();
        for diagnostic in diagnostics.iter().filter(|found| !self.args.quiet || found.severity == Severity::Error) {
            say(&self.rendered(diagnostic, &context), self.form());
        }
        self.summary.add(&diagnostics);
    }

    /// Prints what was found after the diagnostics of a run were printed.
    pub(crate) fn print_more(&mut self, found: &[Diagnostic], result: &Compilation) {
        for diagnostic in found {
            self.print_one(diagnostic, result);
        }
        self.summary.add(found);
    }

    /// Prints only what is wrong with a template.
    pub(crate) fn print_errors(&mut self, report: &Report) {
        let result = report.compilation();
        let context = Context { sources: result.sources(), secrets: result.secrets(), color: self.color };
        let errors = report.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        self.print_capped(errors, &context);
    }

    /// Prints diagnostics about a template; for people not more than they read.
    fn print_capped<'d>(&self, found: impl Iterator<Item = &'d Diagnostic>, context: &Context<'_>) {
        let is_capped = matches!(self.args.message_format, MessageFormatArg::Human);
        let (mut cap, mut text) = (human::Cap::default(), String::new());
        for diagnostic in found {
            if !is_capped || cap.admits(diagnostic) {
                text += &self.rendered(diagnostic, context);
            }
        }
        say(&(text + &cap.rest()), self.form());
    }

    /// Prints one diagnostic about a template.
    pub(crate) fn print_one(&mut self, diagnostic: &Diagnostic, result: &Compilation) {
        let context = Context { sources: result.sources(), secrets: result.secrets(), color: self.color };
        say(&self.rendered(diagnostic, &context), self.form());
    }

    fn form(&self) -> Form {
        match self.args.message_format {
            MessageFormatArg::Json => Form::Json,
            MessageFormatArg::Human | MessageFormatArg::Short => Form::words(self.color),
        }
    }

    fn rendered(&self, diagnostic: &Diagnostic, context: &Context<'_>) -> String {
        match self.args.message_format {
            MessageFormatArg::Human => human::render(diagnostic, context),
            MessageFormatArg::Short => short::render(diagnostic, context),
            MessageFormatArg::Json => json::render(diagnostic, context),
        }
    }

    /// How things are printed.
    #[cfg(feature = "aws")]
    pub(crate) fn args(&self) -> &'a ReportArgs {
        self.args
    }

    /// Counts what was said otherwise.
    #[cfg(feature = "aws")]
    pub(crate) fn count(&mut self, said: Summary) {
        self.summary.errors += said.errors;
        self.summary.warnings += said.warnings;
        self.summary.notes += said.notes;
    }

    /// Whether what goes to standard error is coloured.
    #[cfg(feature = "aws")]
    pub(crate) fn colors(&self) -> bool {
        self.color
    }

    /// Whether what goes to standard output is coloured.
    pub(crate) fn colors_output(&self) -> bool {
        match self.args.color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
        }
    }

    /// Prints the last line of a report. `outcome` says what became of the output.
    pub(crate) fn finish(&self, outcome: &str) {
        match self.args.message_format {
            MessageFormatArg::Json => say(&json::summary(&self.summary), Form::Json),
            _ if self.summary.errors > 0 || self.summary.warnings > 0 && !self.args.quiet => {
                say_line(&format!("{}{outcome}", self.summary.words()));
            }
            _ => {}
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.summary.errors > 0
    }
}
