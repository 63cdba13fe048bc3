//! Messages for errors of YAML.

use granit_parser::ErrorKind;

/// Returns the message and the help. `None` for errors so rare that the parser's own message suffices.
pub(super) fn words(kind: &ErrorKind) -> Option<(String, &'static str)> {
    let (what, help) = match kind {
        ErrorKind::UnclosedFlowCollection { open } => {
            return Some((format!("the bracket `{open}` is never closed"), "add the closing bracket"));
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return Some((
                format!("`{open}` is closed by `{close}`"),
                "close brackets in the reverse order of opening",
            ));
        }
        ErrorKind::UnexpectedCharacter { character } => {
            let what = format!("a string cannot begin with `{}`", character.escape_default());
            return Some((what, "quote the string"));
        }
        kind => of_brackets(kind).or_else(|| of_strings(kind)).or_else(|| of_lines(kind))?,
    };
    Some((what.to_owned(), help))
}

fn of_brackets(kind: &ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::UnexpectedEofFlowSequence => ("a list in brackets is never closed", "add `]`"),
        ErrorKind::UnexpectedEofFlowMapping | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            ("a mapping in braces is never closed", "add `}`")
        }
        ErrorKind::ExpectedFlowSequenceSeparator => ("`,` or `]` is expected", "separate the elements with commas"),
        ErrorKind::ExpectedFlowMappingSeparator => ("`,` or `}` is expected", "separate the keys with commas"),
        ErrorKind::MisplacedFlowCollectionEnd => {
            ("a closing bracket was never opened", "remove it, or quote the string")
        }
        ErrorKind::BlockEntryInFlowCollection => {
            ("a dash is inside brackets", "separate the elements with commas: `[a, b]`")
        }
        ErrorKind::InvalidFlowScalarIndent => {
            ("a line inside brackets is not indented enough", "close the bracket above, or indent the line")
        }
        ErrorKind::InvalidColonPlacement => {
            ("`:` is not allowed in a list in brackets", "close the bracket above, or quote the string")
        }
        ErrorKind::FlowMappingValueAdjacentCollection | ErrorKind::InvalidMappingValueWhitespace => {
            ("`:` has no space after it", "add a space after `:`")
        }
        _ => return None,
    })
}

fn of_strings(kind: &ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => (
            "an escape in quotes is not a character",
            "write the character itself, or four hexadecimal digits behind `\\u`",
        ),
        ErrorKind::CommentInterceptedScalar => {
            ("a comment is inside a multi-line string", "move the comment above the string")
        }
        ErrorKind::InvalidBlockScalarIndent => (
            "the indentation of a line in the block scalar is wrong",
            "indent all lines of the block more than its key",
        ),
        ErrorKind::UnclosedQuotedScalar => ("a quoted string has no closing quote", "add the closing quote"),
        ErrorKind::InvalidQuotedScalarIndent => {
            ("a line of the quoted string is not indented enough", "add the closing quote, or indent the line")
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar => {
            ("unexpected characters after the closing quote", "write a quote inside single quotes as `''`")
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("unexpected characters after the closing quote", "write a quote inside double quotes as `\\\"`")
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            ("a backslash does not begin a YAML escape sequence", "write `\\\\`, or use single quotes")
        }
        _ => return None,
    })
}

fn of_lines(kind: &ErrorKind) -> Option<(&'static str, &'static str)> {
    const QUOTE: &str = "quote a string that contains `: `, and write each key on its own line";
    Some(match kind {
        ErrorKind::ExpectedBlockMappingKey => {
            ("a key is expected", "indent the line like the keys above it, or deeper than the key it belongs to")
        }
        ErrorKind::ExpectedBlockSequenceEntry => {
            ("a list element is expected", "begin the line with `-`, in the column of the dashes above it")
        }
        ErrorKind::ExpectedNodeContent => ("a value is expected", "write one, or quotes for an empty string: `\"\"`"),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            ("a key has no `:` after it", "add `:`, or indent the line more if it continues the string above it")
        }
        ErrorKind::InvalidIndentation => {
            ("the indentation of the line is wrong", "indent it like the other lines of its mapping or list")
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => {
            ("a tab is used where spaces are required", "indent with spaces: YAML does not allow tabs")
        }
        ErrorKind::CommentNotSeparated => {
            ("a comment has no space before its `#`", "add a space before `#`, or quote the string")
        }
        ErrorKind::BlockSequenceEntryNotAllowed => ("a list is not allowed here", "begin the list on its own line"),
        ErrorKind::MissingAnchorOrAliasName => {
            ("`&` or `*` has no name after it", "quote a string that begins with `&` or `*`")
        }
        ErrorKind::MappingValueNotAllowed => ("`:` is not allowed here", QUOTE),
        ErrorKind::MappingKeyNotAllowed => ("a key is not allowed here", QUOTE),
        ErrorKind::ExpectedDocumentStart => (
            "the template ends in front of this",
            "indent its lines alike, write `:` after each key, and close its first bracket at its end",
        ),
        ErrorKind::UndeclaredTagHandle => ("the tag has an undeclared handle", "write functions as `!Name`"),
        _ => return None,
    })
}
