//! Advice is right: the code that a diagnostic advises removes the finding, adds no error, and is about the
//! value that was meant.

use formwork::{Compat, Compilation, Diagnostic, Goal, Options, Severity, codes};

use super::{Verdict, compile, same_data};
use code::Written;

mod code;

/// The law for the advice that `check` reports about a template: each fix, and each help that is code for the
/// place of the finding, is applied alone.
///
/// # Errors
/// In words, with the template as it is then.
pub fn works(text: &str, options: &Options) -> Verdict {
    let result = compile(text, options, Goal::Check);
    let written = Written::read(text);
    for found in result.diagnostics() {
        for (told, edits) in edits(text, written.as_ref(), &result, found) {
            let Some(fixed) = apply(text, &edits) else { continue };
            let error = removes(&fixed, &edits, options, &result, found);
            if let Err(what) = error {
                return Err(format!("{} {}\n{told}\n{what}\n{fixed}", found.code, found.message));
            }
        }
    }
    Ok(())
}

/// Whether the fixed template is without the finding, and without anything else that is not well-formed.
fn removes(fixed: &str, edits: &[code::Edit], options: &Options, result: &Compilation, found: &Diagnostic) -> Verdict {
    let again = compile(fixed, options, Goal::Check);
    // A finding in the same words about another place is another error, which the first one hid: an argument of a
    // call, for example, that is checked only when the call inside of it has the right form. The place itself moves by
    // what is written in front of it, and it may end up inside of what is written.
    let same = |result: &Compilation, is_here: &dyn Fn(usize) -> bool| {
        let is_same = |other: &&Diagnostic| {
            other.code == found.code
                && other.message == found.message
                && other.quotes().eq(found.quotes())
                && place(result, other).is_none_or(|(start, _)| is_here(start))
        };
        result.diagnostics().iter().filter(is_same).count()
    };
    let begin = place(result, found).map(|(start, _)| start);
    let written = written(edits);
    let moved = begin.map(|begin| moved(begin, edits));
    let is_at_edit = |start: usize| {
        begin.is_none() || moved == Some(start) || written.iter().any(|&(from, to)| (from..=to).contains(&start))
    };
    if same(&again, &is_at_edit) >= same(result, &|start| begin.is_none_or(|begin| begin == start)) {
        return Err("the finding is still there".to_owned());
    }
    // What was hidden before, as after an unknown condition, is not an error of what is written: an error of that is in
    // it, or is the same one again.
    // The right name of a function may show that it is not allowed there, which its wrong name hid.
    let is_misnamed = |found: &Diagnostic| found.message.starts_with("there is no function");
    let is_of_edit = |other: &Diagnostic| {
        let Some((start, end)) = place(&again, other) else { return true };
        written.iter().any(|&(from, to)| {
            // What a loop generates is checked once its key is right, and what is missing is reported at its key.
            let is_of_declaration =
                [codes::NO_TYPE, codes::OUTPUT_WITHOUT_VALUE, codes::NOT_AN_OBJECT].contains(&other.code);
            // A call that Fn::Select chooses is the value of an output, whose kind is known once the call is right.
            let is_of_value = found.code == codes::FUNCTION_LAYOUT && other.code == codes::WRONG_KIND;
            let is_inside = from <= start
                && end <= to
                && !is_of_value
                && !(found.code == codes::PRODUCED_NAME && is_of_declaration);
            let is_around = start <= from && to <= end && other.code == found.code && Some(start) == begin;
            let is_around = is_around && (!is_misnamed(found) || is_misnamed(other));
            other.code == codes::NOT_WELL_FORMED || is_inside || is_around
        })
    };
    let is_known = |other: &Diagnostic| {
        result.diagnostics().iter().any(|old| old.code == other.code && old.message == other.message)
    };
    let all = again.diagnostics().iter().filter(|other| is_about_layout(other));
    match all.filter(|other| is_of_edit(other)).find(|other| !is_known(other)) {
        Some(other) => Err(format!("what is written is not well-formed: {} {}", other.code, other.message)),
        None => Ok(()),
    }
}

/// Where the new strings of the edits are in the file with all of them.
fn written(edits: &[code::Edit]) -> Vec<(usize, usize)> {
    let (mut added, mut removed) = (0, 0);
    let ranges = edits.iter().map(|(from, to, new)| {
        let start = from + added - removed;
        (added, removed) = (added + new.len(), removed + to - from);
        (start, start + new.len())
    });
    ranges.collect()
}

/// Where a place is in the text with all of the edits: after those in front of it.
fn moved(at: usize, edits: &[code::Edit]) -> usize {
    let before = edits.iter().filter(|(_, to, _)| *to <= at);
    let (added, removed) =
        before.fold((0, 0), |(added, removed), (from, to, new)| (added + new.len(), removed + to - from));
    at + added - removed
}

/// The messages of the fixes that `check` offers for a template.
pub fn fixes(text: &str) -> Vec<String> {
    let result = compile(text, &Options::default(), Goal::Check);
    result.diagnostics().iter().filter_map(|found| Some(found.fix.as_ref()?.message.clone())).collect()
}

/// The fixes and helps that the law applies to a template, in their words.
pub fn applied(text: &str) -> Vec<String> {
    let result = compile(text, &Options::default(), Goal::Check);
    let written = Written::read(text);
    let findings = result.diagnostics().iter();
    findings.flat_map(|found| edits(text, written.as_ref(), &result, found)).map(|(told, _)| told).collect()
}

/// The template with the advice of all findings followed: each fix, or the first help that is code.
pub fn followed(text: &str, options: &Options) -> Option<String> {
    let result = compile(text, options, Goal::Check);
    let written = Written::read(text);
    let mut all: Vec<code::Edit> = Vec::new();
    for found in result.diagnostics().iter().filter(|found| found.severity != Severity::Note) {
        let (_, edits) = edits(text, written.as_ref(), &result, found).into_iter().next()?;
        all.extend(edits);
    }
    if all.is_empty() { None } else { apply(text, &all) }
}

/// The law for placeholders in plain strings: with every fix for them applied, `expand` prints what it prints when
/// placeholders are filled in everywhere, as SAM CLI does it.
///
/// # Errors
/// In words, with the template as it is then.
pub fn is_meant(text: &str) -> Verdict {
    let result = compile(text, &Options::default(), Goal::Check);
    let mut all: Vec<(usize, usize, String)> = Vec::new();
    for found in result.diagnostics() {
        let fills = found.fix.as_ref().is_some_and(|fix| fix.message.starts_with("fill the placeholder in"));
        match (found.code.to_string().as_str(), fills) {
            (_, true) => all.extend(fix(&result, found).unwrap_or_default()),
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
        (super::output(&fixed, &Options::default(), Goal::Expand), super::output(text, &sam, Goal::Expand));
    match (one, other) {
        (Some(one), Some(other)) => same_data(&format!("another value than the one meant\n{fixed}"), &one, &other),
        (None, Some(other)) => Err(format!("the fixed template has errors\n{fixed}\n--- meant\n{other}")),
        _ => Ok(()),
    }
}

/// The changes that a diagnostic asks for, in its words and as offsets in the template: its fix, or each help that
/// is code for the place.
fn edits(
    text: &str,
    written: Option<&Written>,
    result: &Compilation,
    found: &Diagnostic,
) -> Vec<(String, Vec<code::Edit>)> {
    if let Some(fix) = &found.fix {
        let words = format!("fix: {}", fix.message);
        return self::fix(result, found).map(|edits| (words, edits)).into_iter().collect();
    }
    let Some(place) = place(result, found) else { return Vec::new() };
    let codes = found.help.iter().flat_map(|help| code::codes(help).into_iter().map(move |code| (help, code)));
    codes
        .filter_map(|(help, code)| {
            Some((format!("help: {help}\nhere: {}", code.text), code.edits(text, written, place)?))
        })
        .collect()
}

/// The edits of a fix.
fn fix(result: &Compilation, found: &Diagnostic) -> Option<Vec<code::Edit>> {
    let edits = found.fix.as_ref()?.edits.iter();
    edits.map(|(span, new)| Some((offset(result, span.start())?, offset(result, span.end())?, new.clone()))).collect()
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
    const LAYOUT: [&str; 22] = [
        "FW0001", "FW0007", "FW0008", "FW0101", "FW0102", "FW0103", "FW0104", "FW0105", "FW0106", "FW0108", "FW0109",
        "FW0110", "FW0111", "FW0202", "FW0301", "FW0306", "FW0341", "FW0401", "FW0404", "FW0503", "FW0506", "FW0610",
    ];
    found.severity == Severity::Error && LAYOUT.contains(&found.code.to_string().as_str())
}
