//! Prints the report of a run (reference/diagnostics.md#forms).

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;

use formwork::display::mask_credentials;
use formwork::{Compilation, Diagnostic, Finding, Report, Severity, SourceMap};
use formwork_report::{
    Context, FileFindings, Fingerprints, Notice, Summary, SuppressedFinding, github, human, json, junit, printable,
    sarif, short,
};

use crate::args::{ColorArg, Command, MessageFormatArg, ReportArgs};
use crate::configured;
use crate::failure::{Failure, FileFailure};
use crate::joined_values;
use crate::repository::Repository;
use crate::terminal::{self, Form, say, say_line};

/// Where a report goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    /// Standard output: the report is what the command produces.
    Output,
    /// Standard error: the command produces something else.
    Error,
}

impl Stream {
    /// The columns of its terminal.
    fn width(self) -> Option<usize> {
        match self {
            Stream::Output => terminal::width_of(&std::io::stdout()),
            Stream::Error => terminal::width(),
        }
    }

    fn has_color(self, args: &ReportArgs) -> bool {
        let choice = match self {
            Stream::Output => anstream::AutoStream::choice(&std::io::stdout()),
            Stream::Error => anstream::AutoStream::choice(&std::io::stderr()),
        };
        match args.color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto if args.verbose => {
                configured::note_variables(&["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"]);
                choice != anstream::ColorChoice::Never
            }
            ColorArg::Auto => choice != anstream::ColorChoice::Never,
        }
    }
}

/// Reports the errors of a file with defaults of options, in the form that the command line asks for.
pub(crate) fn defaults(files: &[FileFailure], command: Option<&Command>) {
    let args = command.and_then(|command| Some((command, command.report()?)));
    let Some((command, args)) = args.filter(|(_, args)| args.message_format != MessageFormatArg::Human) else {
        return files.iter().for_each(terminal::say_file);
    };
    let is_report = matches!(command, Command::Check(_) | Command::Validate(_));
    let mut reporter = if is_report { Reporter::on_output(args) } else { Reporter::new(args) };
    for file in files {
        reporter.print_file(file);
    }
    if !is_report {
        reporter.finish("");
    } else if let Err(failure) = reporter.finish_output() {
        terminal::say_error(&String::from(failure));
    }
}

/// Prints diagnostics and counts them.
pub(crate) struct Reporter<'a> {
    renderer: Renderer<'a>,
    stream: Stream,
    summary: Summary,
    /// The data of a document, which is printed at the end.
    files: Vec<FileFindings>,
    /// The files that were read, with the position of each in `files` if there is a document.
    counted: HashMap<String, usize>,
    /// The diagnostics that were printed, for commands that read many templates.
    reported: HashSet<Statement>,
    fingerprints: Fingerprints,
    repository: Repository,
    /// Why standard output cannot be written.
    failed: Option<String>,
}

/// Turns diagnostics into text, on any thread.
#[derive(Clone, Copy)]
pub(crate) struct Renderer<'a> {
    args: &'a ReportArgs,
    color: bool,
    width: Option<usize>,
    /// Whether each statement is made once, whatever templates lead to it.
    is_distinct: bool,
}

/// A report of a template, ready to be printed.
#[derive(Default)]
pub(crate) struct Rendered {
    file: String,
    entries: Vec<Entry>,
    suppressed: Vec<(Statement, SuppressedFinding)>,
    /// Errors that are not selected.
    ignored: Vec<Statement>,
    /// What follows the diagnostics.
    rest: String,
    is_unread: bool,
}

struct Entry {
    severity: Severity,
    text: String,
    /// What it states, where each statement is made once.
    statement: Option<Statement>,
    finding: Option<Box<formwork::Finding>>,
    /// Whether the file of the finding is the template, and its fix is safe.
    is_fixable: bool,
}

/// The identity of a diagnostic: code, file, line, column and message.
type Statement = (String, Option<String>, Option<u32>, Option<u32>, String);

fn statement(diagnostic: &Diagnostic, sources: &SourceMap) -> Statement {
    let place = sources.place(diagnostic.span());
    let file = place.map(|place| mask_credentials(sources.display(place.file)).into_owned());
    let message = mask_credentials(&diagnostic.message).into_owned();
    let id = diagnostic.other_rule.as_ref().map_or_else(|| diagnostic.code.to_string(), |other| other.id.clone());
    (id, file, place.map(|place| place.line), place.map(|place| place.column), message)
}

impl Renderer<'_> {
    /// The report of a template.
    pub(crate) fn render(&self, report: &Report) -> Rendered {
        let result = report.compilation();
        let sources = result.sources();
        let file = sources.files().next().map(|file| sources.display(file).to_owned()).unwrap_or_default();
        let mut rendered = Rendered { file, ..self.of_diagnostics(report.diagnostics(), &self.context(result)) };
        if !self.args.quiet
            && !self.args.message_format.is_document()
            && self.args.message_format != MessageFormatArg::Json
        {
            rendered.rest.extend(joined_values::warnings(&result.declared_parameters()));
        }
        rendered.suppressed = report
            .suppressed()
            .iter()
            .map(|one| {
                let finding = one.diagnostic.resolve(sources);
                (statement(&one.diagnostic, sources), SuppressedFinding { finding, reason: one.reason.clone() })
            })
            .collect();
        rendered.ignored = report.ignored().iter().map(|one| statement(one, sources)).collect();
        if self.args.verbose {
            for file in sources.files().filter(|file| !sources.display(*file).starts_with('<')) {
                configured::note_input(sources.display(file));
            }
            for (name, items, iterations) in result.loops() {
                let _ = writeln!(rendered.rest, "loop {}: {items} items, {iterations} iterations", printable(name));
            }
        }
        rendered
    }

    /// More of what was found in a template.
    pub(crate) fn render_found(&self, found: &[Diagnostic], result: &Compilation) -> Rendered {
        let sources = result.sources();
        let file = sources.files().next().map(|file| sources.display(file).to_owned()).unwrap_or_default();
        Rendered { file, ..self.of_diagnostics(found, &self.context(result)) }
    }

    /// The note about declarations that were left out of an output, where there is one.
    pub(crate) fn pruned(&self, result: &Compilation) -> Option<String> {
        let names = result.pruned();
        if names.is_empty() || self.args.quiet {
            return None;
        }
        let names: Vec<_> = names.iter().map(|name| printable(name)).collect();
        let file = result.sources().shown(result.path());
        let message = format!("{file}: left out what only computed parts used: {}", names.join(", "));
        let (notice, context) = (Notice::note(message), self.context(result));
        Some(match self.args.message_format {
            MessageFormatArg::Human => notice.to_human(&context),
            MessageFormatArg::Json => notice.to_json(&context),
            _ => notice.to_short(&context),
        })
    }

    /// The report of a file that cannot be read.
    pub(crate) fn render_unread(&self, file: &FileFailure) -> Rendered {
        let mut sources = SourceMap::new();
        let is_for_people = self.args.message_format == MessageFormatArg::Human;
        let diagnostic = match sources.insert(
            formwork::VirtualPath::new(&file.path),
            &file.path,
            Arc::new(formwork::SourceText::new("")),
        ) {
            // The message names the file, and nothing in it is a place.
            Some(id) if !is_for_people => {
                sources.hide(id);
                file.diagnostic().at(sources.span(id))
            }
            _ => file.diagnostic(),
        };
        let context = Context { sources: &sources, secrets: &[], color: self.color, width: self.width };
        let mut rendered = self.of_diagnostics(std::slice::from_ref(&diagnostic), &context);
        // What does not exist has no place.
        let correct = |finding: &mut Finding| {
            let place = &mut finding.place;
            (place.line, place.end_line, place.range) = (file.line, file.line, None);
            (place.column, place.end_column) = (None, None);
        };
        for entry in &mut rendered.entries {
            if let Some(finding) = &mut entry.finding {
                correct(finding);
            }
            let mut finding = diagnostic.resolve(&sources);
            correct(&mut finding);
            match self.args.message_format {
                MessageFormatArg::Short => entry.text = format!("{finding}\n"),
                MessageFormatArg::Json => entry.text = json::render_finding(&finding),
                _ => {}
            }
        }
        Rendered { file: file.path.clone(), is_unread: true, ..rendered }
    }

    fn context<'c>(&self, result: &'c Compilation) -> Context<'c> {
        Context { sources: result.sources(), secrets: result.secrets(), color: self.color, width: self.width }
    }

    /// Renders the diagnostics of one template; in the format for people, up to a limit.
    fn of_diagnostics<'d>(
        &self,
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        context: &Context<'_>,
    ) -> Rendered {
        let is_capped = self.args.message_format == MessageFormatArg::Human;
        let mut cap = human::Cap::default();
        let entries = diagnostics.into_iter().map(|diagnostic| {
            let is_shown = !self.args.quiet || diagnostic.severity == Severity::Error;
            let is_shown = is_shown && (!is_capped || cap.admits(diagnostic));
            let text = if is_shown { self.text(diagnostic, context) } else { String::new() };
            let is_printed = self.is_distinct && self.args.message_format == MessageFormatArg::Json;
            let has_finding = is_printed || self.args.message_format.is_document();
            let finding = has_finding.then(|| Box::new(diagnostic.resolve(context.sources)));
            let statement = self.is_distinct.then(|| statement(diagnostic, context.sources));
            let own = context.sources.files().next();
            let is_fixable = diagnostic.fix.as_ref().is_some_and(|fix| {
                fix.is_safe && fix.edits.iter().all(|(span, _)| context.sources.file_of(*span) == own)
            });
            Entry { severity: diagnostic.severity, text, statement, finding, is_fixable }
        });
        let entries = entries.collect();
        Rendered { entries, rest: cap.rest(), ..Rendered::default() }
    }

    fn text(&self, diagnostic: &Diagnostic, context: &Context<'_>) -> String {
        match self.args.message_format {
            MessageFormatArg::Human => human::render(diagnostic, context),
            MessageFormatArg::Short => short::render(diagnostic, context),
            MessageFormatArg::Json => json::render(diagnostic, context),
            MessageFormatArg::Sarif | MessageFormatArg::Github | MessageFormatArg::Junit => String::new(),
        }
    }

    fn form(&self) -> Form {
        match self.args.message_format {
            MessageFormatArg::Json | MessageFormatArg::Sarif => Form::Json,
            MessageFormatArg::Human | MessageFormatArg::Short => Form::words(self.color),
            MessageFormatArg::Github | MessageFormatArg::Junit => Form::Plain,
        }
    }
}

impl<'a> Reporter<'a> {
    /// Reports on standard error, separate from the output of the command.
    pub(crate) fn new(args: &'a ReportArgs) -> Reporter<'a> {
        Reporter::to(Stream::Error, false, args)
    }

    /// Reports on standard output, as `check` and `validate` do, whose output is the report. Each diagnostic
    /// is printed once, however many templates lead to it.
    pub(crate) fn on_output(args: &'a ReportArgs) -> Reporter<'a> {
        Reporter::to(Stream::Output, true, args)
    }

    /// The same on standard error, of a check that prints something else.
    pub(crate) fn beside_output(args: &'a ReportArgs) -> Reporter<'a> {
        Reporter::to(Stream::Error, true, args)
    }

    fn to(stream: Stream, is_distinct: bool, args: &'a ReportArgs) -> Reporter<'a> {
        let renderer = Renderer { args, color: stream.has_color(args), width: stream.width(), is_distinct };
        Reporter {
            renderer,
            stream,
            summary: Summary::default(),
            files: Vec::new(),
            counted: HashMap::new(),
            reported: HashSet::new(),
            fingerprints: Fingerprints::default(),
            repository: Repository::of_working_directory(),
            failed: None,
        }
    }

    /// Returns the renderer of its diagnostics.
    pub(crate) fn renderer(&self) -> Renderer<'a> {
        self.renderer
    }

    /// Prints the report of a template.
    pub(crate) fn print(&mut self, report: &Report) {
        self.add(self.renderer.render(report));
    }

    /// Prints and counts what was rendered.
    pub(crate) fn add(&mut self, rendered: Rendered) {
        let Rendered { file, entries, suppressed, ignored, rest, is_unread } = rendered;
        let known = self.count_file(&file, is_unread);
        let (mut text, mut findings) = (String::new(), Vec::new());
        let has_fingerprints = self.renderer.args.message_format == MessageFormatArg::Json;
        for Entry { severity, text: one, statement, mut finding, is_fixable } in entries {
            if statement.is_some_and(|statement| !self.reported.insert(statement)) {
                continue;
            }
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
        self.emit(&(text + &rest), self.renderer.form());
    }

    /// Counts a file that was read: once, also when it is nested in another one and named by itself. What has no name is
    /// about a file that was counted. Returns where its findings are, if it was counted before.
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

    /// Returns what was read. A template that cannot be read is printed and counted, and the others are still read.
    ///
    /// # Errors
    /// Any other failure, which ends the command.
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

    /// Prints the error of a file that cannot be read, and counts it.
    pub(crate) fn print_file(&mut self, file: &FileFailure) {
        self.add(self.renderer.render_unread(file));
    }

    /// Prints diagnostics without a file, and counts them.
    #[cfg(feature = "aws")]
    pub(crate) fn print_alone(&mut self, diagnostics: impl Iterator<Item = Diagnostic>) {
        let sources = SourceMap::new();
        let context =
            Context { sources: &sources, secrets: &[], color: self.renderer.color, width: self.renderer.width };
        let diagnostics: Vec<Diagnostic> = diagnostics.collect();
        self.add(self.renderer.of_diagnostics(&diagnostics, &context));
    }

    /// Prints what was found in a file that no compilation is about, and counts it.
    pub(crate) fn print_found<'d>(&mut self, found: impl Iterator<Item = &'d Diagnostic>, sources: &SourceMap) {
        let context = Context { sources, secrets: &[], color: self.renderer.color, width: self.renderer.width };
        let file = sources.files().next().map(|file| sources.display(file).to_owned()).unwrap_or_default();
        let rendered = Rendered { file, ..self.renderer.of_diagnostics(found, &context) };
        self.add(rendered);
    }

    /// Prints what was found after the diagnostics of a run were printed.
    pub(crate) fn print_more(&mut self, found: &[Diagnostic], result: &Compilation) {
        self.add(self.renderer.of_diagnostics(found, &self.renderer.context(result)));
    }

    /// Prints only the errors of a template, and counts nothing.
    pub(crate) fn print_errors(&mut self, report: &Report) {
        let errors = report.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let rendered = self.renderer.of_diagnostics(errors, &self.renderer.context(report.compilation()));
        let text: String = rendered.entries.into_iter().map(|entry| entry.text).collect();
        self.emit(&(text + &rendered.rest), self.renderer.form());
    }

    /// Prints one diagnostic about a template, and counts nothing.
    pub(crate) fn print_one(&mut self, diagnostic: &Diagnostic, result: &Compilation) {
        let text = self.renderer.text(diagnostic, &self.renderer.context(result));
        self.emit(&text, self.renderer.form());
    }

    /// Prints the declarations that were left out of an output.
    pub(crate) fn note_pruned(&mut self, note: Option<String>) {
        if let Some(note) = note {
            say(&note, self.renderer.form());
        }
    }

    /// Prints a part of the report.
    pub(crate) fn emit(&mut self, text: &str, form: Form) {
        match self.stream {
            Stream::Error => say(text, form),
            Stream::Output if text.is_empty() || self.failed.is_some() => {}
            Stream::Output => self.failed = terminal::print(text, form).err(),
        }
    }

    /// How things are printed.
    #[cfg(feature = "aws")]
    pub(crate) fn args(&self) -> &'a ReportArgs {
        self.renderer.args
    }

    /// Counts diagnostics that were printed elsewhere.
    #[cfg(feature = "aws")]
    pub(crate) fn count(&mut self, said: Summary) {
        self.summary.errors += said.errors;
        self.summary.warnings += said.warnings;
        self.summary.notes += said.notes;
    }

    /// The columns of the terminal.
    #[cfg(feature = "aws")]
    pub(crate) fn width(&self) -> Option<usize> {
        self.renderer.width
    }

    /// Whether the report is coloured.
    #[cfg(feature = "aws")]
    pub(crate) fn colors(&self) -> bool {
        self.renderer.color
    }

    /// Whether standard output is coloured.
    pub(crate) fn colors_output(&self) -> bool {
        Stream::Output.has_color(self.renderer.args)
    }

    /// Prints the end of a report: its summary, or the document that it is. `outcome` is the clause about the output.
    pub(crate) fn finish(&mut self, outcome: &str) {
        let (args, summary) = (self.renderer.args, self.summary);
        let relative = |path: &str| self.repository.relative(path);
        let (said, configuration) = (configured::lines(args), configured::all());
        let text = match args.message_format {
            MessageFormatArg::Json => json::summary(&summary, &configuration),
            MessageFormatArg::Sarif => sarif::render(&self.files, &configuration, env!("CARGO_PKG_VERSION"), &relative),
            MessageFormatArg::Junit => {
                say(&said, Form::Plain);
                junit::render(&self.files, args.strict)
            }
            MessageFormatArg::Github => github::render(&self.files, &summary, &relative) + &said,
            _ if self.renderer.is_distinct => {
                let text = said + &self.end();
                if self.stream == Stream::Error {
                    return say(&text, Form::Plain);
                }
                text
            }
            _ if summary.errors > 0 || summary.warnings > 0 && !args.quiet => {
                say(&said, Form::Plain);
                return say_line(&format!("{}{outcome}", summary.words()));
            }
            _ => return say(&said, Form::Plain),
        };
        self.emit(&text, self.renderer.form());
    }

    /// The last lines of the report of a check, for people: empty if nothing was found, unless somebody
    /// looks on.
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

    /// Counts what was fixed in a file.
    pub(crate) fn count_fixed(&mut self, fixed: usize) {
        self.summary.fixed += fixed;
        self.summary.fixed_files += usize::from(fixed > 0);
    }

    /// What was counted so far.
    pub(crate) fn summary(&self) -> Summary {
        self.summary
    }

    /// Prints the end of a report that is the output of the command.
    ///
    /// # Errors
    /// When standard output could not be written.
    pub(crate) fn finish_output(mut self) -> Result<Summary, Failure> {
        self.finish("");
        match self.failed {
            Some(why) => Err(why.into()),
            None => Ok(self.summary),
        }
    }

    /// Ends without a count of what was printed.
    ///
    /// # Errors
    /// When standard output could not be written.
    #[cfg(feature = "aws")]
    pub(crate) fn end_output(self) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), |why| Err(why.into()))
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.summary.errors > 0
    }
}
