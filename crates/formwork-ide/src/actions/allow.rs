//! A comment that suppresses a diagnostic (reference/diagnostics.md#suppression).

use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::diagnostics::diagnostics;
use crate::proof::{added_code, trial};

/// `# formwork: allow CODE` at the end of the line, where that helps.
pub(super) fn actions(spot: &Spot<'_, '_>) -> Vec<Action> {
    if spot.is_json() {
        return Vec::new();
    }
    let text = spot.text();
    let mut found: Vec<Action> = Vec::new();
    for problem in diagnostics(spot.ide).iter() {
        let range = problem.range.start..problem.range.end;
        let code = problem.finding.code.to_string();
        let title = format!("allow {code} here");
        let is_known = found.iter().any(|known| known.title == title);
        if problem.range.file != *spot.file
            || !spot.touches(&range)
            || is_known
            || problem.finding.place.range.is_none()
        {
            continue;
        }
        let rest = text.get(range.start as usize..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let end = range.start + line.trim_end().len() as u32;
        let mut action = spot.action(
            title,
            ActionKind::QuickFix,
            vec![Edit::insert(end, format!(" # formwork: allow {code} -- reason"))],
        );
        let count = |compiled: &formwork::Compilation| {
            compiled.diagnostics().iter().filter(|known| known.code == problem.finding.code).count()
        };
        let after = trial(spot.ide, &action.edits).snapshot().compile(spot.ide.root(), formwork::Goal::Check);
        if count(&after) < count(spot.ide.compilation()) && added_code(spot.ide, &action.edits).is_none() {
            action.fixes = Some((code, problem.range.clone()));
            found.push(action);
        }
    }
    found
}
