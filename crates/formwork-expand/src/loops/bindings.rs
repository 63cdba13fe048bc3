//! The variables of the loops around, by their names.

use formwork_syntax::NodeId;

use super::Expander;

impl Expander<'_, '_> {
    /// The item of the innermost loop with a variable of this name.
    pub(super) fn binding(&self, name: &str) -> Option<NodeId> {
        self.variable(name).map(|variable| self.bindings[variable].item)
    }

    /// The number of the innermost variable of this name, from the outermost.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.bindings.iter().rposition(|binding| *binding.name == *name)
    }
}
