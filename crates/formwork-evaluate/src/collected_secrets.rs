//! Secrets among the elements of a list, or the values of an object (reference/parameters.md#no-echo).

use formwork_syntax::NodeId;

use crate::outcome::Outcome;

/// What is secret of a list or object, while its elements become known one after another.
#[derive(Debug, Default)]
pub(crate) struct CollectedSecrets {
    /// The number of elements that are written so far.
    count: usize,
    /// The places of secret elements among them, with their values.
    found: Vec<(usize, NodeId)>,
    /// Whether the value of some element is not known.
    is_open: bool,
}

impl CollectedSecrets {
    /// Adds an element.
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Omit(_) => return,
            Outcome::Known(_) => {}
            Outcome::Secret { value, .. } => self.found.push((self.count, value)),
            Outcome::Residual(_) | Outcome::Poison => self.is_open = true,
        }
        self.count += 1;
    }

    /// The secrets, where all other elements are known.
    pub(crate) fn found(&self) -> &[(usize, NodeId)] {
        if self.is_open { &[] } else { &self.found }
    }
}
