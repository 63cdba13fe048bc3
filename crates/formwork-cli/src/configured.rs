//! Which configuration files had a part in what a run reports or decides (reference/configuration.md#said).
//!
//! Whoever uses a value of a file notes it here, since configuration is read in many places and also on many threads,
//! and whoever ends or begins a report prints it. Each is printed once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use formwork::SourceMap;
use formwork_report::{ConfigurationUse, Context, Notice};

use crate::args::{MessageFormatArg, ReportArgs};
use crate::project_host::shown;
use crate::terminal::{Form, say};

#[derive(Default)]
struct Noted {
    /// The keys that have an effect, by file.
    keys: BTreeMap<String, BTreeSet<String>>,
    /// Files that were not read since another user owns them.
    foreign: BTreeSet<String>,
    /// Warnings about files, each once.
    warnings: BTreeSet<String>,
    /// Notes about words of the command line.
    words: Vec<String>,
    /// Notes about files, each once.
    remarks: BTreeSet<String>,
    /// What had a part in a run, for `--verbose`: files with their sections, variables.
    inputs: BTreeSet<String>,
    /// Files with the keys that were printed.
    printed: BTreeSet<(String, String)>,
}

static NOTED: Mutex<Option<Noted>> = Mutex::new(None);

fn noted<T>(act: impl FnOnce(&mut Noted) -> T) -> T {
    let mut held: MutexGuard<'_, Option<Noted>> = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    act(held.get_or_insert_default())
}

/// Notes that a key of a file has an effect on the result.
pub(crate) fn note(file: &Path, key: &str) {
    let file = shown(file).display().to_string();
    noted(|noted| noted.keys.entry(file).or_default().insert(key.to_owned()));
}

/// Notes a file that is not read since another user owns it.
pub(crate) fn note_foreign(file: &Path) {
    noted(|noted| noted.foreign.insert(file.display().to_string()));
}

/// Notes a warning about a file, with what to do.
pub(crate) fn warn(message: String) {
    noted(|noted| noted.warnings.insert(message));
}

/// Notes something about a file that is no mistake.
pub(crate) fn remark(message: String) {
    noted(|noted| noted.remarks.insert(message));
}

/// Notes something about a word of the command line.
pub(crate) fn note_word(message: String) {
    noted(|noted| noted.words.push(message));
}

/// Notes a file, with the section that is used, or a variable that has a part in the run.
pub(crate) fn note_input(input: impl Into<String>) {
    let input = input.into();
    noted(|noted| noted.inputs.insert(input));
}

/// Notes the variables that are set.
pub(crate) fn note_variables(names: &[&str]) {
    for name in names.iter().filter(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty())) {
        note_input(format!("{name} (environment)"));
    }
}

/// Every file with its keys, in order, for reports of programs.
pub(crate) fn all() -> Vec<ConfigurationUse> {
    let entry = |(file, keys): (&String, &BTreeSet<String>)| ConfigurationUse {
        file: file.clone(),
        keys: keys.iter().cloned().collect(),
    };
    noted(|noted| noted.keys.iter().map(entry).collect())
}

/// The notes of what was not printed yet.
fn rest() -> Vec<Notice> {
    noted(|noted| {
        let mut notices = Vec::new();
        for (file, keys) in &noted.keys {
            let new = |key: &&String| noted.printed.insert((file.clone(), (*key).clone()));
            let new: Vec<&str> = keys.iter().filter(new).map(String::as_str).collect();
            if !new.is_empty() {
                notices.push(Notice::note(format!("{file} sets {}", new.join(", "))));
            }
        }
        let foreign = noted.foreign.iter().filter(|file| noted.printed.insert(((*file).clone(), String::new())));
        notices.extend(foreign.map(|file| Notice::note(format!("{file} is not read: another user owns it"))));
        let remarks = std::mem::take(&mut noted.remarks);
        notices.extend(remarks.into_iter().map(Notice::note));
        let warnings = std::mem::take(&mut noted.warnings);
        notices.extend(warnings.into_iter().map(Notice::warning));
        notices
    })
}

/// What was not printed yet as lines for people; empty with `--quiet`.
pub(crate) fn lines(args: &ReportArgs) -> String {
    let (sources, secrets) = (SourceMap::new(), []);
    let context = Context { sources: &sources, secrets: &secrets, color: false, width: None };
    let notices = rest();
    if args.quiet { String::new() } else { notices.iter().map(|notice| notice.to_short(&context)).collect() }
}

/// Prints on standard error, before anything else, the notes about words of the command line.
pub(crate) fn say_words(args: Option<&ReportArgs>) {
    let words = noted(|noted| std::mem::take(&mut noted.words));
    if args.is_none_or(|args| args.quiet || args.message_format.is_document()) {
        return;
    }
    let is_json = args.is_some_and(|args| args.message_format == MessageFormatArg::Json);
    say_all(words.into_iter().map(Notice::note), is_json);
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

/// Prints with `--verbose` what had a part in a run, at its end: names, no values.
pub(crate) fn say_inputs(args: Option<&ReportArgs>) {
    if !args.is_some_and(|args| args.verbose && !args.message_format.is_document()) {
        return;
    }
    let inputs = noted(|noted| std::mem::take(&mut noted.inputs));
    let is_json = args.is_some_and(|args| args.message_format == MessageFormatArg::Json);
    for input in inputs.iter().filter(|_| !is_json) {
        crate::terminal::say_line(&format!("input: {input}"));
    }
}

/// Prints on standard error what was not printed yet. With the format JSON each is an object.
pub(crate) fn say_rest(args: Option<&ReportArgs>) {
    let is_json = args.is_some_and(|args| args.message_format == MessageFormatArg::Json);
    let is_quiet = args.is_some_and(|args| args.quiet);
    say_all(rest().into_iter().filter(|_| !is_quiet), is_json);
}
