//! The table `[fmt]` of `formwork.toml` (reference/formatting.md).

use std::path::Path;

use formwork_format::{Auto, CommentSpaces, LineEnding, Options, Step};
use formwork_project::{ProjectFile, Setting};

use crate::configuration::{Reader, project_file};

/// The options for formatting files of a directory. Invalid values are reported by the command line only.
pub(crate) fn options(reader: &Reader<'_>, directory: &Path) -> Options {
    project_file(reader, directory).map_or_else(Options::default, |file| of_file(&file))
}

fn of_file(file: &ProjectFile) -> Options {
    let mut options = Options::default();
    let setting = |key: &str| file.setting(&["fmt"], key);
    let word = |key: &str| setting(key).and_then(|setting| setting.words().into_iter().next());
    let flag = |key: &str, known: Auto<bool>| setting(key).and_then(Setting::flag).map_or(known, Auto::Set);
    let count = |key: &str, most: u8| word(key)?.parse::<u8>().ok().filter(|count| *count <= most);
    match (count("indent", 8).filter(|count| *count > 0), word("indent").as_deref()) {
        (Some(count), _) => options.indent = Auto::Set(Step::Spaces(count)),
        (None, Some("tab")) => options.indent = Auto::Set(Step::Tab),
        _ => {}
    }
    options.indent_lists = flag("indent-lists", options.indent_lists);
    options.dash_spaces = count("dash-spaces", 8).filter(|count| *count > 0).map_or(options.dash_spaces, Auto::Set);
    options.align_values = word("colon-spaces").as_deref() != Some("one");
    options.brace_spaces = flag("brace-spaces", options.brace_spaces);
    options.bracket_spaces = flag("bracket-spaces", options.bracket_spaces);
    if let Some(count) = count("comment-spaces", 2).filter(|count| *count > 0) {
        options.comment_spaces = CommentSpaces::Count(count);
    }
    options.max_empty_lines = count("max-empty-lines", 100).map_or(options.max_empty_lines, usize::from);
    match word("line-ending").as_deref() {
        Some("lf") => options.line_ending = Auto::Set(LineEnding::Lf),
        Some("crlf") => options.line_ending = Auto::Set(LineEnding::CrLf),
        _ => {}
    }
    options
}
