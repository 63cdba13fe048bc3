//! Source lines with labels under them.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Origin, Renderer, Snippet};
use formwork_base::display::{credentials, is_unprintable};
use formwork_base::{FileId, Span};

use crate::credentials::path;
use crate::mask::{Cut, MASK, Masked};
use crate::window::left_out;
use crate::{Context, printable};

/// A place, its words, and whether it is the primary one.
pub(crate) type Label = (Span, String, bool);

/// Returns the lines that labels are about, file by file. Labels without a place are left out.
pub(crate) fn pieces(labels: &[Label], context: &Context<'_>) -> Vec<Piece> {
    if !context.sources.has_redirects() {
        return pieces_at(labels, context);
    }
    let authored = |span: &Span| context.sources.authored(*span);
    let labels: Vec<Label> =
        labels.iter().map(|(span, words, primary)| (authored(span), words.clone(), *primary)).collect();
    let secrets: Vec<Span> = context.secrets.iter().map(authored).collect();
    pieces_at(&labels, &Context { secrets: &secrets, ..*context })
}

fn pieces_at(labels: &[Label], context: &Context<'_>) -> Vec<Piece> {
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

/// Returns the lines of a file, or only places if its lines may not be quoted.
fn pieces_of(file: FileId, labels: &[Label], context: &Context<'_>) -> Vec<Piece> {
    if !context.sources.is_hidden(file) {
        return vec![piece(file, labels, context)];
    }
    let path = printable(&path(file, context)).into_owned();
    let places = labels.iter().filter_map(|(span, ..)| context.sources.place(*span));
    let places = places.filter(|place| place.file == file);
    places.map(|place| Piece { path: path.clone(), line: place.line, lines: Lines::Hidden(place.column) }).collect()
}

pub(crate) fn add<'p>(mut group: Group<'p>, pieces: &'p [Piece]) -> Group<'p> {
    for piece in pieces {
        let (path, line) = (piece.path.as_str(), piece.line as usize);
        group = match &piece.lines {
            Lines::Shown(shown) => {
                let snippet = Snippet::source(shown.masked.text.as_str()).line_start(line);
                let snippet =
                    if shown.columns.is_empty() { snippet.path(path) } else { snippet.path(format!("{MARK}{path}")) };
                group.element(snippet.annotations(shown.annotations()))
            }
            Lines::Hidden(column) => group.element(Origin::path(path).line(line).char_column(*column as usize)),
        };
    }
    group
}

/// Renders the group with these lines.
pub(crate) fn draw(group: Group<'_>, pieces: &[Piece], context: &Context<'_>) -> String {
    let renderer = if context.color { Renderer::styled() } else { Renderer::plain() };
    let drawn = renderer.decor_style(DecorStyle::Ascii).term_width(140).render(&[group]);
    if drawn.contains(MARK) { with_columns(&drawn, pieces) } else { drawn }
}

pub(crate) fn last_line(pieces: &[Piece]) -> u32 {
    let of = |piece: &Piece| match &piece.lines {
        Lines::Shown(shown) => piece.line + shown.masked.text.lines().count() as u32,
        Lines::Hidden(_) => piece.line,
    };
    pieces.iter().map(of).max().unwrap_or_default()
}

pub(crate) struct Piece {
    path: String,
    line: u32,
    lines: Lines,
}

impl Piece {
    fn rest<'t>(&self, text: &'t str) -> Option<&'t str> {
        text.strip_prefix(self.path.as_str()).filter(|rest| rest.starts_with(':'))
    }
}

enum Lines {
    Shown(Shown),
    /// A place of which only the column is shown.
    Hidden(u32),
}

struct Shown {
    masked: Masked,
    /// Ranges in the unmasked text, their labels, and whether each is the primary one.
    labels: Vec<(Range<usize>, String, bool)>,
    /// Columns of the labels in their lines if a line is cut; else empty.
    columns: Vec<u32>,
}

impl Shown {
    fn annotations(&self) -> Vec<Annotation<'_>> {
        self.labels
            .iter()
            .map(|(range, text, primary)| {
                let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let annotation = kind.span(self.masked.range(range.clone()));
                if text.is_empty() { annotation } else { annotation.label(text.as_str()) }
            })
            .collect()
    }

    /// Returns the source column of the label at a column of a drawn line; columns are from 1, the line is from 0.
    fn column(&self, line: usize, drawn: usize) -> Option<u32> {
        let is_there = |range: &Range<usize>| {
            let before = &self.masked.text[..self.masked.range(range.clone()).start];
            let (above, own) = before.rsplit_once('\n').unwrap_or(("", before));
            let lines = above.matches('\n').count() + usize::from(own.len() < before.len());
            lines == line && own.chars().count() + 1 == drawn
        };
        self.labels.iter().zip(&self.columns).find(|((range, ..), _)| is_there(range)).map(|(_, &column)| column)
    }
}

/// A mark in front of paths whose lines are cut; it is removed before printing. The library that draws the lines knows
/// only the columns of the lines it draws, not those of the source.
const MARK: char = '\u{1}';

/// Replaces the columns of cut lines by those of the source.
fn with_columns(drawn: &str, pieces: &[Piece]) -> String {
    let mut parts = drawn.split(MARK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((rest, piece)) = pieces.iter().find_map(|piece| piece.rest(part).map(|rest| (rest, piece))) else {
            text.push_str(part);
            continue;
        };
        let end = rest.find(|c: char| c != ':' && !c.is_ascii_digit()).unwrap_or(rest.len());
        let mut numbers = rest[..end].split(':').skip(1).map_while(|number| number.parse::<usize>().ok());
        let (line, column) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        let known = match &piece.lines {
            Lines::Shown(shown) => shown.column(line.saturating_sub(piece.line as usize), column),
            Lines::Hidden(_) => None,
        };
        match known {
            Some(column) => {
                let _ = write!(text, "{}:{line}:{column}{}", piece.path, &rest[end..]);
            }
            None => text.push_str(part),
        }
    }
    text
}

fn piece(file: FileId, labels: &[Label], context: &Context<'_>) -> Piece {
    let sources = context.sources;
    let (text, base) = (sources.text(file), sources.base(file));
    let here: Vec<&Label> = labels.iter().filter(|(span, ..)| sources.file_of(*span) == Some(file)).collect();
    let offset = |position: u32| (position - base).min(text.len() as u32);
    let end = here.iter().map(|(span, ..)| offset(span.start())).max().unwrap_or(0);
    let lines = sources.lines_up_to(file, end);
    let line_of = |label: &Label| lines.line(offset(label.0.start()));
    let mut wanted: Vec<u32> = here.iter().map(|label| line_of(label)).collect();
    wanted.sort_unstable();
    let (first, last) = (wanted.first().copied().unwrap_or(0), wanted.last().copied().unwrap_or(0));
    let line_start = |line: u32| {
        if line < lines.line_count() { lines.line_start(line) as usize } else { text.len() }
    };
    let start = line_start(first);
    let slice = &text[start..line_start(last + 1)];
    let ranges: Vec<Range<usize>> = here
        .iter()
        .map(|(span, ..)| {
            // A place of several lines is shown by its first one.
            let from = offset(span.start()) as usize - start;
            let line_end = slice[from..].find(['\n', '\r']).map_or(slice.len(), |len| from + len);
            let to = (offset(span.end()) as usize - start).min(line_end).max(from);
            from..to
        })
        .collect();
    let own = Span::new(base + start as u32, base + (start + slice.len()) as u32);
    let secrets = context.secrets.iter().filter(|secret| secret.start() < own.end() && secret.end() > own.start());
    let mut cuts: Vec<Cut> = secrets
        .map(|secret| secret.start().max(own.start())..secret.end().min(own.end()))
        .map(|range| Cut {
            range: (range.start - own.start()) as usize..(range.end - own.start()) as usize,
            shown: MASK,
        })
        .collect();
    // Lines with a label and their neighbours are kept: no other line is drawn.
    let (mut next, mut is_cut) = (first, false);
    for &line in &wanted {
        let (from, to) = (line.saturating_sub(1).max(next), (line + 1).min(last));
        if from > next {
            cuts.push(Cut { range: line_start(next) - start..line_start(from) - start, shown: "" });
        }
        for line in from..=to {
            let from = line_start(line) - start;
            let shown = slice[from..line_start(line + 1) - start].trim_end_matches(['\n', '\r']);
            let at = |range: Range<usize>| range.start + from..range.end + from;
            cuts.extend(credentials(shown).into_iter().map(|range| Cut { range: at(range), shown: MASK }));
            let labels = ranges.iter().filter(|range| (from..=from + shown.len()).contains(&range.start));
            let left_out = left_out(shown, labels.map(|range| range.start - from..range.end - from));
            is_cut |= !left_out.is_empty();
            cuts.extend(left_out.into_iter().map(|cut| Cut { range: at(cut.range), ..cut }));
        }
        next = next.max(to + 1);
    }
    let mut masked = Masked::new(slice, cuts);
    // Control characters of one byte are replaced where the lines are drawn.
    masked.text = placeholders(masked.text);
    let labels = ranges.into_iter().zip(&here).map(|(range, (_, text, primary))| (range, text.clone(), *primary));
    let columns =
        here.iter().filter(|_| is_cut).filter_map(|(span, ..)| sources.place(*span)).map(|place| place.column);
    let shown = Shown { labels: labels.collect(), masked, columns: columns.collect() };
    Piece { path: printable(&path(file, context)).into_owned(), line: first + 1, lines: Lines::Shown(shown) }
}

/// Replaces characters that are unprintable and not ASCII by as many bytes, so that no range moves.
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

#[cfg(test)]
mod tests {
    use formwork_base::{SourceMap, VirtualPath};

    use super::*;

    fn draw_at(text: &str, places: &[(Range<usize>, bool)]) -> (usize, String) {
        let mut sources = SourceMap::new();
        let file = sources.add(VirtualPath::new("t.json"), text).expect("room");
        let base = sources.base(file);
        let span = |range: &Range<usize>| Span::new(base + range.start as u32, base + range.end as u32);
        let labels: Vec<Label> =
            places.iter().map(|(range, is_primary)| (span(range), "here".to_owned(), *is_primary)).collect();
        let context = Context { sources: &sources, secrets: &[], color: false, width: None };
        let pieces = pieces(&labels, &context);
        let size = match &pieces[0].lines {
            Lines::Shown(shown) => shown.masked.text.len(),
            Lines::Hidden(_) => 0,
        };
        let group = add(Group::with_level(annotate_snippets::Level::NOTE), &pieces);
        (size, draw(group, &pieces, &context))
    }

    #[test]
    fn a_long_line_is_cut_and_keeps_its_column() {
        let text =
            format!("{{\"a\": 1, {}\"a\": 2, {}}}", "\"k\": [], ".repeat(100_000), "\"k\": [], ".repeat(100_000));
        let again = text.rfind("\"a\"").expect("there");
        let (size, drawn) = draw_at(&text, &[(again..again + 3, true), (1..4, false)]);
        assert!(size < 1000, "{size}");
        assert!(drawn.contains(&format!(" t.json:1:{}\n", again + 1)), "{drawn}");
        assert!(drawn.contains("^^^ here") && drawn.contains("--- here") && drawn.len() < 2000, "{drawn}");
    }

    #[test]
    fn a_short_line_has_its_own_column_beside_a_long_one() {
        let text = format!("{{\"b\": 1,\n\"a\": [{}]}}", "1, ".repeat(10_000));
        let (_, drawn) = draw_at(&text, &[(1..4, true), (20_000..20_001, false)]);
        assert!(drawn.contains(" t.json:1:2\n"), "{drawn}");
    }

    #[test]
    fn lines_far_from_labels_are_not_laid_out() {
        let text = "a: 1 # a comment that nobody reads here\n".repeat(10_000);
        let last = text.len() - 40;
        let (size, drawn) = draw_at(&text, &[(last..last + 1, true), (0..1, false)]);
        assert!(size < 10_000 + 4 * 40, "{size}");
        assert!(drawn.contains(" t.json:10000:1\n") && drawn.contains("\n...\n"), "{drawn}");
    }

    #[test]
    fn an_address_that_begins_outside_of_the_window_is_masked() {
        let text = format!("{}https://me:{}@host/x, \"a\": 1", "x, ".repeat(500), "secret".repeat(60));
        let at = text.find("\"a\"").expect("there");
        let (_, drawn) = draw_at(&text, &[(at..at + 3, true)]);
        assert!(!drawn.contains("secret") && drawn.contains("****@host"), "{drawn}");
    }
}
