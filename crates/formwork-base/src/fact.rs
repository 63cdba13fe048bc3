//! What a finding is about, as data (docs/decisions.md).

/// A fact of a finding. Whoever decides by findings asks these: no code looks into their words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The name that it is about: one that nothing uses, or that is not declared.
    Name(String),
    /// The name that its advice is to write or to use.
    Advises(String),
    /// A function that is not known is called.
    UnknownFunction,
    /// A value is missing, and what depends on it was not looked at.
    NotChecked,
    /// The condition never holds.
    NeverTrue,
}
