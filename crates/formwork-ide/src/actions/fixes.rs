//! The fixes of diagnostics.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::{Candidate, Candidates};
use crate::Problem;
use crate::actions::{Action, ActionKind, Spot};
use crate::diagnostics::diagnostics;
use crate::{Edit, FileEdits};

/// Adds the fix of each diagnostic at the place, and the fixes of all diagnostics of its code in the file.
pub(super) fn add(spot: &Spot<'_, '_>, candidates: &mut Candidates<'_, '_, '_>) {
    let problems = diagnostics(spot.ide);
    for problem in problems.iter() {
        if candidates.are_enough() {
            return;
        }
        let is_here = problem.range.file == *spot.file && spot.touches(&(problem.range.start..problem.range.end));
        let Some((fix, edits)) = problem.finding.fix.as_ref().filter(|_| is_here).zip(edits_of(spot, problem)) else {
            continue;
        };
        let code = problem.finding.code.to_string();
        let action = |title: String, is_preferred: bool, edits: Vec<FileEdits>| {
            let fixes = Some((code.clone(), problem.range.clone()));
            Action { title, kind: ActionKind::QuickFix, is_preferred, is_proved: false, edits, fixes }
        };
        candidates.add(Candidate::adding_nothing(action(fix.message.clone(), true, edits)));
        let title = format!("fix all {code} in this file");
        if candidates.wants(&title)
            && let Some(edits) = all_of(spot, problems, &code)
        {
            candidates.add(Candidate::adding_nothing(action(title, false, edits)));
        }
    }
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

/// The edits of all fixes of a code, if there are several. Edits that overlap with earlier ones are left out.
fn all_of(spot: &Spot<'_, '_>, problems: &[Problem], code: &str) -> Option<Vec<FileEdits>> {
    let own = problems.iter().filter(|problem| problem.finding.code.to_string() == code);
    let each: Vec<Vec<FileEdits>> = own.filter_map(|problem| edits_of(spot, problem)).collect();
    if each.len() < 2 {
        return None;
    }
    let mut taken = Taken::default();
    let mut edits: Vec<Edit> = Vec::new();
    for one in each.into_iter().flatten() {
        if !one.edits.iter().any(|edit| taken.meets(edit)) {
            one.edits.iter().for_each(|edit| taken.add(edit));
            edits.extend(one.edits);
        }
    }
    edits.sort();
    Some(vec![FileEdits { file: spot.file.clone(), is_new: false, edits }])
}

#[derive(Default)]
struct Taken {
    all: BTreeSet<Edit>,
    /// Ends of replaced ranges, by starts.
    replaced: BTreeMap<u32, u32>,
    inserted: BTreeSet<u32>,
}

impl Taken {
    /// Returns `true` if an edit was already taken, or overlaps with one that was.
    fn meets(&self, edit: &Edit) -> bool {
        let before = self.replaced.range(..edit.end).next_back();
        let holds_insertion =
            || edit.start < edit.end && self.inserted.range(edit.start + 1..edit.end).next().is_some();
        before.is_some_and(|(_, end)| edit.start < *end) || self.all.contains(edit) || holds_insertion()
    }

    fn add(&mut self, edit: &Edit) {
        self.all.insert(edit.clone());
        if edit.start < edit.end {
            self.replaced.insert(edit.start, edit.end);
        } else {
            self.inserted.insert(edit.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_share_a_byte_are_not_applied_together() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            let (mut taken, mut known) = (Taken::default(), Vec::<Edit>::new());
            for _ in 0..12 {
                let start = random.u32(..20);
                let edit = Edit::new(start, start + random.u32(..4), ["a", "b"][random.usize(..2)]);
                let meets =
                    known.iter().any(|other| edit.start < other.end && other.start < edit.end || edit == *other);
                assert_eq!(taken.meets(&edit), meets, "{edit:?} {known:?}");
                if !meets {
                    taken.add(&edit);
                    known.push(edit);
                }
            }
        }
    }
}
