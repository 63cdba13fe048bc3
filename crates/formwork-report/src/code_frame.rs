//! Source lines with labels under them.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Origin, Renderer, Snippet};
use formwork_base::display::{credentials, is_unprintable};
use formwork_base::{FileId, Span};

use crate::credentials::path;
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
    files.into_iter().flat_map(|file| pieces_of(file, labels, context)).collect()
}

/// The lines of a file; places alone where lines may not be quoted.
fn pieces_of(file: FileId, labels: &[Label], context: &Context<'_>) -> Vec<Piece> {
    if !context.sources.is_hidden(file) {
        return vec![piece(file, labels, context)];
    }
    let path = printable(&path(file, context)).into_owned();
    let places = labels.iter().filter_map(|(span, ..)| context.sources.place(*span));
    let places = places.filter(|place| place.file == file);
    places.map(|place| Piece { path: path.clone(), line: place.line, lines: Lines::Hidden(place.column) }).collect()
}

/// Adds the lines to a group.
pub(crate) fn add<'p>(mut group: Group<'p>, pieces: &'p [Piece]) -> Group<'p> {
    for piece in pieces {
        let (path, line) = (piece.path.as_str(), piece.line as usize);
        group = match &piece.lines {
            Lines::Shown(masked, ranges) => {
                let snippet = Snippet::source(masked.text.as_str()).path(path).line_start(line);
                group.element(snippet.annotations(annotations(masked, ranges)))
            }
            Lines::Hidden(column) => group.element(Origin::path(path).line(line).char_column(*column as usize)),
        };
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
    lines: Lines,
}

enum Lines {
    /// Text, and labels for ranges in the unmasked text.
    Shown(Masked, Vec<(Range<usize>, String, bool)>),
    /// A place in this column.
    Hidden(u32),
}

fn annotations<'m>(masked: &'m Masked, ranges: &'m [(Range<usize>, String, bool)]) -> Vec<Annotation<'m>> {
    ranges
        .iter()
        .map(|(range, text, primary)| {
            let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(masked.range(range.clone()));
            if text.is_empty() { annotation } else { annotation.label(text.as_str()) }
        })
        .collect()
}

fn piece(file: FileId, labels: &[Label], context: &Context<'_>) -> Piece {
    let sources = context.sources;
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
    let credentials = credentials(slice).into_iter();
    let mut secrets: Vec<Span> = context.secrets.to_vec();
    let start = base + start as u32;
    secrets.extend(credentials.map(|range| Span::new(start + range.start as u32, start + range.end as u32)));
    let mut masked = Masked::new(slice, start, &secrets);
    // Control characters of one byte are replaced where the lines are drawn.
    masked.text = placeholders(masked.text);
    Piece { path: printable(&path(file, context)).into_owned(), line: first + 1, lines: Lines::Shown(masked, ranges) }
}

/// Text in which what is unprintable and not ASCII is replaced by as many bytes, so that no range moves.
fn placeholders(text: String) -> String {
    if text.is_ascii() || !text.contains(is_unprintable) {
        return text;
    }
    let mut replaced = String::with_capacity(text.len());
    for c in text.chars() {
        match c.len_utf8() {
            1 => replaced.push(c),
            _ if !is_unprintable(c) => replaced.push(c),
            3 => replaced.push('\u{fffd}'),
            bytes => (0..bytes / 2).for_each(|_| replaced.push('\u{b7}')),
        }
    }
    replaced
}
