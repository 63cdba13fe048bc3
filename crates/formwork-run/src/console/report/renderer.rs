//! Renders diagnostics in the chosen form.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::joined_values;
use formwork::display::mask_credentials;
use formwork::{Compilation, Diagnostic, Finding, Report, Severity, SourceMap, UsedValue, ValueSource};
use formwork_project::FileFailure;
use formwork_report::{Context, Form, MessageFormat, Notice, SuppressedFinding, human, json, printable, short};

use super::share::Share;
use crate::console::{ReportArgs, configured};

/// The largest number of diagnostics of a template in a report (reference/diagnostics.md#forms): a report of everything
/// that a file can cause could exhaust the memory, and nobody would read it.
pub(super) const MOST: usize = 10_000;

/// Renders diagnostics, on any thread.
#[derive(Clone, Copy)]
pub struct Renderer {
    pub(super) args: ReportArgs,
    pub(super) color: bool,
    pub(super) width: Option<usize>,
    /// Set to print each statement once, whatever templates lead to it.
    pub(super) is_distinct: bool,
}

/// A report of a template, ready to be printed.
#[derive(Default)]
pub struct Rendered {
    pub(super) file: String,
    pub(super) entries: Vec<Entry>,
    pub(super) suppressed: Vec<(Statement, SuppressedFinding)>,
    pub(super) ignored: Vec<Statement>,
    pub(super) rest: String,
    /// The note that only some diagnostics are shown.
    pub(super) cut: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) is_unread: bool,
}

pub(super) struct Entry {
    pub(super) severity: Severity,
    pub(super) text: String,
    /// The statement of the diagnostic, if each statement is printed once.
    pub(super) statement: Option<Statement>,
    pub(super) finding: Option<Box<formwork::Finding>>,
    /// Set when the file of the finding is the template, and its fix is safe.
    pub(super) is_fixable: bool,
}

/// The identity of a diagnostic: code, file, line, column and message.
pub(super) type Statement = (String, Option<String>, Option<u32>, Option<u32>, String);

fn statement(diagnostic: &Diagnostic, sources: &SourceMap) -> Statement {
    let place = sources.place(diagnostic.span());
    let file = place.map(|place| mask_credentials(sources.display(place.file)).into_owned());
    let message = mask_credentials(&diagnostic.message).into_owned();
    let id = diagnostic.other_rule.as_ref().map_or_else(|| diagnostic.code.to_string(), |other| other.id.clone());
    (id, file, place.map(|place| place.line), place.map(|place| place.column), message)
}

impl Renderer {
    /// Renders the report of a template.
    pub fn render(&self, report: &Report) -> Rendered {
        let result = report.compilation();
        let sources = result.sources();
        let file = sources.files().next().map(|file| sources.display(file).to_owned()).unwrap_or_default();
        let mut rendered = Rendered { file, ..self.of_diagnostics(report.diagnostics(), &self.context(result)) };
        if !self.args.quiet
            && !self.args.message_format.is_document()
            && self.args.message_format != MessageFormat::Json
        {
            rendered.warnings = joined_values::warnings(&result.declared_parameters());
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
            for used in result.used_values() {
                let _ = writeln!(rendered.rest, "{}", value_line(&used, sources));
            }
            for (name, items, iterations) in result.loops() {
                let _ = writeln!(rendered.rest, "loop {}: {items} items, {iterations} iterations", printable(name));
            }
        }
        rendered
    }

    /// Renders more diagnostics of a template.
    pub fn render_found(&self, found: &[Diagnostic], result: &Compilation) -> Rendered {
        let sources = result.sources();
        let file = sources.files().next().map(|file| sources.display(file).to_owned()).unwrap_or_default();
        Rendered { file, ..self.of_diagnostics(found, &self.context(result)) }
    }

    /// Returns the note about declarations that were removed from an output, if any were.
    pub fn pruned(&self, result: &Compilation) -> Option<String> {
        let names = result.pruned();
        if names.is_empty() || self.args.quiet {
            return None;
        }
        let names: Vec<_> = names.iter().map(|name| printable(name)).collect();
        let file = result.sources().shown(result.path());
        let message = format!("{file}: left out what only computed parts used: {}", names.join(", "));
        let (notice, context) = (Notice::note(message), self.context(result));
        Some(match self.args.message_format {
            MessageFormat::Human => notice.to_human(&context),
            MessageFormat::Json => notice.to_json(&context),
            _ => notice.to_short(&context),
        })
    }

    /// Renders the error of a file that cannot be read.
    pub fn render_unread(&self, file: &FileFailure) -> Rendered {
        let mut sources = SourceMap::new();
        let is_for_people = self.args.message_format == MessageFormat::Human;
        let diagnostic = match sources.insert(
            formwork::VirtualPath::new(&file.path),
            &file.path,
            Arc::new(formwork::SourceText::new("")),
        ) {
            // The message has the file name, and the file has no lines to show.
            Some(id) if !is_for_people => {
                sources.hide(id);
                file.diagnostic().at(sources.span(id))
            }
            _ => file.diagnostic(),
        };
        let context = Context { sources: &sources, secrets: &[], color: self.color, width: self.width };
        let mut rendered = self.of_diagnostics(std::slice::from_ref(&diagnostic), &context);
        // A missing file has no place.
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
                MessageFormat::Short => entry.text = format!("{finding}\n"),
                MessageFormat::Json => entry.text = json::render_finding(&finding),
                _ => {}
            }
        }
        Rendered { file: file.path.clone(), is_unread: true, ..rendered }
    }

    pub(super) fn context<'c>(&self, result: &'c Compilation) -> Context<'c> {
        Context { sources: result.sources(), secrets: result.secrets(), color: self.color, width: self.width }
    }

    /// Renders the diagnostics of one template; in the format for people, up to a limit.
    pub(super) fn of_diagnostics<'d>(
        &self,
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        context: &Context<'_>,
    ) -> Rendered {
        let is_capped = self.args.message_format == MessageFormat::Human;
        let (mut cap, diagnostics) = (human::Cap::default(), diagnostics.into_iter().collect::<Vec<_>>());
        let (count, mut share) = (diagnostics.len(), Share::of(diagnostics.iter().map(|one| one.severity), MOST));
        let entries = diagnostics.into_iter().map(|diagnostic| {
            let is_kept = is_capped || share.takes(diagnostic.severity);
            let is_shown = is_kept && (!self.args.quiet || diagnostic.severity == Severity::Error);
            let is_shown = is_shown && (!is_capped || cap.admits(diagnostic));
            let text = if is_shown { self.text(diagnostic, context) } else { String::new() };
            let is_printed = self.is_distinct && self.args.message_format == MessageFormat::Json;
            let has_finding = is_kept && (is_printed || self.args.message_format.is_document());
            let finding = has_finding.then(|| Box::new(diagnostic.resolve(context.sources)));
            let statement = self.is_distinct.then(|| statement(diagnostic, context.sources));
            let own = context.sources.files().next();
            let is_fixable = diagnostic.fix.as_ref().is_some_and(|fix| {
                fix.is_safe && fix.edits.iter().all(|(span, _)| context.sources.file_of(*span) == own)
            });
            Entry { severity: diagnostic.severity, text, statement, finding, is_fixable }
        });
        let entries = entries.collect();
        let cut = (count > MOST && !is_capped).then(|| {
            let file = context.sources.files().next().map(|file| context.sources.display(file)).unwrap_or_default();
            let notice = Notice::note(format!("{file}: {MOST} of {count} diagnostics are shown, errors first"));
            match self.args.message_format {
                MessageFormat::Json => notice.to_json(context),
                _ => notice.to_short(context),
            }
        });
        Rendered { entries, rest: cap.rest(), cut, ..Rendered::default() }
    }

    pub(super) fn text(&self, diagnostic: &Diagnostic, context: &Context<'_>) -> String {
        match self.args.message_format {
            MessageFormat::Human => human::render(diagnostic, context),
            MessageFormat::Short => short::render(diagnostic, context),
            MessageFormat::Json => json::render(diagnostic, context),
            MessageFormat::Sarif | MessageFormat::Github | MessageFormat::Junit => String::new(),
        }
    }

    pub(super) fn form(&self) -> Form {
        match self.args.message_format {
            MessageFormat::Json | MessageFormat::Sarif => Form::Json,
            MessageFormat::Human | MessageFormat::Short => Form::words(self.color),
            MessageFormat::Github | MessageFormat::Junit => Form::Plain,
        }
    }
}

/// A value that the template was compiled with: `value: Stage = prod, from samconfig.toml:3:23`.
fn value_line(used: &UsedValue, sources: &SourceMap) -> String {
    let name = printable(&used.name);
    let Some(value) = &used.value else { return format!("value: {name} is not known") };
    let value = if value.is_empty() { "\"\"".into() } else { printable(value) };
    let place = sources.place(used.span);
    let place = place.map(|place| format!("{}:{}:{}", sources.display(place.file), place.line, place.column));
    let source = match (used.given, place) {
        // Options are also set by a configuration file.
        (ValueSource::CommandLine, _) if used.name.starts_with("AWS::") => "from an option".to_owned(),
        (ValueSource::CommandLine, _) => "passed on the command line".to_owned(),
        (ValueSource::Account, _) => "from the account data".to_owned(),
        (ValueSource::File, Some(place)) => format!("from {place}"),
        (ValueSource::File, None) => "from a parameters file".to_owned(),
        (ValueSource::Default, Some(place)) => format!("its Default, {place}"),
        (ValueSource::Default, None) => "its Default".to_owned(),
    };
    format!("value: {name} = {value}, {source}")
}
