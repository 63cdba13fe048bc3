//! Diagnostics beside a syntax error in a text of which only the structure is checked, since it is not known which of
//! its parts are well-formed (reference/diagnostics.md#wording).

use std::ops::RangeInclusive;

use formwork_base::{Diagnostic, FileId, IdSet, codes};
use formwork_syntax::{Document, Format, NodeId, Style};

use super::Run;

impl Run<'_> {
    /// Leaves out the diagnostics of checks, from the index `first` on, in an entry of a section that could not be read
    /// completely, and duplicate keys in it.
    pub(super) fn leave_out_damaged(&mut self, document: Document, first: usize) {
        let base = self.sources.base(document.file);
        let file = base..=base + self.sources.text(document.file).len() as u32;
        let damage: Vec<u32> = self.diagnostics.iter().filter_map(damaged).filter(|at| file.contains(at)).collect();
        let Some(&start) = damage.iter().min() else { return };
        let (sections, entries) = self.parts(document.root);
        let part = |parts: &[u32], at: u32| parts.partition_point(|&part| part <= at);
        let parts = |parts: &[u32]| -> IdSet<usize> { damage.iter().map(|&at| part(parts, at)).collect() };
        let (damaged_sections, damaged_entries) = (parts(&sections), parts(&entries));
        let is_damaged = |at: u32| match sections.binary_search(&at) {
            Ok(section) => damaged_sections.contains(&(section + 1)),
            Err(_) => damaged_entries.contains(&part(&entries, at)),
        };
        // If brackets are missing, it is not known which part contains which.
        let in_brackets = document.format == Format::Yaml && self.tree.style(document.root) == Style::Flow;
        let is_unknown = in_brackets || self.tree.span(document.root).end() <= start;
        let mut index = 0;
        self.diagnostics.retain(|found| {
            index += 1;
            let at = found.span().start();
            let is_of_reading = index <= first && ![codes::DUPLICATE_KEY, codes::WRONG_KIND].contains(&found.code);
            is_of_reading || !file.contains(&at) || !(is_unknown || is_damaged(at))
        });
    }

    /// Finds the parts of a file that may have been misread: entries of a section with a syntax error, and everything
    /// between the construct that began before the error and the error. All of a file other than the template is
    /// unsure.
    pub(super) fn unsure(&self, document: Document, file: FileId) -> Unsure {
        let base = self.sources.base(file);
        let range = base..=base + self.sources.text(file).len() as u32;
        let errors = self.diagnostics.iter().filter_map(|found| Some((damaged(found)?, found.span().start())));
        let errors = errors.filter(|(_, at)| range.contains(at));
        let places: Vec<(u32, u32)> = errors.map(|(begun, at)| (begun.min(at), begun.max(at))).collect();
        let is_own = file == document.file;
        let Some(start) = places.iter().map(|&(start, _)| start).min() else {
            return Unsure::Entries(Vec::new(), Vec::new());
        };
        let is_flow = document.format == Format::Yaml && self.tree.style(document.root) == Style::Flow;
        if !is_own || is_flow || self.tree.span(document.root).end() <= start {
            return Unsure::All;
        }
        let (_, entries) = self.parts(document.root);
        let part = |at: u32| entries.partition_point(|&part| part <= at);
        let damaged = places.into_iter().map(|(start, end)| part(start)..=part(end)).collect();
        Unsure::Entries(entries, damaged)
    }

    /// The starts of the sections, and of the sections and their entries, each in order.
    fn parts(&self, root: NodeId) -> (Vec<u32>, Vec<u32>) {
        let starts = |mapping: NodeId| self.tree.entries(mapping).map(|entry| self.tree.span(entry.key).start());
        let mut sections: Vec<u32> = starts(root).collect();
        let mut entries = sections.clone();
        entries.extend(self.tree.entries(root).flat_map(|section| starts(section.value)));
        sections.sort_unstable();
        entries.sort_unstable();
        (sections, entries)
    }
}

/// The parts of a file that may have been misread.
pub(super) enum Unsure {
    All,
    /// Starts of sections and their entries, and the indexes of those with an error.
    Entries(Vec<u32>, Vec<RangeInclusive<usize>>),
}

impl Unsure {
    pub(super) fn is_at(&self, at: u32) -> bool {
        match self {
            Unsure::All => true,
            Unsure::Entries(entries, damaged) => {
                let part = entries.partition_point(|&part| part <= at);
                damaged.iter().any(|parts| parts.contains(&part))
            }
        }
    }
}

/// The place of a syntax error: the start of the construct around it, if any.
pub(super) fn damaged(found: &Diagnostic) -> Option<u32> {
    let begun = found.related.first().map(|label| label.span);
    [codes::NOT_WELL_FORMED, codes::TWO_TAGS].contains(&found.code).then(|| begun.unwrap_or(found.span()).start())
}
