//! What is reported beside a syntax error in a text of which only the structure is looked at, since it is not known which
//! of its parts are well-formed (reference/diagnostics.md#wording).

use formwork_base::{Diagnostic, IdSet, codes};
use formwork_syntax::{Document, Format, NodeId, Style};

use super::Run;

impl Run<'_> {
    /// Leaves out what the checks found, from the diagnostic with the index `first` on, in an entry of a section of
    /// which not all could be read, and duplicate keys in it.
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
        // Where brackets are missing, it is not known what is part of what.
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

    /// Where the sections begin, and where they and their entries do, each in order.
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

/// Where a text could not be read, for an error of that kind: at what began in front of it, if something did.
pub(super) fn damaged(found: &Diagnostic) -> Option<u32> {
    let begun = found.related.first().map(|label| label.span);
    [codes::NOT_WELL_FORMED, codes::TWO_TAGS].contains(&found.code).then(|| begun.unwrap_or(found.span()).start())
}
