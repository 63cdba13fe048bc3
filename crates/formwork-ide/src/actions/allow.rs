//! The comment that suppresses a diagnostic (reference/diagnostics.md#suppression).

use super::candidates::{Candidate, Candidates};
use crate::Edit;
use crate::actions::{ActionKind, Spot};
use crate::diagnostics::diagnostics;

/// Adds `# formwork: allow CODE` at the end of a line, if that suppresses the diagnostic.
pub(super) fn add(spot: &Spot<'_, '_>, candidates: &mut Candidates<'_, '_, '_>) {
    if spot.is_json() {
        return;
    }
    let text = spot.text();
    for problem in diagnostics(spot.ide).iter() {
        if candidates.are_enough() {
            return;
        }
        let range = problem.range.start..problem.range.end;
        if problem.range.file != *spot.file || !spot.touches(&range) || problem.finding.place.range.is_none() {
            continue;
        }
        let code = problem.finding.code;
        let title = format!("allow {code} here");
        if !candidates.wants(&title) {
            continue;
        }
        let rest = text.get(range.start as usize..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let end = range.start + line.trim_end().len() as u32;
        let edit = Edit::insert(end, format!(" # formwork: allow {code} -- reason"));
        let mut action = spot.action(title, ActionKind::QuickFix, vec![edit]);
        action.fixes = Some((code.to_string(), problem.range.clone()));
        candidates.add(Candidate::suppressing(action, code));
    }
}
