//! The diagnostics of `check`, at the places where an editor shows them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use formwork::{Diagnostic, FileRange, Finding, FrameKind, Goal, Report, Severity, SourceMap, VirtualPath, codes};

use crate::kind::{DocumentKind, kind};
use crate::{Ide, Problem};

/// The codes of unnecessary code.
const UNNECESSARY: [&str; 4] = ["FW0208", "FW0331", "FW0720", "FW1101"];

/// Returns the diagnostics that `check` reports of the template, in the order of its report. A diagnostic in a module
/// or nested template that a check of that file alone does not find is shown at the outermost import or stack that
/// leads there; others are left out, since they are shown in that file. If the template is unchanged, the same
/// allocation is returned.
pub fn diagnostics<'i>(ide: &'i Ide<'_>) -> &'i Arc<Vec<Problem>> {
    ide.problems(|| find(ide))
}

/// The largest number of diagnostics of a template. Each takes some kilobytes in each program that holds it, and
/// editors show no more themselves.
const MOST: usize = 1_000;

fn find(ide: &Ide<'_>) -> Vec<Problem> {
    let mut alone = Alone { ide, known: BTreeMap::new() };
    let all = || ide.reports().iter().flat_map(|report| report.diagnostics().iter().map(move |one| (report, one)));
    let count = all().count();
    // Of too many, the most severe ones are kept.
    let mut worst: Vec<(usize, Severity)> = all().map(|(_, one)| one.severity).enumerate().collect();
    worst.sort_by_key(|&(_, severity)| Reverse(severity));
    let shown: BTreeSet<usize> = worst.into_iter().take(MOST).map(|(at, _)| at).collect();
    let shown = all().enumerate().filter(|(at, _)| shown.contains(at)).map(|(_, found)| found);
    let mut problems: Vec<Problem> =
        shown.filter_map(|(report, diagnostic)| problem(ide, report, diagnostic, &mut alone)).collect();
    if count > MOST {
        let words = format!("{MOST} of {count} problems are shown; `formwork check` reports more");
        let note = Diagnostic::titled(codes::LIMIT, words).severity(Severity::Note);
        let first = ide.reports().first();
        problems.extend(first.and_then(|report| problem(ide, report, &note, &mut alone)));
    }
    problems
}

fn problem(ide: &Ide<'_>, report: &Report, diagnostic: &Diagnostic, alone: &mut Alone<'_, '_>) -> Option<Problem> {
    let sources = report.compilation().sources();
    let finding = diagnostic.resolve(sources);
    let own = finding.place.range.clone();
    let in_root = |range: &&FileRange| range.file == *ide.root();
    let mut related = Vec::new();
    let range = match own.as_ref() {
        None => FileRange::new(ide.root().clone(), 0, 0),
        Some(range) if in_root(&range) => range.clone(),
        // The other files of the template show their own.
        Some(range) if ide.snapshot().options().other_files.contains(&range.file) => return None,
        // Values of the command line and files that are not templates have no place in the editor.
        Some(range) => {
            let outermost = outermost(diagnostic, sources, ide.root());
            // A diagnostic found while a module is parsed is found once, and no import leads there.
            let is_module = outermost.is_some() || is_module(ide, &range.file);
            if is_module && alone.finds(range, &finding) {
                return None;
            }
            related.push((range.clone(), "the place in the module".to_owned()));
            outermost.unwrap_or_else(|| FileRange::new(ide.root().clone(), 0, 0))
        }
    };
    related.extend(diagnostic.frames.iter().filter_map(|frame| {
        let at = sources.file_range(frame.span)?;
        let value = frame.value.as_deref().unwrap_or_default();
        let words = match frame.kind {
            FrameKind::Loop => format!("in the iteration {} = {value}", frame.name),
            FrameKind::Module => format!("in import {}", frame.name),
            FrameKind::Stack => format!("in nested stack {}", frame.name),
            kind => format!("{} {}", kind.name(), frame.name),
        };
        Some((at, words))
    }));
    related
        .extend(finding.related.iter().filter_map(|label| Some((label.place.range.clone()?, label.message.clone()))));
    let words = finding.notes.iter().map(|note| format!("note: {note}"));
    let words = words.chain(finding.help.iter().map(|help| format!("help: {help}")));
    related.extend(words.map(|words| (range.clone(), words)));
    let is_unnecessary = UNNECESSARY.contains(&finding.code.to_string().as_str());
    Some(Problem { finding, range, related, is_unnecessary })
}

/// Returns `true` if a file has diagnostics of its own: a module, or a file that looks like a template where a broken
/// text hides its import.
fn is_module(ide: &Ide<'_>, file: &VirtualPath) -> bool {
    let name = file.as_str().rsplit('/').next().unwrap_or_default();
    let looks_like_one = || {
        let kind = ide.snapshot().source(file).map(|source| kind(name, source.text().text()));
        matches!(kind, Ok(Some(DocumentKind::Template | DocumentKind::Module)))
    };
    ide.file(file).is_some() || looks_like_one()
}

/// The import or nested stack in the root template that leads to a diagnostic elsewhere.
fn outermost(diagnostic: &Diagnostic, sources: &SourceMap, root: &VirtualPath) -> Option<FileRange> {
    let mut frames =
        diagnostic.frames.iter().filter(|frame| matches!(frame.kind, FrameKind::Module | FrameKind::Stack));
    frames.find_map(|frame| sources.file_range(frame.span).filter(|range| range.file == *root))
}

struct Alone<'a, 'h> {
    ide: &'a Ide<'h>,
    known: BTreeMap<VirtualPath, BTreeSet<(String, u32)>>,
}

impl Alone<'_, '_> {
    fn finds(&mut self, range: &FileRange, finding: &Finding) -> bool {
        let ide = self.ide;
        let found = self.known.entry(range.file.clone()).or_insert_with(|| {
            let compiled = ide.snapshot().compile(&range.file, Goal::Check);
            let place = |found: &Diagnostic| {
                let place = compiled.sources().file_range(found.span())?;
                (place.file == range.file).then(|| (found.code.to_string(), place.start))
            };
            compiled.diagnostics().iter().filter_map(place).collect()
        });
        found.contains(&(finding.code.to_string(), range.start))
    }
}
