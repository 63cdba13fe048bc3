//! Code frames.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use formwork_base::{Diagnostic, FileId, FrameKind, Severity, Span};

use crate::mask::Masked;
use crate::{Context, printable};

/// A diagnostic with its place, the iterations that led there, the reason and advice. Ends in a
/// line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let code = diagnostic.code.to_string();
    let title = level.primary_title(printable(&diagnostic.message)).id(code.as_str());
    let labels = labels(diagnostic);
    let mut files: Vec<FileId> = Vec::new();
    for (span, ..) in &labels {
        if let Some(file) = context.sources.file_of(*span)
            && !files.contains(&file)
        {
            files.push(file);
        }
    }
    let pieces: Vec<Piece> = files.into_iter().map(|file| piece(file, &labels, context)).collect();
    let mut group = Group::with_title(title);
    for piece in &pieces {
        let snippet =
            Snippet::source(piece.masked.text.as_str()).path(piece.path.as_str()).line_start(piece.line as usize);
        group = group.element(snippet.annotations(piece.annotations()));
    }
    for note in notes(diagnostic) {
        group = group.element(Level::NOTE.message(printable(&note).into_owned()));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let more = format!("formwork check --explain {code}");
    if diagnostic.severity != Severity::Note {
        group = group.element(Level::NOTE.with_name("more").message(more));
    }
    let renderer = if context.color { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.decor_style(DecorStyle::Ascii).term_width(140).render(&[group]);
    format!("{text}\n\n")
}

/// A place, its words, and whether it is the one at fault.
type Place<'d> = (Span, String, bool);

fn labels(diagnostic: &Diagnostic) -> Vec<Place<'_>> {
    let mut labels: Vec<Place<'_>> = Vec::new();
    if let Some(primary) = &diagnostic.primary {
        labels.push((primary.span, primary.text.clone(), true));
    }
    labels.extend(diagnostic.related.iter().map(|label| (label.span, label.text.clone(), false)));
    for frame in &diagnostic.frames {
        let words = match (frame.kind, &frame.value) {
            (FrameKind::Loop, Some(value)) => {
                format!("iteration {}: {} = \"{value}\"", frame.index.unwrap_or(0) + 1, frame.name)
            }
            (kind, _) => format!("{} {}", kind.name(), frame.name),
        };
        if !frame.span.is_none() && !labels.iter().any(|(span, text, _)| *span == frame.span && *text == words) {
            labels.push((frame.span, words, false));
        }
    }
    labels.retain(|(span, ..)| !span.is_none());
    for (_, text, _) in &mut labels {
        *text = printable(text).into_owned();
    }
    labels
}

fn notes(diagnostic: &Diagnostic) -> Vec<String> {
    let mut notes = diagnostic.notes.clone();
    if diagnostic.count > 1 && !diagnostic.frames.is_empty() {
        notes.push(format!("the same in {} iterations", diagnostic.count));
    }
    notes
}

/// The lines of one file that are shown.
struct Piece {
    path: String,
    line: u32,
    masked: Masked,
    /// Ranges in the unmasked piece.
    ranges: Vec<(std::ops::Range<usize>, String, bool)>,
}

impl Piece {
    fn annotations(&self) -> Vec<Annotation<'_>> {
        self.ranges
            .iter()
            .map(|(range, text, primary)| {
                let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let annotation = kind.span(self.masked.range(range.clone()));
                if text.is_empty() { annotation } else { annotation.label(text.as_str()) }
            })
            .collect()
    }
}

fn piece(file: FileId, labels: &[Place<'_>], context: &Context<'_>) -> Piece {
    let sources = context.sources;
    let (text, base, lines) = (sources.text(file), sources.base(file), sources.lines(file));
    let here: Vec<&Place<'_>> = labels.iter().filter(|(span, ..)| sources.file_of(*span) == Some(file)).collect();
    let offset = |position: u32| (position - base).min(text.len() as u32);
    let first = here.iter().map(|(span, ..)| lines.line(offset(span.start()))).min().unwrap_or(0);
    let last = here.iter().map(|(span, ..)| lines.line(offset(span.start()))).max().unwrap_or(0);
    let start = lines.line_start(first) as usize;
    let end = if last + 1 < lines.line_count() { lines.line_start(last + 1) as usize } else { text.len() };
    let slice = &text[start..end];
    let ranges = here
        .into_iter()
        .map(|(span, text, primary)| {
            // A place of several lines is shown by its first one.
            let from = offset(span.start()) as usize - start;
            let line_end = slice[from..].find(['\n', '\r']).map_or(slice.len(), |len| from + len);
            let to = (offset(span.end()) as usize - start).min(line_end).max(from);
            (from..to, text.clone(), *primary)
        })
        .collect();
    let mut masked = Masked::new(slice, base + start as u32, context.secrets);
    // The other control characters are replaced where the lines are drawn. This dot is as long as
    // they are, so that no range moves.
    masked.text = masked.text.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "\u{b7}");
    Piece { path: printable(sources.display(file)).into_owned(), line: first + 1, masked, ranges }
}
