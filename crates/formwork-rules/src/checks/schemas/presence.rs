//! Whether an object has a name.

use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View};

use super::walk::Walk;

/// Whether a name is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Absent,
    Present,
    /// A condition decides it.
    Open,
}

impl Walk<'_> {
    /// Whether a property is there: its value is not nothing.
    pub(super) fn presence(&self, object: NodeId, name: &str) -> Presence {
        let Some(value) = self.tree.get_text(object, name) else {
            // One mistake is one error: a misspelt key is not a missing one, too.
            let is_meant = self.meant.get(&object).is_some_and(|meant| meant.contains(&name));
            return if is_meant { Presence::Open } else { Presence::Absent };
        };
        match self.tree.view(value) {
            _ if self.is_nothing(value) => Presence::Absent,
            View::Call(Function::Known(Known::If), _) => Presence::Open,
            _ => Presence::Present,
        }
    }
}
