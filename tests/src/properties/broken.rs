//! A syntax error hides problems, and adds none: what is reported beside it is reported without it, too. It is one
//! error, and the lines below it are read as they are meant.
//!
//! Holds reference/diagnostics.md#wording.

use formwork::{Goal, Options, codes};

use super::compile;

/// The law for a template, which is broken at its end. The number of other problems that are still reported; `None`
/// when the template is not well-formed.
///
/// # Errors
/// In words, with what is added.
pub fn adds_nothing(text: &str) -> Result<Option<usize>, String> {
    let broken = broken(text);
    let mut count = 0;
    for goal in [Goal::Expand, Goal::Check] {
        let whole = compile(text, &Options::default(), goal);
        let is_of_reading = |code| [codes::NOT_WELL_FORMED, codes::UNKNOWN_TAG].contains(&code);
        if !whole.is_well_formed() {
            return Ok(None);
        }
        let result = compile(&broken, &Options::default(), goal);
        for found in result.diagnostics() {
            let is_known =
                whole.diagnostics().iter().any(|known| (known.code, known.span()) == (found.code, found.span()));
            if !is_known && !is_of_reading(found.code) {
                return Err(format!("a syntax error adds {} {}\n{broken}", found.code, found.message));
            }
            count += usize::from(is_known);
        }
    }
    Ok(Some(count))
}

/// A bracket that is missing is one error, wherever it was closed: `choice` of the closing brackets in the text is left
/// out. False when the text is well-formed without it.
///
/// # Errors
/// In words, with the errors.
pub fn is_one_error(text: &str, choice: usize) -> Result<bool, String> {
    let closing: Vec<usize> = text.match_indices([']', '}']).map(|(at, _)| at).collect();
    let Some(&at) = closing.get(choice % closing.len().max(1)) else { return Ok(false) };
    let broken = format!("{}{}", &text[..at], &text[at + 1..]);
    let result = compile(&broken, &Options::default(), Goal::Check);
    let errors: Vec<&str> = result
        .diagnostics()
        .iter()
        .filter(|found| found.code == codes::NOT_WELL_FORMED)
        .map(|found| found.message.as_str())
        .collect();
    match errors.len() {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(format!("{}\n{broken}", errors.join("\n"))),
    }
}

/// The text with an error at its end.
fn broken(text: &str) -> String {
    let text = text.trim_end();
    match text.strip_suffix('}') {
        Some(open) if text.starts_with('{') => open.to_owned(),
        _ => format!("{text}\n]\n"),
    }
}
