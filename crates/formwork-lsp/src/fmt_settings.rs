//! The table `[fmt]` of `formwork.toml` (reference/formatting.md).

use std::path::Path;

use formwork_format::{Auto, CommentSpaces, LineEnding, Options, Step};
use toml::{Table, Value};

use crate::configuration;
use crate::roots::Roots;

/// How files of a directory are formatted. A value that means nothing is left to the command line to report.
pub(crate) fn options(roots: &Roots, directory: &Path) -> Options {
    let mut options = Options::default();
    let text = configuration::project_file(roots, directory).unwrap_or_default();
    let Ok(table) = text.parse::<Table>() else { return options };
    let Some(table) = table.get("fmt").and_then(Value::as_table) else { return options };
    for (key, value) in table {
        set(&mut options, key, value);
    }
    options
}

fn set(options: &mut Options, key: &str, value: &Value) {
    let flag = |known: Auto<bool>| value.as_bool().map_or(known, Auto::Set);
    let count = |most: i64| value.as_integer().filter(|count| (0..=most).contains(count)).map(|count| count as u8);
    match key {
        "indent" => match (count(8).filter(|count| *count > 0), value.as_str()) {
            (Some(count), _) => options.indent = Auto::Set(Step::Spaces(count)),
            (None, Some("tab")) => options.indent = Auto::Set(Step::Tab),
            _ => {}
        },
        "indent-lists" => options.indent_lists = flag(options.indent_lists),
        "dash-spaces" => {
            options.dash_spaces = count(8).filter(|count| *count > 0).map_or(options.dash_spaces, Auto::Set);
        }
        "colon-spaces" => options.align_values = value.as_str() != Some("one"),
        "brace-spaces" => options.brace_spaces = flag(options.brace_spaces),
        "bracket-spaces" => options.bracket_spaces = flag(options.bracket_spaces),
        "comment-spaces" => {
            if let Some(count) = count(2).filter(|count| *count > 0) {
                options.comment_spaces = CommentSpaces::Count(count);
            }
        }
        "max-empty-lines" => {
            options.max_empty_lines = count(100).map_or(options.max_empty_lines, usize::from);
        }
        "line-ending" => match value.as_str() {
            Some("lf") => options.line_ending = Auto::Set(LineEnding::Lf),
            Some("crlf") => options.line_ending = Auto::Set(LineEnding::CrLf),
            _ => {}
        },
        _ => {}
    }
}
