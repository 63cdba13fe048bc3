//! Tokens of YAML.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The `-` of an item.
    Dash,
    /// The `?` of a key.
    Question,
    /// The `:` behind a key.
    Colon,
    Comma,
    /// `{` or `[`, and whether it is the former.
    Open(bool),
    /// `}` or `]`, and whether it is the former.
    Close(bool),
    Tag,
    Anchor,
    Alias,
    /// A plain scalar.
    Plain,
    /// A scalar in quotes.
    Quoted,
    /// A block scalar: header and lines.
    Block,
    Comment,
    /// A line that begins with `%`.
    Directive,
    /// `---`.
    Start,
    /// `...`.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
    /// The line of its first character, and of its last one.
    pub(crate) line: usize,
    pub(crate) last_line: usize,
    /// The column of its first character, from 0, in characters.
    pub(crate) column: usize,
    /// Whether it is the first one of its line.
    pub(crate) is_first: bool,
    /// For a block scalar or the last token of a file, whether its value ends with a line break.
    pub(crate) ends_with_break: bool,
    /// For a block scalar with text, the column at which its lines begin.
    pub(crate) content: Option<usize>,
}
