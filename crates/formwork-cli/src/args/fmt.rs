//! Arguments of `fmt` (reference/formatting.md).

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork_format::{Auto, CommentSpaces, LineEnding, Options, Step};

use formwork_run::console::ReportArgs;

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// Files, directories and glob patterns, or `-` for standard input [default: the working directory].
    pub(crate) template: Vec<PathBuf>,
    /// Write nothing: print the paths of the files that would change, one per line.
    #[arg(long)]
    pub(crate) check: bool,
    /// Write nothing: print what would change as a unified diff.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Pass over files that are not templates, as in a directory. For hooks, which pass every file of a commit.
    #[arg(long)]
    pub(crate) only_templates: bool,
    /// Format standard input as the file at this path: with the formwork.toml of its directory.
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Do not read formwork.toml.
    #[arg(long)]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) style: StyleArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// How files are written; `[fmt]` of formwork.toml has the same keys.
#[derive(Debug, Args)]
#[command(next_help_heading = "Style")]
pub(crate) struct StyleArgs {
    /// Indent by this many columns, 1 to 8; JSON also by `tab`. `auto` keeps what most of the file has.
    #[arg(long, value_name = "COLUMNS", default_value = "auto", value_parser = indent)]
    pub(crate) indent: Auto<Step>,
    /// Indent the dashes of a list below a key.
    #[arg(long, value_name = "WHETHER", default_value = "auto")]
    pub(crate) indent_lists: AutoArg,
    /// Put this many spaces between a dash and its item.
    #[arg(long, value_name = "COUNT", default_value = "auto", value_parser = spaces)]
    pub(crate) dash_spaces: Auto<u8>,
    /// Keep values that are aligned on purpose, or put one space after every colon.
    #[arg(long, value_name = "HOW", default_value = "align")]
    pub(crate) colon_spaces: ColonSpacesArg,
    /// Put a space inside `{ }`.
    #[arg(long, value_name = "WHETHER", default_value = "auto")]
    pub(crate) brace_spaces: AutoArg,
    /// Put a space inside `[ ]`.
    #[arg(long, value_name = "WHETHER", default_value = "auto")]
    pub(crate) bracket_spaces: AutoArg,
    /// Put this many spaces before a comment at the end of a line, 1 or 2, or `keep` those that are there.
    #[arg(long, value_name = "COUNT", default_value = "keep", value_parser = comment_spaces)]
    pub(crate) comment_spaces: CommentSpaces,
    /// Keep at most this many empty lines in a row.
    #[arg(long, value_name = "COUNT", default_value = "2")]
    pub(crate) max_empty_lines: usize,
    /// End lines like this; `auto` is the ending of the first line.
    #[arg(long, value_name = "ENDING", default_value = "auto")]
    pub(crate) line_ending: LineEndingArg,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

impl StyleArgs {
    /// What the formatter takes.
    pub(crate) fn options(&self) -> Options {
        Options {
            indent: self.indent,
            indent_lists: self.indent_lists.into(),
            dash_spaces: self.dash_spaces,
            align_values: self.colon_spaces == ColonSpacesArg::Align,
            brace_spaces: self.brace_spaces.into(),
            bracket_spaces: self.bracket_spaces.into(),
            comment_spaces: self.comment_spaces,
            max_empty_lines: self.max_empty_lines,
            line_ending: match self.line_ending {
                LineEndingArg::Auto => Auto::Auto,
                LineEndingArg::Lf => Auto::Set(LineEnding::Lf),
                LineEndingArg::Crlf => Auto::Set(LineEnding::CrLf),
            },
            ..Options::default()
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum AutoArg {
    Auto,
    True,
    False,
}

impl From<AutoArg> for Auto<bool> {
    fn from(arg: AutoArg) -> Auto<bool> {
        match arg {
            AutoArg::Auto => Auto::Auto,
            AutoArg::True => Auto::Set(true),
            AutoArg::False => Auto::Set(false),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColonSpacesArg {
    Align,
    One,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LineEndingArg {
    Auto,
    Lf,
    Crlf,
}

fn indent(text: &str) -> Result<Auto<Step>, String> {
    match text {
        "tab" => Ok(Auto::Set(Step::Tab)),
        _ => Ok(match number(text, 8).ok_or("use a number from 1 to 8, `tab` or `auto`")? {
            Auto::Auto => Auto::Auto,
            Auto::Set(count) => Auto::Set(Step::Spaces(count)),
        }),
    }
}

fn spaces(text: &str) -> Result<Auto<u8>, String> {
    Ok(number(text, 8).ok_or("use a number from 1 to 8, or `auto`")?)
}

fn comment_spaces(text: &str) -> Result<CommentSpaces, String> {
    match text {
        "keep" => Ok(CommentSpaces::Keep),
        "1" => Ok(CommentSpaces::Count(1)),
        "2" => Ok(CommentSpaces::Count(2)),
        _ => Err("use 1, 2 or `keep`".to_owned()),
    }
}

fn number(text: &str, most: u8) -> Option<Auto<u8>> {
    if text == "auto" {
        return Some(Auto::Auto);
    }
    text.parse().ok().filter(|count| (1..=most).contains(count)).map(Auto::Set)
}
