//! Bounds on what loops make, checked before it is made.

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{NodeId, flags, function};

use super::Expander;
use super::collection::Loop;
use super::parts::MapParts;

/// The loop of a message: `loop Topics`, `Fn::Map`.
pub(super) fn loop_text(name: &str) -> String {
    if name == Known::Map.long() { name.to_owned() } else { format!("loop {}", shown(name)) }
}

impl Expander<'_, '_> {
    /// Accounts for the iterations of a loop before they are made, loops in its fragment counted once; false when a limit is exceeded.
    pub(super) fn charge(&mut self, key: NodeId, name: &str, needed: u64, items: u64, fragment: NodeId) -> bool {
        let limits = self.ev.settings.limits;
        let size = self.ev.tree.size(fragment);
        let (nodes, bytes) = (size.nodes.saturating_mul(items), size.bytes.saturating_mul(items));
        let shown_name = loop_text(name);
        let over = if self.iterations.saturating_add(needed) > limits.iterations {
            Some((needed, "iterations", limits.iterations))
        } else if self.output_nodes.saturating_add(nodes) > limits.output_nodes {
            Some((nodes, "nodes of output", limits.output_nodes))
        } else if self.output_bytes.saturating_add(bytes) > limits.output_bytes {
            Some((bytes, "bytes of output", limits.output_bytes))
        } else {
            None
        };
        if let Some((count, what, limit)) = over {
            let message = format!("{shown_name} makes {count} {what}, too many: the limit of {limit} is exceeded");
            self.stopped = true;
            let span = self.ev.tree.span(key);
            self.report(
                Diagnostic::new(codes::LIMIT, message)
                    .at(span)
                    .note("a stack has at most 500 resources")
                    .help("shorten the collections, or nest fewer loops"),
            );
            return false;
        }
        self.iterations += items;
        self.output_nodes += nodes;
        self.output_bytes += bytes;
        true
    }

    /// Iterations of the loops inside a fragment, for one iteration around them, as far as their
    /// collections do not depend on it.
    pub(super) fn estimate(&mut self, node: NodeId) -> u64 {
        if !self.ev.tree.has(node, flags::HAS_LOOP) {
            return 0;
        }
        if let Some(argument) = self.ev.tree.argument_of(node, Known::Map) {
            let parts = MapParts::read(self.ev.tree, argument).filter(|_| !self.bad.contains(&node));
            return parts.map_or(0, |parts| self.estimate_loop(Loop::Map(node), parts.collection, parts.fragment));
        }
        let keys: Vec<NodeId> = self.ev.tree.entries(node).map(|entry| entry.key).collect();
        let mut sum: u64 = 0;
        for (at, child) in self.ev.tree.children(node).into_iter().enumerate() {
            let key = keys.get(at).copied();
            let name = key.and_then(|key| function::loop_name(self.ev.tree.text(key))).map(str::to_owned);
            sum = sum.saturating_add(match (key.zip(name), self.ev.tree.items(child)) {
                (None, _) => self.estimate(child),
                (Some((key, name)), &[_, collection, fragment]) if !self.bad.contains(&key) => {
                    self.estimate_loop(Loop::ForEach(key, &name), collection, fragment)
                }
                _ => 0,
            });
        }
        sum
    }

    fn estimate_loop(&mut self, of: Loop<'_>, collection: NodeId, fragment: NodeId) -> u64 {
        if self.uses.varies(collection) {
            return 0;
        }
        let items = self.items(of, collection).map_or(0, |items| items.len() as u64);
        items.saturating_mul(self.estimate(fragment).max(1))
    }
}
