//! Meanings of names in a file.

use formwork_syntax::Symbol;

pub(super) enum NameKind {
    /// A pseudo parameter, which is kept.
    Pseudo,
    Parameter(Symbol),
    /// A resource of the file that is not copied, or an attribute of it.
    Resource {
        name: Box<str>,
        attribute: Option<Box<str>>,
    },
    /// Anything else, by the whole reference, which is looked up for each instance.
    Other(Symbol),
}
