//! Limits of the output of loops, checked before it is generated.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, NodeId, View, flags};

use super::Expander;
use super::parts::Loop;

impl Expander<'_, '_> {
    /// Charges the iterations of a loop before they run, loops in its fragment counted once. Returns `false` when a
    /// limit is exceeded.
    pub(super) fn charge(&mut self, of: &Loop, items: u64) -> bool {
        let needed = items.saturating_mul(self.estimate(of.fragment).max(1));
        let limits = self.ev.settings.limits;
        let size = self.ev.tree.size(of.fragment);
        let (nodes, bytes) = (size.nodes.saturating_mul(items), size.bytes.saturating_mul(items));
        let budgets = [
            (needed, "iterations", self.spent.iterations, limits.iterations),
            (nodes, "nodes of output", self.spent.output_nodes, limits.output_nodes),
            (bytes, "bytes of output", self.spent.output_bytes, limits.output_bytes),
        ];
        let over = budgets.into_iter().find(|&(count, _, used, limit)| used.saturating_add(count) > limit);
        if let Some((count, what, _, limit)) = over {
            let name = shown(of.name(self.ev.tree));
            let name = if of.is_map { name } else { format!("loop {name}") };
            let message = format!("{name} generates {count} {what}: the limit of {limit} is exceeded");
            self.stopped = true;
            let span = self.ev.tree.span(of.site);
            self.report(
                Diagnostic::new(codes::LIMIT, message)
                    .at(span)
                    .note("a stack has at most 500 resources")
                    .help("shorten the collections, or nest fewer loops"),
            );
            return false;
        }
        if self.spent.iterations == 0 {
            self.ev.tree.reserve_copies(needed);
        }
        self.spent.iterations += items;
        self.spent.output_nodes += nodes;
        self.spent.output_bytes += bytes;
        true
    }

    /// Returns the iterations of the loops inside a fragment, for one iteration around them, as far as their
    /// collections do not depend on it.
    fn estimate(&mut self, node: NodeId) -> u64 {
        if !self.ev.tree.has(node, flags::HAS_LOOP) {
            return 0;
        }
        let tree = &*self.ev.tree;
        if tree.argument_of(node, Known::Map).is_some() {
            return Loop::map(tree, node).map_or(0, |of| self.estimate_loop(&of));
        }
        let below: Vec<(Option<Entry>, NodeId)> = match tree.view(node) {
            View::Map => tree.entries(node).map(|entry| (Some(entry), entry.value)).collect(),
            _ => tree.child_nodes(node).map(|child| (None, child)).collect(),
        };
        let outer = self.copied.is_inside;
        self.copied.is_inside |= self.is_copied(node);
        let count = |(entry, child): (Option<Entry>, NodeId)| {
            let entry = entry.filter(|entry| self.ev.tree.loop_name(entry.key).is_some());
            let Some(entry) = entry else { return self.estimate(child) };
            Loop::for_each(self.ev.tree, entry).map_or(0, |of| self.estimate_loop(&of))
        };
        let estimated = below.into_iter().map(count).fold(0, u64::saturating_add);
        self.copied.is_inside = outer;
        estimated
    }

    fn estimate_loop(&mut self, of: &Loop) -> u64 {
        if self.bad.contains(&of.id) || self.uses.varies(of.collection) || self.waits(of.collection) {
            return 0;
        }
        let items = self.items(of).map_or(0, |items| items.len() as u64);
        items.saturating_mul(self.estimate(of.fragment).max(1))
    }
}
