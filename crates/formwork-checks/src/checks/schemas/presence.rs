//! The presence of a name in an object.

use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View};

use super::walk::Walk;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Absent,
    Present,
    /// Decided by a condition.
    Open,
}

impl Walk<'_> {
    /// Returns the presence of a property; `AWS::NoValue` and null are absent.
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
