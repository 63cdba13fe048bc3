//! An error at one place is reported once: no two errors have the same place.
//!
//! Holds reference/diagnostics.md#wording.

use formwork::{Compilation, Diagnostic, Frame, Goal, Options, Severity, codes};
use formwork_base::Span;

use super::{Verdict, compile};

/// The law for any template, in the commands that look at all of it.
///
/// # Errors
/// In words, with both.
pub fn once(text: &str) -> Verdict {
    for stage in [Goal::Expand, Goal::Check] {
        let result = compile(text, &Options::default(), stage);
        let errors: Vec<&Diagnostic> =
            result.diagnostics().iter().filter(|one| one.severity == Severity::Error && is_of_a_node(one)).collect();
        for (at, one) in errors.iter().enumerate() {
            if let Some(other) = errors[at + 1..]
                .iter()
                .find(|other| place(other) == place(one) && !are_about_names(&result, one, other))
            {
                let told = |found: &Diagnostic| format!("{} {}", found.code, found.message);
                return Err(format!("two errors at one place\n{}\n{}\n{text}", told(one), told(other)));
            }
        }
    }
    Ok(())
}

/// Whether they are about two names in one string: of `${Topic}${Nowhere}` in the name of an import one is a
/// resource, which is not allowed there or absent, and the other one is unknown. One name alone has one error.
fn are_about_names(result: &Compilation, one: &Diagnostic, other: &Diagnostic) -> bool {
    let codes = [one, other].map(|found| found.code);
    let is_pair = codes.contains(&codes::UNRESOLVED_NAME)
        && [codes::FUNCTION_NOT_ALLOWED, codes::ABSENT_RESOURCE].iter().any(|code| codes.contains(code));
    is_pair && span(one).is_some_and(|span| result.sources().slice(span).matches("${").count() > 1)
}

/// Where it is, and in which iteration: another item may have another error.
fn place(found: &Diagnostic) -> (Option<Span>, &[Frame]) {
    (span(found), &found.frames)
}

fn span(found: &Diagnostic) -> Option<Span> {
    found.primary.as_ref().map(|label| label.span)
}

/// Whether it is about one node: limits, names that are taken and circular references are about several, and only
/// shown at one of them.
fn is_of_a_node(found: &Diagnostic) -> bool {
    const ABOUT_SEVERAL: [&str; 7] = ["FW0006", "FW0106", "FW0206", "FW0303", "FW0349", "FW0502", "FW0908"];
    span(found).is_some_and(|span| !span.is_empty()) && !ABOUT_SEVERAL.contains(&found.code.to_string().as_str())
}
