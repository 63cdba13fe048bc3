//! The fixes of diagnostics.

use crate::Problem;
use crate::actions::{Action, ActionKind, Spot};
use crate::diagnostics::diagnostics;
use crate::proof::added_code;
use crate::{Edit, FileEdits};

/// The fix of each diagnostic at the place, and of all of its code in the file.
pub(super) fn actions(spot: &Spot<'_, '_>) -> Vec<Action> {
    let problems = diagnostics(spot.ide);
    let mut found = Vec::new();
    for problem in problems.iter() {
        let is_here = problem.range.file == *spot.file && spot.touches(&(problem.range.start..problem.range.end));
        let Some((fix, edits)) = problem.finding.fix.as_ref().filter(|_| is_here).zip(edits_of(spot, problem)) else {
            continue;
        };
        if added_code(spot.ide, &edits).is_some() {
            continue;
        }
        let code = problem.finding.code.to_string();
        let all = all_of(spot, problems, &code);
        found.push(Action {
            title: fix.message.clone(),
            kind: ActionKind::QuickFix,
            is_preferred: true,
            edits,
            fixes: Some((code.clone(), problem.range.clone())),
        });
        if let Some(edits) = all.filter(|edits| added_code(spot.ide, edits).is_none()) {
            found.push(Action {
                title: format!("fix all {code} in this file"),
                kind: ActionKind::QuickFix,
                is_preferred: false,
                edits,
                fixes: Some((code, problem.range.clone())),
            });
        }
    }
    found.dedup_by(|a, b| a.title == b.title);
    found
}

/// The edits of a fix, if all of them are in this file.
fn edits_of(spot: &Spot<'_, '_>, problem: &Problem) -> Option<Vec<FileEdits>> {
    let fix = problem.finding.fix.as_ref()?;
    let edits = fix.edits.iter().map(|edit| {
        let range = edit.place.range.as_ref().filter(|range| range.file == *spot.file)?;
        Some(Edit::new(range.start, range.end, edit.text.clone()))
    });
    let mut edits: Vec<Edit> = edits.collect::<Option<_>>()?;
    edits.sort();
    Some(vec![FileEdits { file: spot.file.clone(), is_new: false, edits }])
}

/// The edits of all fixes of a code, when there are several; those that meet earlier ones are left out.
fn all_of(spot: &Spot<'_, '_>, problems: &[Problem], code: &str) -> Option<Vec<FileEdits>> {
    let own = problems.iter().filter(|problem| problem.finding.code.to_string() == code);
    let each: Vec<Vec<FileEdits>> = own.filter_map(|problem| edits_of(spot, problem)).collect();
    if each.len() < 2 {
        return None;
    }
    let mut edits: Vec<Edit> = Vec::new();
    for one in each.into_iter().flatten() {
        let meets =
            |edit: &Edit| edits.iter().any(|known| edit.start < known.end && known.start < edit.end || edit == known);
        if !one.edits.iter().any(meets) {
            edits.extend(one.edits);
        }
    }
    edits.sort();
    Some(vec![FileEdits { file: spot.file.clone(), is_new: false, edits }])
}
