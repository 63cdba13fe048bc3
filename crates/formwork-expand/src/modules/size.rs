//! Bounds on what modules make: outputs that hold each other may grow without end (spec modules.md,
//! section 6.1).

use formwork_syntax::{Kind, NodeId};
use rustc_hash::FxHashMap;

use super::Linker;
use super::instance::Scope;

/// Most nodes of the result.
const NODES: u64 = 1_000_000;

impl Linker<'_> {
    /// Reports when the result has too many nodes or is too deep to be written. Parts that are shared
    /// count each time.
    pub(super) fn check_size(&mut self, root: NodeId) {
        let mut known: FxHashMap<NodeId, (u64, usize)> = FxHashMap::default();
        let mut open = vec![(root, false)];
        while let Some((node, is_below_done)) = open.pop() {
            if known.contains_key(&node) {
                continue;
            }
            let below = self.below(node);
            if !is_below_done {
                open.push((node, true));
                open.extend(below.into_iter().filter(|child| !known.contains_key(child)).map(|child| (child, false)));
                continue;
            }
            let (mut size, mut depth) = (1u64, 0);
            for child in below {
                let (own, deep) = known.get(&child).copied().unwrap_or((1, 0));
                size = size.saturating_add(own);
                depth = depth.max(deep);
            }
            known.insert(node, (size, depth + 1));
        }
        let (size, depth) = known.get(&root).copied().unwrap_or((0, 0));
        // Large templates without modules have bounds of their own.
        if size > NODES && self.instances.len() > 1 {
            self.stop(Scope::ROOT, root, &format!("the result of modules has more than {NODES} nodes"));
        }
        // Sections and members stand above what one file may hold.
        let most = self.limits.depth + 8;
        if depth > most {
            self.stop(Scope::ROOT, root, &format!("the result of modules is nested deeper than {most} levels"));
        }
    }

    fn below(&self, node: NodeId) -> Vec<NodeId> {
        match self.tree.kind(node) {
            Kind::List => self.tree.items(node).to_vec(),
            Kind::Map => self.tree.entries(node).map(|entry| entry.value).collect(),
            Kind::Call => vec![self.tree.call(node).1],
            _ => Vec::new(),
        }
    }
}
