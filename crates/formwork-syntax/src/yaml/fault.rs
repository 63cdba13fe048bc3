//! Faults of YAML in plain words.

use granit_parser::ErrorKind;

/// What is wrong, and what to do. `None` for faults so rare that the parser's own words do.
pub(super) fn words(kind: &ErrorKind) -> Option<(String, &'static str)> {
    const QUOTE: &str = "put text that holds `: ` in quotes, and each key on a line of its own";
    const BLANKS: &str = "indent with blanks: YAML takes no tabs";
    let (what, help) = match kind {
        ErrorKind::UnclosedFlowCollection { open } => {
            return Some((format!("the bracket `{open}` is never closed"), "add the closing bracket"));
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return Some((
                format!("`{open}` is closed by `{close}`"),
                "close the brackets in the order in which they open",
            ));
        }
        ErrorKind::UnexpectedCharacter { character } => {
            let what = format!("no text begins with `{}`", character.escape_default());
            return Some((what, "put the text in quotes"));
        }
        ErrorKind::UnexpectedEofFlowSequence => ("a list in brackets is never closed", "add `]`"),
        ErrorKind::UnexpectedEofFlowMapping | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            ("a mapping in braces is never closed", "add `}`")
        }
        ErrorKind::ExpectedFlowSequenceSeparator => ("`,` or `]` is expected", "separate items by commas"),
        ErrorKind::ExpectedFlowMappingSeparator => ("`,` or `}` is expected", "separate members by commas"),
        ErrorKind::ExpectedBlockMappingKey => {
            ("a key is expected", "indent the line like the keys above it, or deeper than the key it belongs to")
        }
        ErrorKind::ExpectedBlockSequenceEntry => {
            ("a list item is expected", "begin the line with `-`, in the column of the dashes above it")
        }
        ErrorKind::ExpectedNodeContent => ("a value is expected", "write one, or quotes for an empty text: `\"\"`"),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            ("a key has no `:` behind it", "add `:`, or indent the line deeper when it goes on with the text above it")
        }
        ErrorKind::InvalidIndentation => ("the line is indented wrongly", "indent it like the line that it belongs to"),
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => ("a tab stands where blanks are needed", BLANKS),
        ErrorKind::CommentNotSeparated => {
            ("a comment has no blank before its `#`", "write a blank before `#`, or put the text in quotes")
        }
        ErrorKind::CommentInterceptedScalar => {
            ("a comment stands inside a text of several lines", "move the comment above the text")
        }
        ErrorKind::MisplacedFlowCollectionEnd => {
            ("a closing bracket was never opened", "remove it, or put the text in quotes")
        }
        ErrorKind::BlockEntryInFlowCollection => {
            ("a dash stands inside brackets", "separate the items by commas: `[a, b]`")
        }
        ErrorKind::BlockSequenceEntryNotAllowed => ("a list cannot begin here", "begin the list on a line of its own"),
        ErrorKind::InvalidBlockScalarIndent => {
            ("a line of the text block is indented wrongly", "indent all lines of the block deeper than its key")
        }
        ErrorKind::UnclosedQuotedScalar => ("the text in quotes has no end", "add the closing quote"),
        ErrorKind::InvalidQuotedScalarIndent => (
            "the text in quotes goes on in a line that is indented too little",
            "add the closing quote, or indent the line",
        ),
        ErrorKind::InvalidTrailingSingleQuotedScalar => {
            ("something stands behind the closing quote", "write a quote inside single quotes twice: `''`")
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("something stands behind the closing quote", "write a quote inside double quotes as `\\\"`")
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            ("a backslash begins no escape that YAML knows", "write `\\\\`, or use single quotes")
        }
        ErrorKind::InvalidFlowScalarIndent => {
            ("a line inside brackets is indented too little", "close the bracket above, or indent the line")
        }
        ErrorKind::MissingAnchorOrAliasName => {
            ("`&` or `*` stands without a name", "put text that begins with `&` or `*` in quotes")
        }
        ErrorKind::MappingValueNotAllowed => ("`:` cannot stand here", QUOTE),
        ErrorKind::InvalidColonPlacement => {
            ("`:` cannot stand in a list in brackets", "close the bracket above, or put the text in quotes")
        }
        ErrorKind::MappingKeyNotAllowed => ("a key cannot stand here", QUOTE),
        ErrorKind::FlowMappingValueAdjacentCollection | ErrorKind::InvalidMappingValueWhitespace => {
            ("`:` has no blank behind it", "write a blank behind `:`")
        }
        ErrorKind::UndeclaredTagHandle => ("the tag has a handle that is not declared", "write functions as `!Name`"),
        _ => return None,
    };
    Some((what.to_owned(), help))
}
