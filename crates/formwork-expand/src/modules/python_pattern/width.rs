//! How many characters a part of a pattern matches: what a lookbehind looks for has a fixed width in Python.

/// The least and the greatest number of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Width {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Width {
    /// That of nothing.
    pub(super) const NONE: Width = Width { least: 0, most: 0 };
    /// That of one character.
    pub(super) const ONE: Width = Width { least: 1, most: 1 };

    /// That of both, one after the other.
    pub(super) fn then(self, next: Width) -> Width {
        Width { least: self.least.saturating_add(next.least), most: self.most.saturating_add(next.most) }
    }

    /// That of either.
    pub(super) fn or(self, other: Width) -> Width {
        Width { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// That of a repetition.
    pub(super) fn repeated(self, least: u64, most: u64) -> Width {
        Width { least: self.least.saturating_mul(least), most: self.most.saturating_mul(most) }
    }

    /// Whether there is just one.
    pub(super) fn is_fixed(self) -> bool {
        self.least == self.most
    }
}
