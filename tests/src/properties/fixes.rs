//! Fixes are right: with each that is offered, its diagnostic is gone and no other has come that is as bad; what fails this
//! verification is not applied, and what is applied together holds together.

use formwork::{Compilation, Diagnostic, Finding, Goal, MemoryHost, Options, Session, Severity, VirtualPath};

use super::{Verdict, compile};

/// What a template's fixes did.
pub struct Outcome {
    /// How many were applied.
    pub applied: usize,
    /// Those that were refused.
    pub refused: Vec<String>,
}

/// The law for the fixes of a template, safe ones and others: the fixed template has a diagnostic less for each that was
/// applied, fixing it again changes nothing, and all else of its text stays.
///
/// # Errors
/// In words, with the template as it is then.
pub fn fixes(text: &str, options: &Options) -> Result<Outcome, String> {
    let host = MemoryHost::new();
    let path = VirtualPath::new("template.yaml");
    let session = Session::new(&host, options.clone());
    session.set_file(&path, text.as_bytes().to_vec());
    let fixed = session.analyze(&path).fix(true);
    let before = compile(text, options, Goal::Check);
    let after = compile(&fixed.after, options, Goal::Check);
    // What is fixed may reveal what is not as bad.
    let worst = fixed.applied.iter().map(|finding| finding.severity).max();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let count = |result: &Compilation| result.diagnostics().iter().filter(|one| one.severity == severity).count();
        let (old, new) = (count(&before), count(&after));
        let applied = fixed.applied.iter().filter(|finding| finding.severity == severity).count();
        if new + applied > old && worst.is_none_or(|worst| worst <= severity) {
            return Err(format!("{applied} of {old} were fixed, and {new} are left\n{}", fixed.after));
        }
    }
    if fixed.applied.is_empty() != (fixed.after == text) {
        return Err(format!("{} fixes changed\n{text}\nto\n{}", fixed.applied.len(), fixed.after));
    }
    let is_as_bad = |found: &Diagnostic| worst.is_none_or(|worst| worst <= found.severity);
    let unknown = after
        .diagnostics()
        .iter()
        .find(|found| is_as_bad(found) && !before.diagnostics().iter().any(|old| old.code == found.code));
    if let Some(unknown) = unknown {
        return Err(format!("{} is new: {}\n{}", unknown.code, unknown.message, fixed.after));
    }
    session.set_file(&path, fixed.bytes.clone());
    let again = session.analyze(&path).fix(true);
    if again.after != fixed.after {
        return Err(format!("fixed again it is\n{}\nand was\n{}", again.after, fixed.after));
    }
    let words = |finding: &Finding| format!("{} {}", finding.code, finding.message);
    let refused = fixed.refused.iter().map(|one| format!("{}: {}", words(&one.finding), one.reason)).collect();
    Ok(Outcome { applied: fixed.applied.len(), refused })
}

/// The same for a property test.
///
/// # Errors
/// Those of [`fixes`].
pub fn hold(text: &str) -> Verdict {
    fixes(text, &Options::default()).map(|_| ())
}
