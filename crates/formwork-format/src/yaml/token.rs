//! Tokens of YAML.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Dash,
    Question,
    Colon,
    Comma,
    /// `{` or `[`; `true` for the brace.
    Open(bool),
    /// `}` or `]`; `true` for the brace.
    Close(bool),
    Tag,
    Anchor,
    Alias,
    Plain,
    Quoted,
    /// A block scalar: header and lines.
    Block,
    Comment,
    /// A line that begins with `%`.
    Directive,
    Start,
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
    /// The line of its first character, and of its last one.
    pub(crate) line: usize,
    pub(crate) last_line: usize,
    /// The column of its first character, from 0, in characters.
    pub(crate) column: usize,
    pub(crate) is_first: bool,
    /// For a block scalar or the last token of a file, set if its value ends with a line break.
    pub(crate) ends_with_break: bool,
    /// For a block scalar with content, the column at which its lines begin.
    pub(crate) content: Option<usize>,
}
