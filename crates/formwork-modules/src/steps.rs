//! Written names, and walks along the steps of their paths.

use formwork_base::display::shown;
use formwork_syntax::{Kind, NodeId, Origin, Style};

use super::Linker;
use super::instance::InstanceId;
use super::path::Step;

impl Linker<'_> {
    /// Returns the name in the argument of `Ref` or `Fn::GetAtt`, whose parts may be elements of a list.
    pub(super) fn written_name(&self, argument: NodeId) -> String {
        match self.tree.items(argument) {
            parts if !parts.is_empty() && parts.iter().all(|&part| self.tree.is_scalar(part)) => {
                parts.iter().map(|&part| self.tree.text(part)).collect::<Vec<_>>().join(".")
            }
            _ => self.tree.text(argument).to_owned(),
        }
    }

    pub(super) fn members(&self, value: NodeId) -> Option<String> {
        let keys: Vec<&str> = self.names_in(Some(value)).collect();
        (!keys.is_empty()).then(|| format!("its keys are {}", shown(&keys.join(", "))))
    }

    /// Returns the value at the end of the steps from a known one; an error is the step that does not exist
    /// (reference/modules/functions.md#get-att).
    pub(super) fn walk_steps(
        &mut self,
        value: NodeId,
        steps: &[Step<'_>],
        at: NodeId,
        scope: InstanceId,
    ) -> Result<NodeId, String> {
        let Some((step, rest)) = steps.split_first() else { return Ok(value) };
        let kind = self.tree.kind(value);
        let next = match kind {
            Kind::Map | Kind::List if step.is_all() => {
                let origin = Origin::Generated(at, self.frame_at(at, scope));
                let items: Vec<NodeId> = if kind == Kind::Map && rest.is_empty() {
                    let keys: Vec<String> = self.names_in(Some(value)).map(str::to_owned).collect();
                    keys.iter().map(|key| self.tree.computed(key, origin)).collect()
                } else {
                    let values = self.tree.children(value).into_iter();
                    values.filter_map(|value| self.walk_steps(value, rest, at, scope).ok()).collect()
                };
                return Ok(self.tree.list(&items, Style::Plain, origin));
            }
            Kind::Map => self.tree.get_text(value, step.text),
            Kind::List => step.index().and_then(|at| self.tree.items(value).get(at).copied()),
            _ => None,
        };
        self.walk_steps(next.ok_or_else(|| step.text.to_owned())?, rest, at, scope)
    }
}
