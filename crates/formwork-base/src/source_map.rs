//! All files of a run in one position space.

use std::sync::Arc;

use crate::origins::Redirect;
use crate::{FileRange, FileText, LineIndex, SourceText, Span, VirtualPath};

/// A file of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(u32);

/// A file at its place in the position space of a run.
#[derive(Clone, Debug)]
struct SourceFile {
    path: VirtualPath,
    display: Box<str>,
    text: Arc<SourceText>,
    base: u32,
    is_hidden: bool,
}

impl SourceFile {
    /// Returns the first free position after the file.
    fn next_base(&self) -> u32 {
        self.base + self.text.len() + 1
    }
}

/// A place for people. Lines and columns start at 1; columns count Unicode scalar values; the end is one past the last
/// character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column of the end.
    pub end_column: u32,
}

/// The files of a run in the order in which they were loaded. Each has its range in a 32-bit position space, so that a
/// span identifies its file by itself. Files are only ever added, so that a span of a map is valid in every copy of it.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Arc<SourceFile>>,
    /// The prefix of the path of a template's file when it is shown.
    prefix: String,
    /// Files whose authored places are shown instead.
    redirects: Vec<Redirect>,
}

impl SourceMap {
    /// Position of the first byte of the first file.
    pub const FIRST_BASE: u32 = 1;

    /// Returns an empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Sets the directory that is shown before the paths of the files added from now on, such as the one that the user
    /// typed before the name of the template.
    pub fn set_prefix(&mut self, prefix: &str) {
        prefix.clone_into(&mut self.prefix);
    }

    /// Returns the path of a template's file for reports.
    pub fn shown(&self, path: &VirtualPath) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Adds a file and returns its id, or `None` when the position space (4 GiB) is full.
    pub fn add(&mut self, path: VirtualPath, text: impl Into<FileText>) -> Option<FileId> {
        let display = self.shown(&path);
        self.insert(path, &display, Arc::new(SourceText::new(text)))
    }

    /// Adds a file whose text may be shared. `display` is the path in reports. Returns `None` when the position space
    /// is full.
    pub fn insert(&mut self, path: VirtualPath, display: &str, text: Arc<SourceText>) -> Option<FileId> {
        let base = self.files.last().map_or(Self::FIRST_BASE, |last| last.next_base());
        u32::try_from(text.text().len()).ok().and_then(|len| base.checked_add(len)?.checked_add(1))?;
        let number = self.files.len() as u32;
        self.files.push(Arc::new(SourceFile { path, display: display.into(), text, base, is_hidden: false }));
        Some(FileId(number))
    }

    /// Keeps the text of a file out of every report: it may be a secret, and need not be what it claims to be. Its
    /// lines and columns are shown.
    pub fn hide(&mut self, file: FileId) {
        Arc::make_mut(&mut self.files[file.0 as usize]).is_hidden = true;
    }

    /// Returns `true` when no report may quote a file.
    pub fn is_hidden(&self, file: FileId) -> bool {
        self.get(file).is_hidden
    }

    /// Shows authored places instead of those of a generated file. `rows` has the start of each place and the authored
    /// one, in the order of the file.
    pub fn redirect(&mut self, file: FileId, rows: Vec<(u32, Span)>) {
        let redirect = Redirect { whole: self.span(file), rows: rows.into() };
        self.redirects.push(redirect);
    }

    /// Returns `true` when at least one file shows authored places instead of its own.
    pub fn has_redirects(&self) -> bool {
        !self.redirects.is_empty()
    }

    /// Returns the place that is shown for a span. For a generated file this is the authored text, from the part that
    /// begins at or before the span to the last one that begins in it.
    pub fn authored(&self, span: Span) -> Span {
        if span.is_none() {
            return span;
        }
        let Some(redirect) = self.redirects.iter().find(|redirect| redirect.whole.contains(span)) else { return span };
        let rows = &redirect.rows;
        let Some(at) = rows.partition_point(|(start, _)| *start <= span.start()).checked_sub(1) else {
            return rows.first().map_or(span, |(_, authored)| *authored);
        };
        let (start, first) = rows[at];
        let end = rows.partition_point(|(start, _)| *start < span.end()).max(at + 1);
        if end == at + 1 && span.start() > start {
            return self.inside(span, start, first).unwrap_or(first);
        }
        let file = self.file_of(first);
        let own =
            rows[at..end].iter().map(|(_, authored)| *authored).filter(|authored| self.file_of(*authored) == file);
        let last = own.map(Span::end).max().unwrap_or(first.end());
        Span::new(first.start(), last.max(first.end()))
    }

    /// Returns the part of an authored place with the same text as a part of a place that begins at `start`.
    fn inside(&self, span: Span, start: u32, authored: Span) -> Option<Span> {
        let from = authored.start() + (span.start() - start);
        let part = Span::new(from, from.checked_add(span.len())?);
        (authored.contains(part) && self.slice(part) == self.slice(span)).then_some(part)
    }

    fn get(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// Returns the path of a file.
    pub fn path(&self, file: FileId) -> &VirtualPath {
        &self.get(file).path
    }

    /// Returns the path of a file for reports.
    pub fn display(&self, file: FileId) -> &str {
        &self.get(file).display
    }

    /// Returns the text of a file.
    pub fn text(&self, file: FileId) -> &FileText {
        self.get(file).text.text()
    }

    /// Returns the position of a file's first byte.
    pub fn base(&self, file: FileId) -> u32 {
        self.get(file).base
    }

    /// Returns the span of the whole file.
    pub fn span(&self, file: FileId) -> Span {
        let file = self.get(file);
        Span::new(file.base, file.base + file.text.len())
    }

    /// Returns an index of a file's lines, at least up to `offset` ([`SourceText::lines_up_to`]).
    pub fn lines_up_to(&self, file: FileId, offset: u32) -> &LineIndex {
        self.get(file).text.lines_up_to(offset)
    }

    /// Returns the byte offsets of [`SourceText::MARK`] in a file.
    pub fn marks(&self, file: FileId) -> &[usize] {
        self.get(file).text.marks()
    }

    /// Returns all files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// Returns the file of a span; `None` for [`Span::NONE`].
    pub fn file_of(&self, span: Span) -> Option<FileId> {
        if span.is_none() {
            return None;
        }
        let next = self.files.partition_point(|file| file.base <= span.start());
        next.checked_sub(1).map(|at| FileId(at as u32))
    }

    /// Returns the file at a path, the last one added if several have it.
    pub fn find(&self, path: &VirtualPath) -> Option<FileId> {
        self.files.iter().rposition(|file| file.path == *path).map(|at| FileId(at as u32))
    }

    /// Converts a span to a range of its file; `None` for [`Span::NONE`].
    pub fn file_range(&self, span: Span) -> Option<FileRange> {
        let file = self.get(self.file_of(span)?);
        Some(FileRange::new(file.path.clone(), span.start() - file.base, span.end() - file.base))
    }

    /// Returns the text of a span, from one file; empty for [`Span::NONE`].
    pub fn slice(&self, span: Span) -> &str {
        let Some(id) = self.file_of(span) else { return "" };
        let file = self.get(id);
        let (start, end) = ((span.start() - file.base) as usize, (span.end() - file.base) as usize);
        file.text.text().get(start..end).unwrap_or("")
    }

    /// Returns file, lines and columns of the place that is [shown](SourceMap::authored) for a span; `None` for
    /// [`Span::NONE`].
    pub fn place(&self, span: Span) -> Option<Place> {
        let span = self.authored(span);
        let id = self.file_of(span)?;
        let file = self.get(id);
        let (start, end) = (span.start() - file.base, span.end() - file.base);
        let (lines, text) = (file.text.lines_up_to(end), file.text.text());
        let (line, column) = lines.line_column(text, start);
        let (end_line, end_column) = lines.line_column(text, end);
        Some(Place { file: id, line, column, end_line, end_column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_be_in_a_map_more_than_once() {
        let text = Arc::new(SourceText::new("one"));
        let mut map = SourceMap::new();
        let ids = ["a", "b"].map(|path| map.insert(VirtualPath::new(path), path, Arc::clone(&text)).expect("room"));
        let copy = map.clone();
        for (id, base) in ids.into_iter().zip([1, 5]) {
            assert_eq!((map.base(id), map.file_of(map.span(id)), map.slice(map.span(id))), (base, Some(id), "one"));
            assert_eq!(copy.span(id), map.span(id));
        }
    }

    #[test]
    fn a_span_names_its_file() {
        let mut map = SourceMap::new();
        let a = map.add(VirtualPath::new("a"), "one\ntwo").expect("room");
        let b = map.add(VirtualPath::new("b"), "").expect("room");
        let c = map.add(VirtualPath::new("c"), "three").expect("room");
        for file in [a, b, c] {
            assert_eq!(map.file_of(map.span(file)), Some(file));
            assert_eq!(map.slice(map.span(file)), &**map.text(file));
        }
        assert_eq!(map.file_of(Span::NONE), None);
        let two = Span::new(map.base(a) + 4, map.base(a) + 7);
        let place = map.place(two).expect("in a file");
        assert_eq!((place.file, place.line, place.column, place.end_column), (a, 2, 1, 4));
    }

    #[test]
    fn authored_places_are_shown_instead_of_generated_ones() {
        let mut map = SourceMap::new();
        let built = map.add(VirtualPath::new("built"), "a: new/x\nb: two\n").expect("room");
        let own = map.add(VirtualPath::new("own"), "# note\na: old/x\n\nb: two\n").expect("room");
        let (from, to) = (map.base(built), map.base(own));
        let span = |base: u32, start: u32, end: u32| Span::new(base + start, base + end);
        let row = |at: u32, start: u32, end: u32| (from + at, span(to, start, end));
        map.redirect(built, vec![row(0, 7, 8), row(3, 10, 15), row(9, 17, 18), row(12, 20, 23)]);
        let line = |span: Span| map.place(span).map(|place| (place.file, place.line, place.column, place.end_column));
        assert_eq!(line(span(from, 9, 10)), Some((own, 4, 1, 2)));
        assert_eq!(map.slice(map.authored(span(from, 3, 8))), "old/x", "what was rewritten");
        assert_eq!(map.slice(map.authored(span(from, 13, 15))), "wo", "a part of what was not");
        assert_eq!(map.slice(map.authored(span(from, 3, 5))), "old/x", "a part of what was rewritten");
        assert_eq!(map.slice(map.authored(span(from, 7, 8))), "x", "a part that is the same in what was rewritten");
        assert_eq!(map.slice(map.authored(span(from, 0, 8))), "a: old/x", "several places");
        assert_eq!(map.authored(span(to, 0, 1)), span(to, 0, 1), "another file");
        assert_eq!(map.authored(Span::NONE), Span::NONE);
        assert!(map.has_redirects() && !SourceMap::new().has_redirects());
    }

    #[test]
    fn ranges_of_a_file_do_not_move_with_other_files() {
        let range = |first: &str| {
            let mut map = SourceMap::new();
            map.add(VirtualPath::new("first"), first).expect("room");
            let file = map.add(VirtualPath::new("second"), "one two").expect("room");
            let span = Span::new(map.base(file) + 4, map.base(file) + 7);
            map.file_range(span).expect("in a file")
        };
        assert_eq!(range("short"), range("a much longer text"));
        assert_eq!(range("").to_string(), "second:4..7");
        assert_eq!(SourceMap::new().file_range(Span::NONE), None);
    }
}
