//! What is wrong at one place is reported once: no two errors have the same place.
//!
//! Holds reference/diagnostics.md#wording.

use formwork::{Diagnostic, Frame, Goal, Options, Severity};
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
            if let Some(other) = errors[at + 1..].iter().find(|other| place(other) == place(one)) {
                let told = |found: &Diagnostic| format!("{} {}", found.code, found.message);
                return Err(format!("two errors at one place\n{}\n{}\n{text}", told(one), told(other)));
            }
        }
    }
    Ok(())
}

/// Where it is, and in which iteration: another item may have another fault.
fn place(found: &Diagnostic) -> (Option<Span>, &[Frame]) {
    (span(found), &found.frames)
}

fn span(found: &Diagnostic) -> Option<Span> {
    found.primary.as_ref().map(|label| label.span)
}

/// Whether it is about one node: limits, names that are taken and references in a circle are about several, and only
/// shown at one of them.
fn is_of_a_node(found: &Diagnostic) -> bool {
    const ABOUT_SEVERAL: [&str; 7] = ["FW0006", "FW0106", "FW0206", "FW0303", "FW0349", "FW0502", "FW0908"];
    span(found).is_some_and(|span| !span.is_empty()) && !ABOUT_SEVERAL.contains(&found.code.to_string().as_str())
}
