//! Applies all safe fixes of the file, as `check --fix` does.

use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::trial;

pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    if !spot.ide.compilation().diagnostics().iter().any(|found| found.fix.as_ref().is_some_and(|fix| fix.is_safe)) {
        return None;
    }
    let fixed = trial(spot.ide, &[]).analyze(spot.ide.root()).fix(false);
    if fixed.applied.is_empty() || fixed.before == fixed.after || fixed.before != spot.text() {
        return None;
    }
    let edit = difference(&fixed.before, &fixed.after);
    Some(spot.action("fix all problems that can be fixed safely", ActionKind::FixAll, vec![edit]))
}

fn difference(before: &str, after: &str) -> Edit {
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let start = before.floor_char_boundary(same.min(after.floor_char_boundary(same)));
    let (old, new) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let tail = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    let mut tail = tail;
    while !old.is_char_boundary(old.len() - tail) || !new.is_char_boundary(new.len() - tail) {
        tail -= 1;
    }
    let text = new.get(..new.len() - tail).unwrap_or_default();
    Edit::new(start as u32, (before.len() - tail) as u32, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    #[test]
    fn one_edit_leads_from_one_text_to_the_other() {
        for (before, after) in [("abc", "axc"), ("", "x"), ("aé", "aè"), ("aa", "a"), ("ab", "abab"), ("x", "x")] {
            assert_eq!(apply(before, &[difference(before, after)]), after);
        }
    }
}
