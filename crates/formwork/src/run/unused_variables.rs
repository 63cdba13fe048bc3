//! A loop whose variable is in no key generates duplicate keys: that error already reports the variable, and the fix.

use formwork_base::{Diagnostics, Severity, Span, codes};

/// Leaves out that a variable is not used if its loop fails for that reason: the identifier is between the loop's key
/// and the key of the fragment.
pub(super) fn leave_out(diagnostics: &mut Diagnostics) {
    let loops: Vec<(Span, Span)> = diagnostics
        .iter()
        .filter(|found| found.code == codes::DUPLICATE_PRODUCED_KEY && found.severity == Severity::Error)
        .filter_map(|found| Some((found.frames.last()?.span, found.span())))
        .collect();
    if loops.is_empty() {
        return;
    }
    let is_of = |identifier: Span, &(key, fragment): &(Span, Span)| {
        key.end() <= identifier.start() && identifier.end() <= fragment.start()
    };
    diagnostics
        .retain(|found| found.code != codes::UNUSED_IDENTIFIER || !loops.iter().any(|one| is_of(found.span(), one)));
}
