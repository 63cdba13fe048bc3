//! What a name in a file means.

use formwork_syntax::Symbol;

/// What a name in a file means.
pub(super) enum NameKind {
    /// A pseudo parameter, which stays as it is written.
    Pseudo,
    /// A parameter of the file.
    Parameter(Symbol),
    /// A resource of the file that is not copied, or an attribute of it.
    Resource { name: Box<str>, attribute: Option<Box<str>> },
    /// Anything else, by the whole reference: it is looked up for each instance.
    Other(Symbol),
}
