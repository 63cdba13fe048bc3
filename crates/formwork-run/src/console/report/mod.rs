//! Prints the report of a run (reference/diagnostics.md#forms).

mod renderer;
mod share;
mod stream;

use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;

use crate::repository::Repository;
use formwork::{Compilation, Diagnostic, Report, Severity, SourceMap};
use formwork_project::{Failure, FileFailure};
use formwork_report::{
    Context, FileFindings, Fingerprints, Form, MessageFormat, Summary, SuppressedFinding, github, json, junit, sarif,
};

use crate::console::{ReportArgs, configured};
use crate::terminal::{self, say, say_line};

use renderer::{Entry, Statement};
pub use renderer::{Rendered, Renderer};
use stream::Stream;

/// Prints diagnostics and counts them.
pub struct Reporter {
    renderer: Renderer,
    stream: Stream,
    summary: Summary,
    /// The data of a document (SARIF, `JUnit`), which is printed at the end.
    files: Vec<FileFindings>,
    /// The files that were read, with the index of each in `files` if there is a document.
    counted: HashMap<String, usize>,
    /// The statements that were printed, for commands that read many templates.
    reported: HashSet<Statement>,
    warned: HashSet<String>,
    fingerprints: Fingerprints,
    repository: Repository,
    failed: Option<String>,
}

impl Reporter {
    /// Creates a reporter on standard error, separate from the output of the command.
    pub fn new(args: &ReportArgs) -> Reporter {
        Reporter::to(Stream::Error, false, *args)
    }

    /// Creates a reporter on standard output, for commands such as `check` and `validate` whose output is the report.
    /// Each diagnostic is printed once, however many templates lead to it.
    pub fn on_output(args: &ReportArgs) -> Reporter {
        Reporter::to(Stream::Output, true, *args)
    }

    /// Creates the reporter of a check that prints something else on standard output: the report is on standard error.
    pub fn beside_output(args: &ReportArgs) -> Reporter {
        Reporter::to(Stream::Error, true, *args)
    }

    fn to(stream: Stream, is_distinct: bool, args: ReportArgs) -> Reporter {
        let renderer = Renderer { args, color: stream.has_color(args), width: stream.width(), is_distinct };
        Reporter {
            renderer,
            stream,
            summary: Summary::default(),
            files: Vec::new(),
            counted: HashMap::new(),
            reported: HashSet::new(),
            warned: HashSet::new(),
            fingerprints: Fingerprints::default(),
            repository: Repository::of_working_directory(),
            failed: None,
        }
    }

    /// Returns the renderer of the diagnostics.
    pub fn renderer(&self) -> Renderer {
        self.renderer
    }

    /// Prints the report of a template.
    pub fn print(&mut self, report: &Report) {
        self.add(self.renderer.render(report));
    }

    /// Prints and counts a rendered report.
    pub fn add(&mut self, rendered: Rendered) {
        let Rendered { file, entries, suppressed, ignored, mut rest, cut, warnings, is_unread } = rendered;
        // A nested template repeats them for each template above it.
        let is_distinct = self.renderer.is_distinct;
        rest.extend(warnings.into_iter().filter(|one| !is_distinct || self.warned.insert(one.clone())));
        let may_be_shortened = is_distinct && !self.renderer.args.verbose && !entries.is_empty();
        let known = self.count_file(&file, is_unread);
        let (mut text, mut findings, mut is_shortened) = (String::new(), Vec::new(), may_be_shortened);
        let has_fingerprints = self.renderer.args.message_format == MessageFormat::Json;
        for Entry { severity, text: one, statement, mut finding, is_fixable } in entries {
            if statement.is_some_and(|statement| !self.reported.insert(statement)) {
                continue;
            }
            is_shortened = false;
            if let Some(finding) = finding.as_mut().filter(|_| has_fingerprints) {
                let relative = |path: &str| self.repository.relative(path);
                finding.fingerprint = Some(self.fingerprints.of(finding, &relative));
            }
            self.summary.count(severity);
            self.summary.fixable += usize::from(is_fixable);
            match &finding {
                Some(finding) if has_fingerprints && !one.is_empty() => text += &json::render_finding(finding),
                _ => text += &one,
            }
            findings
                .extend(finding.filter(|_| !self.renderer.args.quiet || severity == Severity::Error).map(|one| *one));
        }
        let mut is_new = |statement| !self.renderer.is_distinct || self.reported.insert(statement);
        let suppressed = suppressed.into_iter().filter_map(|(statement, one)| is_new(statement).then_some(one));
        let suppressed: Vec<SuppressedFinding> = suppressed.collect();
        self.summary.suppressed += suppressed.len();
        self.summary.ignored += ignored.into_iter().filter(|one| self.reported.insert(one.clone())).count();
        if self.renderer.args.message_format.is_document() {
            match known {
                Some(known) => {
                    self.files[known].findings.extend(findings);
                    self.files[known].suppressed.extend(suppressed);
                }
                None => self.files.push(FileFindings { file, findings, suppressed, is_read: !is_unread }),
            }
        }
        if let Some(cut) = cut.filter(|_| !is_shortened) {
            if self.renderer.args.message_format.is_document() {
                say(&cut, Form::Plain);
            } else {
                text += &cut;
            }
        }
        // Warnings that another report has already printed in full are not counted again.
        self.emit(&(if is_shortened { text } else { text + &rest }), self.renderer.form());
    }

    /// Counts a file once, even if it is nested in another one and is also on the command line by itself. An empty name
    /// is a file that was already counted. Returns the index of its findings if it was counted before.
    fn count_file(&mut self, file: &str, is_unread: bool) -> Option<usize> {
        if is_unread || file.is_empty() {
            return None;
        }
        if let Some(&known) = self.counted.get(file) {
            return Some(known);
        }
        self.counted.insert(file.to_owned(), self.files.len());
        self.summary.files += 1;
        None
    }

    /// Returns the value that was read. A template that cannot be read is printed and counted, and `None` is returned
    /// so that the others are still read.
    ///
    /// # Errors
    /// Any other failure, which ends the command.
    pub fn readable<T>(&mut self, read: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match read {
            Ok(input) => Ok(Some(input)),
            Err(Failure::File(file)) if file.is_template => {
                self.print_file(&file);
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Prints the error of a file that cannot be read, and counts it.
    pub fn print_file(&mut self, file: &FileFailure) {
        self.add(self.renderer.render_unread(file));
    }

    /// Prints diagnostics without a file, and counts them.
    pub fn print_alone(&mut self, diagnostics: impl Iterator<Item = Diagnostic>) {
        let sources = SourceMap::new();
        let context =
            Context { sources: &sources, secrets: &[], color: self.renderer.color, width: self.renderer.width };
        let diagnostics: Vec<Diagnostic> = diagnostics.collect();
        self.add(self.renderer.of_diagnostics(&diagnostics, &context));
    }

    /// Prints and counts the diagnostics of a file without a compilation.
    pub fn print_found<'d>(&mut self, found: impl Iterator<Item = &'d Diagnostic>, sources: &SourceMap) {
        let context = Context { sources, secrets: &[], color: self.renderer.color, width: self.renderer.width };
        let file = sources.files().next().map(|file| sources.display(file).to_owned()).unwrap_or_default();
        let rendered = Rendered { file, ..self.renderer.of_diagnostics(found, &context) };
        self.add(rendered);
    }

    /// Prints diagnostics that were found after those of the run were printed.
    pub fn print_more(&mut self, found: &[Diagnostic], result: &Compilation) {
        self.add(self.renderer.of_diagnostics(found, &self.renderer.context(result)));
    }

    /// Prints only the errors of a template, and counts nothing.
    pub fn print_errors(&mut self, report: &Report) {
        let errors = report.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let rendered = self.renderer.of_diagnostics(errors, &self.renderer.context(report.compilation()));
        let text: String = rendered.entries.into_iter().map(|entry| entry.text).collect();
        self.emit(&(text + &rendered.rest), self.renderer.form());
    }

    /// Prints one diagnostic about a template, and counts nothing.
    pub fn print_one(&mut self, diagnostic: &Diagnostic, result: &Compilation) {
        let text = self.renderer.text(diagnostic, &self.renderer.context(result));
        self.emit(&text, self.renderer.form());
    }

    /// Prints the note about declarations that were removed from an output.
    pub fn note_pruned(&mut self, note: Option<String>) {
        if let Some(note) = note {
            say(&note, self.renderer.form());
        }
    }

    /// Prints a part of the report.
    pub fn emit(&mut self, text: &str, form: Form) {
        match self.stream {
            Stream::Error => say(text, form),
            Stream::Output if text.is_empty() || self.failed.is_some() => {}
            Stream::Output => self.failed = terminal::print(text, form).err(),
        }
    }

    /// Returns the options of the report.
    pub fn args(&self) -> ReportArgs {
        self.renderer.args
    }

    /// Counts diagnostics that were printed elsewhere.
    pub fn count(&mut self, summary: Summary) {
        self.summary.errors += summary.errors;
        self.summary.warnings += summary.warnings;
        self.summary.notes += summary.notes;
    }

    /// Returns the width of the terminal in columns.
    pub fn width(&self) -> Option<usize> {
        self.renderer.width
    }

    /// Returns `true` if the report is coloured.
    pub fn colors(&self) -> bool {
        self.renderer.color
    }

    /// Returns `true` if standard output is coloured.
    pub fn colors_output(&self) -> bool {
        Stream::Output.has_color(self.renderer.args)
    }

    /// Prints the end of a report: its summary, or the whole document. `outcome` is the clause about the output.
    pub fn finish(&mut self, outcome: &str) {
        let (args, summary) = (self.renderer.args, self.summary);
        let relative = |path: &str| self.repository.relative(path);
        let (configured, configuration) = (configured::lines(&args), configured::all());
        let text = match args.message_format {
            MessageFormat::Json => json::summary(&summary, &configuration),
            MessageFormat::Sarif => sarif::render(&self.files, &configuration, env!("CARGO_PKG_VERSION"), &relative),
            MessageFormat::Junit => {
                say(&configured, Form::Plain);
                junit::render(&self.files, args.strict)
            }
            MessageFormat::Github => github::render(&self.files, &summary, &relative) + &configured,
            _ if self.renderer.is_distinct => {
                let text = configured + &self.end();
                if self.stream == Stream::Error {
                    return say(&text, Form::Plain);
                }
                text
            }
            _ if summary.errors > 0 || summary.warnings > 0 && !args.quiet => {
                say(&configured, Form::Plain);
                return say_line(&format!("{}{outcome}", summary.words()));
            }
            _ => return say(&configured, Form::Plain),
        };
        self.emit(&text, self.renderer.form());
    }

    /// Returns the last lines of a check's report for people: empty if nothing was found and its stream is not a
    /// terminal.
    fn end(&self) -> String {
        let (args, summary) = (self.renderer.args, self.summary);
        let is_watched = match self.stream {
            Stream::Output => std::io::stdout().is_terminal(),
            Stream::Error => std::io::stderr().is_terminal(),
        };
        let is_found = summary.errors > 0
            || !args.quiet
                && (summary.warnings + summary.notes + summary.suppressed + summary.ignored > 0 || is_watched);
        let fixed = if args.quiet { String::new() } else { summary.fixed_sentence("Fixed") };
        let found = if is_found || !fixed.is_empty() { summary.sentence() } else { String::new() };
        let mut text = String::new();
        for line in [fixed, found].iter().filter(|line| !line.is_empty()) {
            text += line;
            text.push('\n');
        }
        text
    }

    /// Counts the fixes of a file.
    pub fn count_fixed(&mut self, fixed: usize) {
        self.summary.fixed += fixed;
        self.summary.fixed_files += usize::from(fixed > 0);
    }

    /// Returns the counts so far.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Prints the end of a report that is the output of the command.
    ///
    /// # Errors
    /// When standard output could not be written.
    pub fn finish_output(mut self) -> Result<Summary, Failure> {
        self.finish("");
        match self.failed {
            Some(why) => Err(why.into()),
            None => Ok(self.summary),
        }
    }

    /// Ends without a summary.
    ///
    /// # Errors
    /// When standard output could not be written.
    pub fn end_output(self) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), |why| Err(why.into()))
    }

    /// Returns `true` if an error was printed.
    pub fn has_errors(&self) -> bool {
        self.summary.errors > 0
    }
}
