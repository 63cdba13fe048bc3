//! Running a loop, whichever way it is written.

use std::rc::Rc;

use formwork_base::FrameKind;
use formwork_syntax::{FrameId, FrameRecord, NodeId, Origin};

use super::Expander;
use super::collection::Item;

/// A loop whose items are known.
pub(super) struct Iteration<'r> {
    /// The key or name of the function, where the loop stands.
    pub(super) site: NodeId,
    /// Name of the loop.
    pub(super) name: &'r str,
    pub(super) items: Vec<Item>,
    /// What is made of each item.
    pub(super) fragment: NodeId,
    /// Name of the variable that holds the number of the item, or its key in an object.
    pub(super) position: Option<Rc<str>>,
    /// Name of the variable that holds the item.
    pub(super) variable: Rc<str>,
    /// Whether the item may be an object, and the variables of `Fn::Sub` hide it.
    pub(super) of_map: bool,
}

impl Expander<'_, '_> {
    /// Runs `work` in each iteration, its variables bound, unless a limit is exceeded.
    pub(super) fn run_round(&mut self, round: &Iteration<'_>, mut work: impl FnMut(&mut Self)) {
        let count = round.items.len() as u64;
        let needed = count.saturating_mul(self.estimate(round.fragment).max(1));
        if !self.charge(round.site, round.name, needed, count, round.fragment) {
            return;
        }
        self.record(round.site, round.items.len());
        let tree = &mut *self.ev.tree;
        let position = round.position.as_ref().map(|name| tree.intern(name));
        let (variable, loop_name) = (tree.intern(&round.variable), tree.intern(round.name));
        let site = tree.span(round.site);
        let outer = self.frame;
        for (index, item) in round.items.iter().enumerate() {
            let place = position.map(|symbol| (symbol, self.position(item.member, index, round.site)));
            self.frame = self.ev.tree.frames_mut().push(FrameRecord {
                parent: outer,
                kind: FrameKind::Loop,
                site,
                name: variable,
                loop_name,
                value: Some(item.value),
                index: index as u32,
                position: place,
                item: item.place,
            });
            self.ev.set_frame(self.frame);
            let depth = self.bindings.len();
            if let (Some(name), Some((_, node))) = (&round.position, place) {
                self.bind(name, node, true);
            }
            self.bind(&round.variable, item.value, round.of_map);
            work(self);
            self.bindings.truncate(depth);
            self.stopped |= self.ev.diagnostics.is_cancelled();
            if self.stopped {
                break;
            }
        }
        self.frame = outer;
        self.ev.set_frame(outer);
    }

    /// What the variable for the position holds: the key of an object's member, else the number.
    fn position(&mut self, member: Option<NodeId>, index: usize, site: NodeId) -> NodeId {
        member.unwrap_or_else(|| self.ev.tree.computed(&index.to_string(), Origin::Generated(site, FrameId::NONE)))
    }
}
