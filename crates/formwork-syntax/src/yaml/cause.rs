//! What an error of YAML means for the reading behind it.

use granit_parser::ErrorKind;

/// What an error means for the lines around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The value of a key has a line with another key: one of the two is not what it should be.
    Value,
    /// A line is not a key, though one is expected there.
    Key,
    /// A line goes on with nothing that is open.
    Column,
    /// A quoted string ends too late.
    Quote,
    /// A comma is missing in brackets.
    Comma,
    /// A bracket closes nothing.
    Bracket,
    /// The template ended above.
    End,
    /// Nothing else.
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
