//! Numbers and names of groups.

use rustc_hash::FxHashMap;

use super::width::Width;

/// The groups of a pattern that were opened so far.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Not known while a group is open.
    widths: Vec<Option<Width>>,
    by_name: FxHashMap<String, usize>,
}

impl Groups {
    /// Opens the next group and returns its number.
    pub(super) fn open(&mut self, name: Option<String>) -> usize {
        self.widths.push(None);
        let number = self.widths.len();
        self.by_name.extend(name.map(|name| (name, number)));
        number
    }

    pub(super) fn close(&mut self, number: usize, width: Width) {
        self.widths[number - 1] = Some(width);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.widths.len()
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The width of a group that was closed.
    pub(super) fn width(&self, number: usize) -> Option<Width> {
        *self.widths.get(number.checked_sub(1)?)?
    }
}

/// Whether Python takes a text for a name; not known for letters beyond ASCII.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
