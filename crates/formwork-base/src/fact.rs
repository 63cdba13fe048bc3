//! Facts about findings, as data (docs/decisions.md).

/// A fact of a finding. Code that decides by findings reads facts and never parses messages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The name that the finding is about: one that nothing uses, or that is not declared.
    Name(String),
    /// The name that the advice is to write or to use.
    Advises(String),
    /// An unknown function is called.
    UnknownFunction,
    /// A value is missing, and what depends on it was not checked.
    NotChecked,
    /// The part of the place that is wrong, as it is written there.
    Part(String),
    /// The condition never holds.
    NeverTrue,
    /// The reason for what is found at the same place, and around it about a name.
    Explains,
}
