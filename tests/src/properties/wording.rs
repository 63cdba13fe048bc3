//! How messages are worded (reference/diagnostics.md#wording): one clause of at most 100 characters, without the sentence
//! of CloudFormation, without words of a library, and no empty help or note.

use formwork::{Diagnostic, Goal, Options};

use super::{Verdict, compile};

/// The maximum length of a title in characters.
const LONGEST: usize = 100;

/// How many characters of a name count.
const LONGEST_NAME: usize = 20;

/// What a name follows in titles.
const NAMED: [&str; 7] = ["resource", "parameter", "condition", "mapping", "output", "import", "loop"];

/// Words of libraries and systems, which mean nothing to an author.
const FOREIGN: &[&str] = &[
    "os error",
    "expected ident",
    "while parsing",
    "while scanning",
    "did not find expected",
    "EOF",
    "serde",
    "unwrap",
    "Some(",
    "invalid type:",
    "at line 1 column",
];

/// The law for everything that `check` reports about a template.
///
/// # Errors
/// In words, with the message.
pub fn is_worded(text: &str) -> Verdict {
    for goal in [Goal::Check, Goal::Expand] {
        compile(text, &Options::default(), goal).diagnostics().iter().try_for_each(of)?;
    }
    Ok(())
}

/// The law for one diagnostic.
///
/// # Errors
/// In words, with the message.
pub fn of(found: &Diagnostic) -> Verdict {
    let title = &found.message;
    let wrong = |what: &str| Err(format!("{} {title}: {what}", found.code));
    // Names of authors may be of any length: reports cut them.
    let length: usize = title.split(' ').map(|word| word.chars().count().min(LONGEST_NAME) + 1).sum();
    if length > LONGEST + 1 {
        return wrong("the title is longer than 100 characters");
    }
    if title.is_empty() || title.ends_with(['.', ':', ',', ' ']) || title.contains('\n') {
        return wrong("the title is not one clause");
    }
    // A name that is empty is called that. A key of an author may end with a space.
    if NAMED.iter().any(|noun| title.contains(&format!("{noun}  "))) || title.contains("``") || title.starts_with(' ') {
        return wrong("a name in the title is empty");
    }
    if title.contains("Template format error") || title.contains("Template error") {
        return wrong("the title has CloudFormation's sentence");
    }
    let words = [title].into_iter().chain(&found.notes).chain(&found.help).filter(|text| !text.contains('`'));
    for text in words {
        if let Some(word) = FOREIGN.iter().find(|word| text.contains(**word)) {
            return wrong(&format!("`{word}` is a word of a library"));
        }
    }
    if found.help.iter().chain(&found.notes).any(|text| text.is_empty() || text.contains("``")) {
        return wrong("a note or help is empty, or a name in it");
    }
    Ok(())
}
