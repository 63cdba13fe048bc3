//! Prints the configuration files that affected the results of a run (reference/configuration.md#said), each once: the
//! code that begins or ends a report prints the entries of [`notes`].

use formwork::SourceMap;
use formwork_project::notes;
use formwork_report::{Context, MessageFormat, Notice};

use crate::console::ReportArgs;
use crate::terminal::{Form, say};

pub use formwork_project::notes::{all, note_input, note_variables};

/// Returns the notes that were not printed yet, as lines for people; empty with `--quiet`.
pub fn lines(args: &ReportArgs) -> String {
    let (sources, secrets) = (SourceMap::new(), []);
    let context = Context { sources: &sources, secrets: &secrets, color: false, width: None };
    let notices = notes::rest();
    if args.quiet { String::new() } else { notices.iter().map(|notice| notice.to_short(&context)).collect() }
}

/// Prints the notes about words of the command line on standard error. Call it before anything else is printed.
pub fn say_words(args: Option<&ReportArgs>) {
    let words = notes::take_words();
    if args.is_none_or(|args| args.quiet || args.message_format.is_document()) {
        return;
    }
    let is_json = args.is_some_and(|args| args.message_format == MessageFormat::Json);
    say_all(words.into_iter().map(Notice::note), is_json);
}

/// Prints warnings without a place in a template on standard error: as JSON objects with the format JSON, not at all
/// with `--quiet`.
pub fn say_warnings(args: &ReportArgs, warnings: impl IntoIterator<Item = String>) {
    let is_json = args.message_format == MessageFormat::Json;
    say_all(warnings.into_iter().filter(|_| !args.quiet).map(Notice::warning), is_json);
}

fn say_all(notices: impl Iterator<Item = Notice>, is_json: bool) {
    let (sources, secrets) = (SourceMap::new(), []);
    let context = Context { sources: &sources, secrets: &secrets, color: false, width: None };
    for notice in notices {
        if is_json {
            say(&notice.to_json(&context), Form::Json);
        } else {
            say(&notice.to_short(&context), Form::Plain);
        }
    }
}

/// Prints the inputs of a run at its end if `--verbose` is set: their names, not their values.
pub fn say_inputs(args: Option<&ReportArgs>) {
    if !args.is_some_and(|args| args.verbose && !args.message_format.is_document()) {
        return;
    }
    let inputs = notes::take_inputs();
    let is_json = args.is_some_and(|args| args.message_format == MessageFormat::Json);
    for input in inputs.iter().filter(|_| !is_json) {
        crate::terminal::say_line(&format!("input: {input}"));
    }
}

/// Prints the notes that were not printed yet on standard error, as JSON objects with the format JSON.
pub fn say_rest(args: Option<&ReportArgs>) {
    let is_json = args.is_some_and(|args| args.message_format == MessageFormat::Json);
    let is_quiet = args.is_some_and(|args| args.quiet);
    say_all(notes::rest().into_iter().filter(|_| !is_quiet), is_json);
}
