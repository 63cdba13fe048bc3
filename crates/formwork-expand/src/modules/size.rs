//! Bounds on what modules make: outputs that hold each other may grow without end (spec modules.md,
//! section 6.1).

use formwork_syntax::{Kind, NodeId};

use super::Linker;
use super::instance::Scope;

/// Most nodes of the result.
const NODES: u32 = 1_000_000;

impl Linker<'_> {
    /// Reports when the result has too many nodes or is too deep to be written. Parts that are shared
    /// count each time.
    pub(super) fn check_size(&mut self, root: NodeId) {
        // By node: how many nodes it has, itself included, and how deep it is; zero is not yet known.
        let mut known: Vec<(u32, u32)> = vec![(0, 0); self.tree.node_count() + 1];
        let mut open = vec![(root, false)];
        while let Some((node, is_below_done)) = open.pop() {
            if known[node.index()].0 > 0 {
                continue;
            }
            if !is_below_done {
                open.push((node, true));
                self.each_below(node, |child| {
                    if known[child.index()].0 == 0 {
                        open.push((child, false));
                    }
                });
                continue;
            }
            let (mut size, mut depth) = (1u32, 0);
            self.each_below(node, |child| {
                let (own, deep) = known[child.index()];
                size = size.saturating_add(own.max(1));
                depth = depth.max(deep);
            });
            known[node.index()] = (size, depth + 1);
        }
        let (size, depth) = known[root.index()];
        // Large templates without modules have bounds of their own.
        if size > NODES && self.instances.len() > 1 {
            self.stop(Scope::ROOT, root, &format!("the result of modules has more than {NODES} nodes"));
        }
        // Sections and members stand above what one file may hold.
        let most = self.limits.depth + 8;
        if depth as usize > most {
            self.stop(Scope::ROOT, root, &format!("the result of modules is nested deeper than {most} levels"));
        }
    }

    /// Calls `visit` with what lies in a list, map or call and may hold more; single values count one.
    fn each_below(&self, node: NodeId, mut visit: impl FnMut(NodeId)) {
        match self.tree.kind(node) {
            Kind::List => self.tree.items(node).iter().for_each(|&item| visit(item)),
            Kind::Map => self.tree.entries(node).for_each(|entry| visit(entry.value)),
            Kind::Call => visit(self.tree.call(node).1),
            _ => {}
        }
    }
}
