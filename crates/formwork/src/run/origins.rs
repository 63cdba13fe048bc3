//! Places of a generated template, such as one of a build: the authored places are shown.

use formwork_base::{ColumnUnit, FileId, LineColumn, Span, VirtualPath};
use formwork_syntax::Role;

use super::Run;

impl Run<'_> {
    /// Replaces places in the template by authored ones, if the host knows them.
    pub(super) fn redirect(&mut self, file: FileId, path: &VirtualPath) {
        let Some(origins) = self.files.origins(path) else { return };
        let authored: Vec<Option<Span>> = origins
            .files
            .iter()
            .enumerate()
            .map(|(number, authored)| {
                let name = authored.path(number);
                let name = (&name, authored.display.as_str(), Role::Side);
                let loaded = self.files.load(&mut self.sources, name, &authored.bytes)?;
                Some(self.sources.span(loaded.file))
            })
            .collect();
        let (text, base) = (self.sources.text(file), self.sources.base(file));
        let lines = self.sources.lines_up_to(file, text.len() as u32);
        let mut rows: Vec<(u32, Span)> = origins
            .rows
            .iter()
            .filter_map(|row| {
                let whole = (*authored.get(row.file as usize)?)?;
                let (start, end) = (whole.start().checked_add(row.start)?, whole.start().checked_add(row.end)?);
                let is_inside = start <= end && end <= whole.end();
                let position = LineColumn { line: row.line, column: row.column };
                let at = base + lines.offset(text, position, ColumnUnit::Scalar);
                is_inside.then(|| (at, Span::new(start, end)))
            })
            .collect();
        rows.sort_by_key(|(at, _)| *at);
        // The place of an object is that of its first key, which is more precise.
        rows.reverse();
        rows.dedup_by_key(|(at, _)| *at);
        rows.reverse();
        if !rows.is_empty() {
            self.sources.redirect(file, rows);
        }
    }
}
