//! Quick fixes, of which a range may have as many as diagnostics: the first ones are compiled, and of the others it is only
//! known what they would do.

use formwork::{Cancelled, Code};

use crate::actions::{Action, Spot};
use crate::proof::suppresses;

/// Most quick fixes of a range.
const MOST: usize = 50;
/// Most of them that are compiled before they are offered: as many as a place has.
const MOST_PROVED: usize = 16;

/// A quick fix that nobody has compiled yet.
pub(super) struct Candidate {
    action: Action,
    has_to: HasTo,
}

/// What a quick fix has to do so that it is offered.
enum HasTo {
    /// It is proved.
    Nothing,
    /// No diagnostic is new.
    AddNothing,
    /// The same, and a code is reported less often.
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

/// The quick fixes of a range.
pub(super) struct Candidates<'c, 's, 'h> {
    spot: &'c Spot<'s, 'h>,
    /// Whether what is not compiled is offered, too.
    are_open: bool,
    /// The title of the only one that is wanted.
    wanted: Option<&'c str>,
    proofs: usize,
    found: Vec<Action>,
}

impl<'c, 's, 'h> Candidates<'c, 's, 'h> {
    pub(super) fn new(spot: &'c Spot<'s, 'h>, are_open: bool) -> Candidates<'c, 's, 'h> {
        Candidates { spot, are_open, wanted: None, proofs: 0, found: Vec::new() }
    }

    /// Those with a title, compiled.
    pub(super) fn named(spot: &'c Spot<'s, 'h>, title: &'c str) -> Candidates<'c, 's, 'h> {
        Candidates { wanted: Some(title), ..Candidates::new(spot, false) }
    }

    /// Whether no more are taken.
    pub(super) fn are_enough(&self) -> bool {
        let is_at_limit = !self.are_open && self.proofs >= MOST_PROVED;
        is_at_limit || self.found.len() >= MOST || self.spot.before.cancellation().is_cancelled()
    }

    /// Whether an action of this title may be new.
    pub(super) fn wants(&self, title: &str) -> bool {
        self.wanted.is_none_or(|wanted| wanted == title) && !self.has(title)
    }

    /// Whether an action of this title is there.
    fn has(&self, title: &str) -> bool {
        self.found.iter().any(|known| known.title == title)
    }

    /// Adds one, unless it is there or does what it must not.
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

    /// All that were found.
    ///
    /// # Errors
    /// [`Cancelled`], when nobody waits for them any more.
    pub(super) fn found(self) -> Result<Vec<Action>, Cancelled> {
        self.spot.before.cancellation().check()?;
        Ok(self.found)
    }
}
