//! Advice is right: what a diagnostic says to write, written, removes the finding, adds no error, and gives the
//! value that was meant.

use formwork::{Compat, Compilation, Diagnostic, Options, Severity, Stage};

use super::{Verdict, compile, same_data};

/// The law for the advice that `check` gives about a template: each fix, and each help that is code for the
/// place of the finding, is applied alone.
///
/// # Errors
/// In words, with the template as it is then.
pub fn works(text: &str, options: &Options) -> Verdict {
    let result = compile(text, options, Stage::Check);
    for found in result.diagnostics() {
        let Some(edits) = edits(&result, found) else { continue };
        let Some(fixed) = apply(text, &edits) else { continue };
        let again = compile(&fixed, options, Stage::Check);
        let fail = |what: &str, other: &Diagnostic| {
            let (code, message) = (found.code, &found.message);
            let help = found.help.join("; ");
            Err(format!("{code} {message}\nhelp: {help}\n{what}: {} {}\n{fixed}", other.code, other.message))
        };
        let same = |result: &Compilation| {
            let is_same = |other: &&Diagnostic| other.code == found.code && other.message == found.message;
            result.diagnostics().iter().filter(is_same).count()
        };
        if same(&again) >= same(&result) {
            return fail("the finding is still there", found);
        }
        let is_new = |other: &&Diagnostic| !result.diagnostics().iter().any(|old| old.code == other.code);
        if let Some(other) = again.diagnostics().iter().filter(|other| is_about_layout(other)).find(is_new) {
            return fail("what is written is not well-formed", other);
        }
    }
    Ok(())
}

/// The messages of the fixes that `check` offers for a template.
pub fn fixes(text: &str) -> Vec<String> {
    let result = compile(text, &Options::default(), Stage::Check);
    result.diagnostics().iter().filter_map(|found| Some(found.fix.as_ref()?.message.clone())).collect()
}

/// The law for placeholders in plain text: with every fix for them applied, `expand` gives what it gives when
/// placeholders are filled in everywhere, as SAM CLI does it.
///
/// # Errors
/// In words, with the template as it is then.
pub fn is_meant(text: &str) -> Verdict {
    let result = compile(text, &Options::default(), Stage::Check);
    let mut all: Vec<(usize, usize, String)> = Vec::new();
    for found in result.diagnostics() {
        let fills = found.fix.as_ref().is_some_and(|fix| fix.message.starts_with("fill the placeholder in"));
        match (found.code.to_string().as_str(), fills) {
            (_, true) => all.extend(edits(&result, found).unwrap_or_default()),
            // Without a way to fill all of them in there is nothing to compare with.
            ("FW0307" | "FW0308", false) => return Ok(()),
            _ => {}
        }
    }
    if all.is_empty() {
        return Ok(());
    }
    let fixed = apply(text, &all).ok_or("the edits of two fixes overlap")?;
    let sam = Options { compat: Compat::Sam, ..Options::default() };
    let (one, other) =
        (super::output(&fixed, &Options::default(), Stage::Expand), super::output(text, &sam, Stage::Expand));
    match (one, other) {
        (Some(one), Some(other)) => same_data(&format!("another value than the one meant\n{fixed}"), &one, &other),
        (None, Some(other)) => Err(format!("the fixed template has errors\n{fixed}\n--- meant\n{other}")),
        _ => Ok(()),
    }
}

/// The changes that a diagnostic asks for, as offsets in the template: its fix, or a help that is nothing but
/// code for the place.
fn edits(result: &Compilation, found: &Diagnostic) -> Option<Vec<(usize, usize, String)>> {
    if let Some(fix) = &found.fix {
        return fix
            .edits
            .iter()
            .map(|(span, new)| Some((offset(result, span.start())?, offset(result, span.end())?, new.clone())))
            .collect();
    }
    let [help] = found.help.as_slice() else { return None };
    let code = help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?"))?;
    let (start, end) = place(result, found)?;
    Some(vec![(start, end, code.to_owned())])
}

fn place(result: &Compilation, found: &Diagnostic) -> Option<(usize, usize)> {
    let span = found.primary.as_ref()?.span;
    Some((offset(result, span.start())?, offset(result, span.end())?))
}

fn offset(result: &Compilation, position: u32) -> Option<usize> {
    let file = result.sources().files().next()?;
    let at = position.checked_sub(result.sources().base(file))? as usize;
    (at <= result.sources().text(file).len()).then_some(at)
}

/// A text with its edits applied; `None` when two of them overlap or lie outside of it.
fn apply(text: &str, edits: &[(usize, usize, String)]) -> Option<String> {
    let mut edits = edits.to_vec();
    edits.sort();
    edits.dedup();
    let mut out = String::new();
    let mut at = 0;
    for (start, end, new) in &edits {
        out.push_str(text.get(at..*start)?);
        out.push_str(new);
        at = *end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// Whether a diagnostic is about how something is written, and not about what it names.
fn is_about_layout(found: &Diagnostic) -> bool {
    const LAYOUT: [&str; 8] = ["FW0001", "FW0007", "FW0008", "FW0109", "FW0110", "FW0202", "FW0401", "FW0503"];
    found.severity == Severity::Error && LAYOUT.contains(&found.code.to_string().as_str())
}
