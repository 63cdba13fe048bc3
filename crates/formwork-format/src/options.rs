//! The options: the table `[fmt]` of formwork.toml.

/// A setting that follows the majority of the file by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Auto<T> {
    /// The file's own majority; in a tie, the first value.
    #[default]
    Auto,
    /// This value.
    Set(T),
}

impl<T> Auto<T> {
    /// Returns the set value, else that of `majority`, else `otherwise`.
    pub(crate) fn or_majority(self, majority: impl FnOnce() -> Option<T>, otherwise: T) -> T {
        match self {
            Auto::Set(value) => value,
            Auto::Auto => majority().unwrap_or(otherwise),
        }
    }
}

/// A step of indentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// This many spaces, 1 to 8.
    Spaces(u8),
    /// A tab. JSON only: YAML takes the majority of its file instead.
    Tab,
}

/// The spaces before a comment at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CommentSpaces {
    /// The number as written, at least one.
    #[default]
    Keep,
    /// This number of spaces.
    Count(u8),
}

/// A line ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnding {
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
}

impl LineEnding {
    pub(crate) fn text(self) -> &'static str {
        match self {
            LineEnding::Lf => "\n",
            LineEnding::CrLf => "\r\n",
        }
    }
}

/// The options of the formatter. The default keeps the style of each file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Columns from a key to the entries of a block mapping below it; in JSON from a bracket's line to the entries.
    pub indent: Auto<Step>,
    /// The step of a file without any nesting (`indent` is `Auto` then). An editor passes its own.
    pub default_indent: Step,
    /// Set if the dashes of a list below a key are one step to the right of it.
    pub indent_lists: Auto<bool>,
    /// Spaces between a dash and its item.
    pub dash_spaces: Auto<u8>,
    /// Set if values of adjacent entries that begin in one column stay there; otherwise one space is after each colon.
    pub align_values: bool,
    /// Set if a space is inside `{ }`.
    pub brace_spaces: Auto<bool>,
    /// Set if a space is inside `[ ]`.
    pub bracket_spaces: Auto<bool>,
    /// Spaces before a comment at the end of a line.
    pub comment_spaces: CommentSpaces,
    /// Maximum number of consecutive empty lines.
    pub max_empty_lines: usize,
    /// The line ending; `Auto` is the ending of the first line.
    pub line_ending: Auto<LineEnding>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            indent: Auto::Auto,
            default_indent: Step::Spaces(2),
            indent_lists: Auto::Auto,
            dash_spaces: Auto::Auto,
            align_values: true,
            brace_spaces: Auto::Auto,
            bracket_spaces: Auto::Auto,
            comment_spaces: CommentSpaces::Keep,
            max_empty_lines: 2,
            line_ending: Auto::Auto,
        }
    }
}
