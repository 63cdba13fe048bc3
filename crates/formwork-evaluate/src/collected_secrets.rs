//! Secrets among the elements of a list, or the values of an object (reference/parameters.md#no-echo).

use formwork_syntax::NodeId;

use crate::outcome::Outcome;

/// Collects the secrets of a list or object, while its elements become known one after another.
#[derive(Debug, Default)]
pub(crate) struct CollectedSecrets {
    count: usize,
    /// Positions of secret elements, with their values.
    found: Vec<(usize, NodeId)>,
    is_open: bool,
}

impl CollectedSecrets {
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Omit(_) => return,
            Outcome::Known(_) => {}
            Outcome::Secret { value, .. } => self.found.push((self.count, value)),
            Outcome::Residual(_) | Outcome::Poison => self.is_open = true,
        }
        self.count += 1;
    }

    /// Returns the secrets if all other elements are known, else none.
    pub(crate) fn found(&self) -> &[(usize, NodeId)] {
        if self.is_open { &[] } else { &self.found }
    }
}
