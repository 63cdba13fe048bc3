//! A link between two templates.

/// What is known of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// Both names are the same.
    Same,
    /// Both names may be the same, as far as they are known.
    Possible,
}

/// A link between two templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The template that imports, by its number.
    pub from: usize,
    /// The import, by its number in the template.
    pub import: usize,
    /// The template that exports, by its number.
    pub to: usize,
    /// The export, by its number in the template.
    pub export: usize,
    /// What is known of it.
    pub certainty: Certainty,
}
