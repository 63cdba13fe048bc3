//! Causes of YAML errors, which decide how the reading continues.

use granit_parser::ErrorKind;

/// The cause of an error, by its consequence for the lines around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The value of a key has a line with another key: one of the two is wrong.
    Value,
    /// A line where a key is expected is not a key.
    Key,
    /// A line continues none of the open collections.
    Column,
    Quote,
    Comma,
    Bracket,
    End,
    Other,
}

impl Cause {
    pub(super) fn of(kind: &ErrorKind) -> Cause {
        match kind {
            ErrorKind::MappingValueNotAllowed | ErrorKind::CommentInterceptedScalar => Cause::Value,
            ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => Cause::Key,
            ErrorKind::UnclosedQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::InvalidTrailingSingleQuotedScalar
            | ErrorKind::InvalidTrailingDoubleQuotedScalar
            | ErrorKind::UnknownQuotedScalarEscape => Cause::Quote,
            ErrorKind::ExpectedBlockMappingKey | ErrorKind::ExpectedBlockSequenceEntry => Cause::Column,
            ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => Cause::Comma,
            ErrorKind::MisplacedFlowCollectionEnd => Cause::Bracket,
            ErrorKind::ExpectedDocumentStart => Cause::End,
            _ => Cause::Other,
        }
    }
}
