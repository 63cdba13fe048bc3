//! The quick fixes of a range, which may be as many as its diagnostics: the first ones are verified by compiling, the
//! others only collected.

use formwork::{Cancelled, Code};

use crate::actions::{Action, Spot};
use crate::proof::suppresses;

const MOST: usize = 50;
/// The largest number of quick fixes that are compiled before they are offered: as many as a place has.
const MOST_PROVED: usize = 16;

pub(super) struct Candidate {
    action: Action,
    has_to: HasTo,
}

/// The requirement for offering a quick fix.
enum HasTo {
    Nothing,
    AddNothing,
    /// Adds no diagnostic, and a code is reported less often.
    Suppress(Code),
}

impl Candidate {
    pub(super) fn proved(action: Action) -> Candidate {
        Candidate { action, has_to: HasTo::Nothing }
    }

    pub(super) fn adding_nothing(action: Action) -> Candidate {
        Candidate { action, has_to: HasTo::AddNothing }
    }

    pub(super) fn suppressing(action: Action, code: Code) -> Candidate {
        Candidate { action, has_to: HasTo::Suppress(code) }
    }
}

pub(super) struct Candidates<'c, 's, 'h> {
    spot: &'c Spot<'s, 'h>,
    /// Set to offer fixes that were not compiled, too.
    are_open: bool,
    /// The title of the only fix to return.
    wanted: Option<&'c str>,
    proofs: usize,
    found: Vec<Action>,
}

impl<'c, 's, 'h> Candidates<'c, 's, 'h> {
    pub(super) fn new(spot: &'c Spot<'s, 'h>, are_open: bool) -> Candidates<'c, 's, 'h> {
        Candidates { spot, are_open, wanted: None, proofs: 0, found: Vec::new() }
    }

    /// Collects only the fixes with a title, compiled.
    pub(super) fn named(spot: &'c Spot<'s, 'h>, title: &'c str) -> Candidates<'c, 's, 'h> {
        Candidates { wanted: Some(title), ..Candidates::new(spot, false) }
    }

    /// Returns `true` if no more fixes are accepted.
    pub(super) fn are_enough(&self) -> bool {
        let is_at_limit = !self.are_open && self.proofs >= MOST_PROVED;
        is_at_limit || self.found.len() >= MOST || self.spot.before.cancellation().is_cancelled()
    }

    pub(super) fn wants(&self, title: &str) -> bool {
        self.wanted.is_none_or(|wanted| wanted == title) && !self.has(title)
    }

    fn has(&self, title: &str) -> bool {
        self.found.iter().any(|known| known.title == title)
    }

    /// Adds a fix, unless it was already added or fails its requirement.
    pub(super) fn add(&mut self, candidate: Candidate) {
        let Candidate { mut action, has_to } = candidate;
        let is_known = |known: &Action| known.title == action.title && known.edits == action.edits;
        if self.are_enough()
            || self.wanted.is_some_and(|wanted| wanted != action.title)
            || self.found.iter().any(is_known)
        {
            return;
        }
        if matches!(has_to, HasTo::Nothing) || self.proofs < MOST_PROVED {
            if self.is_proved(&action, &has_to) {
                action.is_proved = true;
                self.found.push(action);
            }
        } else if self.are_open {
            action.is_proved = false;
            self.found.push(action);
        }
    }

    fn is_proved(&mut self, action: &Action, has_to: &HasTo) -> bool {
        let spot = self.spot;
        let code = match has_to {
            HasTo::Nothing => return true,
            HasTo::AddNothing => None,
            HasTo::Suppress(code) => Some(*code),
        };
        self.proofs += 1;
        match code {
            None => spot.before.adds_nothing(&action.edits),
            Some(code) => matches!(suppresses(spot.ide, &action.edits, code, spot.before.cancellation()), Ok(true)),
        }
    }

    /// Returns all actions.
    ///
    /// # Errors
    /// [`Cancelled`] when the caller no longer waits for them.
    pub(super) fn found(self) -> Result<Vec<Action>, Cancelled> {
        self.spot.before.cancellation().check()?;
        Ok(self.found)
    }
}
