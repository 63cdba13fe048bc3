//! Source lines with labels under them.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Origin, Renderer, Snippet};
use formwork_base::{FileId, Span};

use crate::mask::Masked;
use crate::{Context, printable};

/// A place, its words, and whether it is the one that matters.
pub(crate) type Label = (Span, String, bool);

/// The lines that labels are about, file by file. Labels without a place are left out.
pub(crate) fn pieces(labels: &[Label], context: &Context<'_>) -> Vec<Piece> {
    let mut files: Vec<FileId> = Vec::new();
    for (span, ..) in labels {
        if let Some(file) = context.sources.file_of(*span)
            && !files.contains(&file)
        {
            files.push(file);
        }
    }
    files.into_iter().map(|file| piece(file, labels, context)).collect()
}

/// Adds the lines to a group.
pub(crate) fn add<'p>(mut group: Group<'p>, pieces: &'p [Piece]) -> Group<'p> {
    for piece in pieces {
        if let Some((line, column)) = piece.hidden {
            group = group.element(Origin::path(piece.path.as_str()).line(line as usize).char_column(column as usize));
            continue;
        }
        let snippet =
            Snippet::source(piece.masked.text.as_str()).path(piece.path.as_str()).line_start(piece.line as usize);
        group = group.element(snippet.annotations(piece.annotations()));
    }
    group
}

/// The group as text.
pub(crate) fn draw(group: Group<'_>, context: &Context<'_>) -> String {
    let renderer = if context.color { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(140).render(&[group])
}

/// The lines of one file that are shown.
pub(crate) struct Piece {
    path: String,
    line: u32,
    /// Line and column alone, of a file that is not quoted.
    hidden: Option<(u32, u32)>,
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

fn piece(file: FileId, labels: &[Label], context: &Context<'_>) -> Piece {
    let sources = context.sources;
    if sources.is_hidden(file) {
        let span = labels.iter().map(|(span, ..)| *span).find(|span| sources.file_of(*span) == Some(file));
        let place = span.and_then(|span| sources.place(span)).map_or((1, 1), |place| (place.line, place.column));
        let path = printable(sources.display(file)).into_owned();
        return Piece { path, line: place.0, hidden: Some(place), masked: Masked::new("", 0, &[]), ranges: Vec::new() };
    }
    let (text, base, lines) = (sources.text(file), sources.base(file), sources.lines(file));
    let here: Vec<&Label> = labels.iter().filter(|(span, ..)| sources.file_of(*span) == Some(file)).collect();
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
    Piece { path: printable(sources.display(file)).into_owned(), line: first + 1, hidden: None, masked, ranges }
}
