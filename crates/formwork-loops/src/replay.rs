//! Replay of the expansion of a loop body in one iteration, for queries about origins after the template was expanded.

use std::rc::Rc;

use formwork_base::{FrameKind, IdMap, IdSet};
use formwork_evaluate::Evaluator;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, FrameRecord, NodeId};

use super::loop_dependence::LoopDependence;
use super::repeat::Copies;
use super::survey::survey;
use super::{Expander, Rules, sections_of};

/// Repeats the expansion of single nodes.
pub struct Replay<'x, 'e> {
    expander: Expander<'x, 'e>,
}

impl<'x, 'e> Replay<'x, 'e> {
    /// Returns a replay for the template with these roots before the expansion of its loops: some are expanded with the
    /// modules of the template, others later. Repeated diagnostics are added to those of `ev`.
    pub fn new(ev: &'x mut Evaluator<'e>, roots: &[NodeId]) -> Replay<'x, 'e> {
        let rules = Rules::of(ev);
        let none = IdSet::default();
        let mut uses = LoopDependence::new(ev.tree);
        for &root in roots {
            uses.add(&survey(ev, root, &sections_of(ev.tree, root), rules, &none).uses);
        }
        Replay { expander: Expander::new(ev, uses, IdSet::default(), rules) }
    }

    /// Returns the evaluator for changes.
    pub fn evaluator(&mut self) -> &mut Evaluator<'e> {
        self.expander.ev
    }

    /// Returns the evaluator.
    pub fn seen(&self) -> &Evaluator<'e> {
        self.expander.ev
    }

    /// Enters a context: the variables of its loops are bound to their items.
    pub fn enter(&mut self, frame: FrameId) {
        let expander = &mut self.expander;
        let tree = &*expander.ev.tree;
        let mut found: Vec<(Rc<str>, NodeId, bool)> = Vec::new();
        for (_, record) in tree.frames().chain(frame).filter(|(_, record)| record.kind == FrameKind::Loop) {
            let of_map = expander.rules.formwork || tree.name(record.loop_name) == Known::Map.long();
            let value = record.value.map(|item| (record.name, item, of_map));
            let position = record.position.and_then(|(name, item)| Some((name, item?, true)));
            let variables = [value, position].into_iter().flatten();
            found.extend(variables.map(|(name, item, of_map)| (tree.name(name).into(), item, of_map)));
        }
        expander.bindings.clear();
        for (name, item, of_map) in found.iter().rev() {
            expander.bind(name, *item, *of_map);
        }
        self.expander.frame = frame;
        self.expander.strings.plans = IdMap::default();
        self.expander.copies = Copies::default();
        self.expander.ev.set_frame(frame);
    }

    /// Returns the loop frame that binds a variable to its item in a context.
    pub fn binding(&self, frame: FrameId, name: &str) -> Option<(FrameId, FrameRecord)> {
        let tree = &*self.expander.ev.tree;
        tree.frames().chain(frame).find(|(_, record)| {
            let is_position = record.position.is_some_and(|(position, _)| tree.name(position) == name);
            record.kind == FrameKind::Loop && (tree.name(record.name) == name || is_position)
        })
    }

    /// Returns an authored node with the items of the current context; `None` when it resolved to nothing.
    pub fn instantiate(&mut self, node: NodeId) -> Option<NodeId> {
        self.expander.instantiate(node)
    }

    /// Returns a key with the items of the current context.
    pub fn key(&self, text: &str) -> String {
        self.expander.text_now(text)
    }

    /// Returns `true` when a loop's variable, or a loop, is at or below the node.
    pub fn is_touched(&self, node: NodeId) -> bool {
        self.expander.uses.is_touched(node)
    }
}
