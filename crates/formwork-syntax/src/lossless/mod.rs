//! Any text as tokens and as the lists and mappings that they are in, whatever is wrong with it.
//!
//! Every byte belongs to one token: what is written, or the white space in front of it; the last token is the end of
//! the text. Indentation decides what a line belongs to. A string or bracket that is not closed ends where a line
//! further left begins with a key. Nothing is reported and no value is computed: that is up to the readers. JSON is
//! read as what it is in YAML, a collection in braces.

mod reader;
mod scalars;
mod structure;

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// The `-` of an item.
    Dash,
    /// The `?` of a key.
    Question,
    /// The `:` behind a key.
    Colon,
    /// `,` in brackets.
    Comma,
    /// `{` or `[`, and whether it is the former.
    Open(bool),
    /// `}` or `]`, and whether it is the former.
    Close(bool),
    /// A tag.
    Tag,
    /// An anchor.
    Anchor,
    /// An alias.
    Alias,
    /// A plain scalar.
    Plain,
    /// A scalar in quotes.
    Quoted,
    /// A block scalar: header and lines.
    Block,
    /// A comment.
    Comment,
    /// A line that begins with `%`.
    Directive,
    /// `---`.
    Start,
    /// `...`.
    End,
    /// A character that is not allowed at its place.
    Error,
    /// The end of the text.
    Eof,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The start of the white space in front of it.
    pub gap: usize,
    /// The range of its bytes.
    pub range: Range<usize>,
    /// The line of its first character.
    pub line: usize,
    /// The line of its last character.
    pub last_line: usize,
    /// The column of its first character, from 0, in characters.
    pub column: usize,
    /// Set for the first token of a line.
    pub is_first: bool,
    /// For a block scalar with text, the column at which its lines begin.
    pub content: Option<usize>,
    /// The innermost entry that it is in. Dashes, commas and opening brackets begin one.
    pub entry: Option<usize>,
}

/// A list or mapping.
#[derive(Clone, Debug)]
pub struct Node {
    /// Set for a mapping.
    pub is_map: bool,
    /// The column of its dashes or keys; of its bracket, if it has one.
    pub column: usize,
    /// The entry that it is in.
    pub parent: Option<usize>,
    /// The number of its first token.
    pub first: usize,
    /// The number of the outermost opening bracket around its entries.
    pub bracket: Option<usize>,
    /// The innermost node around its entries that has no brackets, which may be itself.
    pub block: Option<usize>,
}

/// An item of a list, or a key of a mapping with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The node that it is in.
    pub node: usize,
    /// The number of entries of the node in front of it.
    pub number: usize,
    /// The number of its first token.
    pub first: usize,
    /// The number of the colon behind its key.
    pub colon: Option<usize>,
}

/// A text as tokens, and what they are in.
#[derive(Debug, Default)]
pub struct Syntax {
    /// In order.
    pub tokens: Vec<Token>,
    /// In the order in which they begin.
    pub nodes: Vec<Node>,
    /// In the order in which they begin.
    pub entries: Vec<Entry>,
}

impl Syntax {
    /// Reads any text.
    pub fn of(text: &str) -> Syntax {
        structure::read(text)
    }

    /// The innermost entry that a token is in.
    pub fn entry(&self, token: &Token) -> Option<&Entry> {
        self.entries.get(token.entry?)
    }

    /// The innermost node that a token is in.
    pub fn node(&self, token: &Token) -> Option<&Node> {
        self.nodes.get(self.entry(token)?.node)
    }
}
