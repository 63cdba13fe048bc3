//! Bounds on what loops make, checked before it is made.

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, flags, function};

use super::Expander;
use super::parts::MapParts;

/// The loop of a message: `loop Topics`, `Fn::Map`.
pub(super) fn loop_text(name: &str) -> String {
    if name == Known::Map.long() { name.to_owned() } else { format!("loop {}", shown(name)) }
}

impl Expander<'_, '_> {
    /// Accounts for the iterations of a loop before they are made, loops in its fragment counted once; false when a limit is exceeded.
    pub(super) fn charge(&mut self, key: NodeId, name: &str, needed: u64, items: u64, fragment: NodeId) -> bool {
        let limits = self.ev.settings.limits;
        let size = self.sizes.of(self.ev.tree, fragment);
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
        let children: Vec<(Option<NodeId>, NodeId)> = match self.ev.tree.view(node) {
            View::List(items) => items.iter().map(|&item| (None, item)).collect(),
            View::Map => self.ev.tree.entries(node).map(|entry| (Some(entry.key), entry.value)).collect(),
            View::Call(Function::Known(Known::Map), argument) => {
                let Some(parts) = MapParts::read(self.ev.tree, argument) else { return 0 };
                if self.bad.contains(&node) || self.uses.varies(parts.collection) {
                    return 0;
                }
                let items = self.map_collection(node, parts.collection).map_or(0, |items| items.len() as u64);
                return items.saturating_mul(self.estimate(parts.fragment).max(1));
            }
            View::Call(_, argument) => vec![(None, argument)],
            _ => Vec::new(),
        };
        let mut sum: u64 = 0;
        for (key, value) in children {
            let name = key.and_then(|key| function::loop_name(self.ev.tree.text(key))).map(str::to_owned);
            let (Some(key), Some(name)) = (key, name) else {
                sum = sum.saturating_add(self.estimate(value));
                continue;
            };
            let &[_, collection, fragment] = self.ev.tree.items(value) else { continue };
            if self.bad.contains(&key) || self.uses.varies(collection) {
                continue;
            }
            let items = self.items(key, &name, collection).map_or(0, |items| items.len() as u64);
            let inner = self.estimate(fragment).max(1);
            sum = sum.saturating_add(items.saturating_mul(inner));
        }
        sum
    }
}
