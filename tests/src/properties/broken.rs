//! A syntax error hides problems, and adds none: what is reported beside it is reported without it, too. It is one
//! error, and the lines below it are read as they are meant.
//!
//! Holds reference/diagnostics.md#wording.

use formwork::{Diagnostic, Goal, Options, codes};

use super::compile;

/// The law for a template, which is broken at its end: in its last section, and in one of its own. The number of other
/// problems that are still reported; `None` when the template is not well-formed.
///
/// # Errors
/// In words, with what is added.
pub fn adds_nothing(text: &str) -> Result<Option<usize>, String> {
    let mut count = 0;
    for goal in [Goal::Expand, Goal::Check] {
        let whole = compile(text, &Options::default(), goal);
        let is_of_reading = |code| [codes::NOT_WELL_FORMED, codes::UNKNOWN_TAG].contains(&code);
        if !whole.is_well_formed() {
            return Ok(None);
        }
        for broken in broken(text) {
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
    }
    Ok(Some(count))
}

/// A mistake that people make is one error, which adds no other problem: one of [`IN_YAML`] or [`IN_JSON`], at one of
/// the places where it can be made. False when the text is still well-formed.
///
/// What is meant is a guess: with other seeds, one of some 40,000 templates has a second error.
///
/// # Errors
/// In words, with the errors.
pub fn is_one_error(text: &str, mistake: usize, place: usize) -> Result<bool, String> {
    let Some(broken) = mistaken(text, mistake, place) else { return Ok(false) };
    let known = compile(text, &Options::default(), Goal::Check);
    let result = compile(&broken, &Options::default(), Goal::Check);
    let is_error = |found: &&Diagnostic| found.code == codes::NOT_WELL_FORMED;
    let errors: Vec<&Diagnostic> = result.diagnostics().iter().filter(is_error).collect();
    if errors.is_empty() || !known.is_well_formed() {
        return Ok(false);
    }
    // Less is known of a value, so that the words may be others, and the place may be more or less of the call.
    let is_of_same_text = |found: &Diagnostic, other: &Diagnostic| {
        let (text, other) = (result.sources().slice(found.span()), known.sources().slice(other.span()));
        !text.is_empty() && (text.contains(other) || other.contains(text))
    };
    let is_known = |found: &&Diagnostic| {
        let mut known = known.diagnostics().iter().filter(|known| known.code == found.code);
        known.any(|known| is_masked(&found.message, &known.message) || is_of_same_text(found, known))
    };
    let added = result.diagnostics().iter().filter(|found| !is_error(found) && !is_known(found));
    let wrong: Vec<&str> = errors[1..].iter().copied().chain(added).map(|found| found.message.as_str()).collect();
    if wrong.is_empty() { Ok(true) } else { Err(format!("{}\n{broken}", wrong.join("\n"))) }
}

/// Whether a message is another one, in which what may be a secret is masked: where a `NoEcho` parameter cannot be read,
/// its value may be anything behind it.
fn is_masked(message: &str, other: &str) -> bool {
    let mut rest = other;
    let mut parts = message.split("****");
    let begins = parts.next().is_some_and(|first| rest.strip_prefix(first).map(|behind| rest = behind).is_some());
    let has_others = parts.all(|part| rest.find(part).map(|at| rest = &rest[at + part.len()..]).is_some());
    begins && has_others && (rest.is_empty() || message.ends_with("****"))
}

/// The mistakes that are made in YAML.
pub const IN_YAML: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Those that are made in JSON.
pub const IN_JSON: [usize; 5] = [0, 1, 8, 9, 10];

/// The text with a mistake at one of the places where it can be made.
fn mistaken(text: &str, mistake: usize, place: usize) -> Option<String> {
    let indented = |(at, _): (usize, &str)| text[at + 1..].starts_with(' ').then_some(at + 1);
    let ends_word = |&at: &usize| text[..at].ends_with(char::is_alphanumeric);
    let places: Vec<usize> = match mistake {
        0 => text.match_indices([']', '}']).map(|(at, _)| at).collect(),
        1 => text.match_indices(": ").chain(text.match_indices(":\n")).map(|(at, _)| at).collect(),
        2 => text.match_indices(": ").map(|(at, _)| at + 1).collect(),
        3..=5 => text.match_indices('\n').filter_map(indented).collect(),
        6 => text.match_indices(" - ").map(|(at, _)| at + 1).collect(),
        7 => text.match_indices(", ").map(|(at, _)| at).collect(),
        9 => text.match_indices(",\n").map(|(at, _)| at).collect(),
        10 => text.match_indices('"').map(|(at, _)| at).filter(ends_word).collect(),
        _ => text.match_indices([']', '}']).map(|(at, _)| at).collect(),
    };
    let at = *places.get(place % places.len().max(1))?;
    let (before, after) = text.split_at(at);
    let content = after.trim_start_matches(' ');
    Some(match mistake {
        // A character that is missing: a bracket, a colon, the space behind it, one of the indentation, a comma, a
        // closing quote.
        0..=3 | 7 | 9 | 10 => format!("{before}{}", &after[1..]),
        4 => format!("{before} {after}"),
        5 => format!("{before}\t{content}"),
        6 => format!("{before} {}", &after[1..]),
        // A bracket too many.
        _ => format!("{before}{}{after}", &after[..1]),
    })
}

/// The text with an error at its end.
fn broken(text: &str) -> Vec<String> {
    let text = text.trim_end();
    match text.strip_suffix('}') {
        Some(open) if text.starts_with('{') => vec![open.to_owned()],
        _ => vec![format!("{text}\n]\n"), format!("{text}\nOther: ]\n")],
    }
}
