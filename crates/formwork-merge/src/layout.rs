//! Habits of authors: empty lines between entries and between sections.

use formwork_base::FileId;
use rustc_hash::FxHashMap;

use crate::units::Units;

/// The numbers of gaps with empty lines, and of all gaps.
type Gaps = (usize, usize);

/// The empty lines of each file.
pub(crate) struct Spacing {
    members: FxHashMap<FileId, Gaps>,
    sections: FxHashMap<FileId, Gaps>,
}

impl Spacing {
    pub(crate) fn of(units: &Units<'_>) -> Spacing {
        let mut spacing = Spacing { members: FxHashMap::default(), sections: FxHashMap::default() };
        for (number, part) in units.parts().filter(|(_, part)| part.is_block) {
            let gaps = units.gaps(number);
            let known = if part.is_root() { &mut spacing.sections } else { &mut spacing.members };
            let sum = known.entry(part.file).or_default();
            *sum = (sum.0 + gaps.0, sum.1 + gaps.1);
        }
        spacing
    }

    /// Returns `true` if an empty line separates entries of two files: both have such lines. A file with one entry is
    /// like the other one.
    pub(crate) fn of_members(&self, one: FileId, other: FileId) -> bool {
        both(is_spaced(&self.members, one), is_spaced(&self.members, other))
    }

    /// Returns `true` if an empty line separates sections of two files.
    pub(crate) fn of_sections(&self, one: FileId, other: FileId) -> bool {
        both(is_spaced(&self.sections, one), is_spaced(&self.sections, other))
    }
}

fn is_spaced(gaps: &FxHashMap<FileId, Gaps>, file: FileId) -> Option<bool> {
    gaps.get(&file).filter(|(_, all)| *all > 0).map(|(empty, all)| empty * 2 >= *all)
}

fn both(one: Option<bool>, other: Option<bool>) -> bool {
    match (one, other) {
        (None, None) => false,
        (one, other) => one.unwrap_or(true) && other.unwrap_or(true),
    }
}
