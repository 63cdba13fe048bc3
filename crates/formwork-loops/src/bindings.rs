//! Look-up of variables of the surrounding loops by name.

use formwork_syntax::NodeId;

use super::Expander;

impl Expander<'_, '_> {
    /// Returns the item of the innermost loop with a variable of this name.
    pub(super) fn binding(&self, name: &str) -> Option<NodeId> {
        self.variable(name).map(|variable| self.bindings[variable].item)
    }

    /// Returns the index of the innermost variable of this name; the outermost one has index 0.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.bindings.iter().rposition(|binding| *binding.name == *name)
    }
}
