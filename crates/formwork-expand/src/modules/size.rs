//! Bounds on what modules make: outputs that hold each other may grow without end
//! (reference/modules/README.md#limits).

use formwork_syntax::NodeId;

use super::Linker;
use super::goals::Made;
use super::instance::InstanceId;
use crate::budget::is_within_budget;

impl Linker<'_> {
    /// Whether a file with its constants in place may be walked. A constant that is used often is
    /// shared, and counts each time.
    pub(super) fn fits(&mut self, root: NodeId) -> bool {
        let fits = is_within_budget(self.tree, root, &self.limits, self.diagnostics);
        self.stopped |= !fits;
        fits
    }

    /// Reports when the result has too many nodes or is too deep to be written. Parts that are shared
    /// count each time.
    pub(super) fn check_size(&mut self, root: NodeId) -> Made<()> {
        let size = self.tree.size(root);
        // Large templates without modules have bounds of their own.
        let most = self.limits.module_nodes;
        if size.nodes > most && self.instances.len() > 1 {
            self.stop(InstanceId::ROOT, root, &format!("the result of modules has more than {most} nodes"))?;
        }
        // Sections and members stand above what one file may hold.
        let most = self.limits.depth + 8;
        if size.depth as usize > most {
            self.stop(InstanceId::ROOT, root, &format!("the result of modules is nested deeper than {most} levels"))?;
        }
        Ok(())
    }
}
