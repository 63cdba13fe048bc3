//! What holds for every text.

use formwork_base::{Limits, VirtualPath};
use formwork_format::{Auto, CommentSpaces, LineEnding, Options, Refused, Step, edits, format, format_range};

/// Options that are far from each other and from the default.
pub(crate) fn all_options() -> Vec<Options> {
    let default = Options::default();
    vec![
        default,
        Options {
            indent: Auto::Set(Step::Spaces(4)),
            indent_lists: Auto::Set(false),
            dash_spaces: Auto::Set(3),
            align_values: false,
            brace_spaces: Auto::Set(true),
            bracket_spaces: Auto::Set(true),
            comment_spaces: CommentSpaces::Count(2),
            max_empty_lines: 0,
            line_ending: Auto::Set(LineEnding::CrLf),
            ..default
        },
        Options {
            indent: Auto::Set(Step::Spaces(1)),
            indent_lists: Auto::Set(true),
            dash_spaces: Auto::Set(1),
            brace_spaces: Auto::Set(false),
            bracket_spaces: Auto::Set(false),
            comment_spaces: CommentSpaces::Count(1),
            max_empty_lines: 1,
            line_ending: Auto::Set(LineEnding::Lf),
            ..default
        },
        Options { indent: Auto::Set(Step::Tab), indent_lists: Auto::Set(false), ..default },
    ]
}

/// Checks the laws for one text. Returns what it becomes with the default options; `None` when it is not well-formed.
///
/// That data, comments and visible characters are the same is what the formatter proves itself before it returns: a result
/// that is not proved is an error here.
///
/// # Errors
///
/// What does not hold.
pub(crate) fn check(name: &str, text: &str) -> Result<Option<String>, String> {
    let (path, limits) = (VirtualPath::new(name), Limits::default());
    let mut first = None;
    for (number, options) in all_options().into_iter().enumerate() {
        let after = match format(text, &path, &options, &limits) {
            Ok(after) => after,
            Err(Refused::NotWellFormed(..)) => return Ok(None),
            Err(Refused::Unproved(why)) => return Err(format!("{name}, options {number}: {why}")),
        };
        let visible = |text: &str| text.split_ascii_whitespace().collect::<String>();
        if visible(text) != visible(&after) {
            return Err(format!("{name}, options {number}: characters"));
        }
        match format(&after, &path, &options, &limits) {
            Ok(again) if again == after => {}
            Ok(again) => {
                let changes = edits(&after, &again);
                return Err(format!(
                    "{name}, options {number}: not idempotent\n{after}\n=>\n{again}\n{:?}",
                    changes.first()
                ));
            }
            Err(refused) => return Err(format!("{name}, options {number}: once more: {refused:?}\n{after}")),
        }
        let changes = edits(text, &after);
        let mut edited = text.to_owned();
        for edit in changes.iter().rev() {
            edited.replace_range(edit.range.clone(), &edit.text);
        }
        if edited != after {
            return Err(format!("{name}, options {number}: edits"));
        }
        if number == 0 {
            let middle = text.floor_char_boundary(text.len() / 2);
            format_range(text, &path, middle..middle, &options, &limits).map_err(|why| format!("{name}: {why:?}"))?;
            first = Some(after);
        }
    }
    Ok(first)
}
