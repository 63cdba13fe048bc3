//! The configuration files that affected the results of a run (reference/configuration.md#said).
//!
//! Code that uses a value of a file notes it here, since configuration is read in many places and on many threads; code
//! that begins or ends a report prints the notes. Each is printed once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use formwork_report::{ConfigurationUse, Notice};

#[derive(Default)]
struct Noted {
    /// The keys that have an effect, by file.
    keys: BTreeMap<String, BTreeSet<String>>,
    /// Files that were not read because another user owns them.
    foreign: BTreeSet<String>,
    warnings: BTreeSet<String>,
    words: Vec<String>,
    remarks: BTreeSet<String>,
    /// The inputs of a run, for `--verbose`: files with their sections, and variables.
    inputs: BTreeSet<String>,
    /// The keys that were printed, each with its file.
    printed: BTreeSet<(String, String)>,
}

static NOTED: Mutex<Option<Noted>> = Mutex::new(None);

fn noted<T>(act: impl FnOnce(&mut Noted) -> T) -> T {
    let mut held: MutexGuard<'_, Option<Noted>> = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    act(held.get_or_insert_default())
}

/// Notes that a key of a file has an effect on the result.
pub fn note(file: &Path, key: &str) {
    let file = shown(file).display().to_string();
    noted(|noted| noted.keys.entry(file).or_default().insert(key.to_owned()));
}

/// Notes a file that is not read because another user owns it.
pub fn note_foreign(file: &Path) {
    noted(|noted| noted.foreign.insert(file.display().to_string()));
}

/// Notes a warning about a file, with advice.
pub fn warn(message: String) {
    noted(|noted| noted.warnings.insert(message));
}

/// Notes a remark about a file that is not a mistake.
pub fn remark(message: String) {
    noted(|noted| noted.remarks.insert(message));
}

/// Notes a remark about a word of the command line.
pub fn note_word(message: String) {
    noted(|noted| noted.words.push(message));
}

/// Takes the notes about words of the command line.
pub fn take_words() -> Vec<String> {
    noted(|noted| std::mem::take(&mut noted.words))
}

/// Notes an input of the run: a file with the section that is used, or a variable.
pub fn note_input(input: impl Into<String>) {
    let input = input.into();
    noted(|noted| noted.inputs.insert(input));
}

/// Notes the environment variables that are set.
pub fn note_variables(names: &[&str]) {
    for name in names.iter().filter(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty())) {
        note_input(format!("{name} (environment)"));
    }
}

/// Returns every file with its keys, in order, for machine-readable reports.
pub fn all() -> Vec<ConfigurationUse> {
    let entry = |(file, keys): (&String, &BTreeSet<String>)| ConfigurationUse {
        file: file.clone(),
        keys: keys.iter().cloned().collect(),
    };
    noted(|noted| noted.keys.iter().map(entry).collect())
}

/// Returns the notes that were not printed yet, and marks them as printed.
pub fn rest() -> Vec<Notice> {
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

/// Takes the inputs of a run, for `--verbose`: their names, not their values.
pub fn take_inputs() -> BTreeSet<String> {
    noted(|noted| std::mem::take(&mut noted.inputs))
}

/// Returns a path below the working directory as relative, and any other path unchanged.
pub fn shown(path: &Path) -> PathBuf {
    let Ok(here) = std::env::current_dir() else { return path.to_owned() };
    // Windows has two spellings: a canonical path begins with `\\?\`.
    let spellings = [here.canonicalize().ok(), Some(here)];
    let mut inside = spellings.iter().flatten().filter_map(|here| path.strip_prefix(here).ok());
    inside.next().unwrap_or(path).to_owned()
}
