//! Iteration of loops of either kind.

use std::rc::Rc;

use formwork_base::FrameKind;
use formwork_evaluate::{Truth, Visibility};
use formwork_syntax::{FrameId, FrameRecord, NodeId, Origin, Tree, flags};

use super::parts::Loop;
use super::text::text_of;
use super::{Binding, Expander, LoopRun};

impl Expander<'_, '_> {
    /// Runs `work` in each iteration of a loop, its variables bound, unless a limit is exceeded.
    pub(super) fn iterate(&mut self, of: &Loop, mut work: impl FnMut(&mut Self)) {
        self.spent.calls += u64::from(of.is_map);
        if self.bad.contains(&of.id) || self.stopped {
            return;
        }
        let Some(items) = self.items(of) else { return self.leave_unchecked(of) };
        if !self.charge(of, items.len() as u64) {
            return;
        }
        self.record(of.site, items.len());
        let tree = &mut *self.ev.tree;
        let (position, variable) = of.variables(tree);
        let (position_name, variable_name): (Option<Rc<str>>, Rc<str>) = (position.map(Rc::from), variable.into());
        let loop_name = of.name(tree).to_owned();
        let site = tree.span(of.site);
        let (variable, loop_name) = (tree.intern(&variable_name), tree.intern(&loop_name));
        let position = position_name.as_ref().map(|name| tree.intern(name));
        let position_name = position_name.filter(|_| self.uses.has_position(of));
        let bound = position.filter(|_| position_name.is_some());
        let of_map = of.is_map || self.rules.formwork;
        let (outer, outer_scope, depth) = (self.frame, self.scopes.current, self.bindings.len());
        let rounds = self.copies.rounds;
        self.copies.rounds = rounds.saturating_mul(items.len());
        let next = self.scopes.known.len() as u32 + 1;
        self.scopes.current = *self.scopes.known.entry((outer_scope, bound, variable, of_map)).or_insert(next);
        if let Some(name) = &position_name {
            self.bind(name, of.site, true);
        }
        self.bind(&variable_name, of.site, of_map);
        for (index, item) in items.iter().enumerate() {
            let place = bound.map(|_| self.position(item.member, index, of.site));
            self.frame = self.ev.tree.frames_mut().push(FrameRecord {
                parent: outer,
                kind: FrameKind::Loop,
                site,
                name: variable,
                loop_name,
                value: Some(item.value),
                index: index as u32,
                position: position.map(|name| (name, place)),
                item: item.place,
            });
            self.ev.set_frame(self.frame);
            self.rebind(depth, place.into_iter().chain([item.value]));
            if of.when.is_none_or(|when| self.is_wanted(of, when)) {
                work(self);
            }
            self.stopped |= self.ev.diagnostics.is_cancelled();
            if self.stopped {
                break;
            }
        }
        self.bindings.truncate(depth);
        self.copies.rounds = rounds;
        self.scopes.current = outer_scope;
        self.frame = outer;
        self.ev.set_frame(outer);
        if of.is_map {
            self.leave_unchecked(of);
        }
    }

    pub(super) fn bind(&mut self, name: &Rc<str>, item: NodeId, of_map: bool) {
        let (name, text) = (Rc::clone(name), String::new());
        self.bindings.push(Binding {
            name,
            item,
            has_text: false,
            text,
            is_plain: false,
            are_plain: false,
            longest: 0,
            of_map,
        });
        self.rebind(self.bindings.len() - 1, [item]);
    }

    fn rebind(&mut self, first: usize, items: impl IntoIterator<Item = NodeId>) {
        let (outer, own) = self.bindings.split_at_mut(first);
        let (mut longest, mut are_plain) =
            outer.last().map_or((0, true), |binding| (binding.longest, binding.are_plain));
        for (binding, item) in own.iter_mut().zip(items) {
            let text = text_of(self.ev.tree, item);
            binding.item = item;
            binding.has_text = text.is_some();
            binding.text.clear();
            binding.text.push_str(text.unwrap_or_default());
            binding.is_plain = is_plain(self.ev.tree, item);
            are_plain &= binding.is_plain;
            binding.are_plain = are_plain;
            longest = longest.max(binding.text.len());
            binding.longest = longest;
        }
    }

    /// Returns the value of the variable for the position: the key of an object, else the number.
    fn position(&mut self, member: Option<NodeId>, index: usize, site: NodeId) -> NodeId {
        member.unwrap_or_else(|| self.ev.tree.computed(&index.to_string(), Origin::Generated(site, FrameId::NONE)))
    }

    fn is_wanted(&mut self, of: &Loop, when: NodeId) -> bool {
        let Some(node) = self.instantiate(when) else { return false };
        let truth = self.ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.decide(node)));
        if truth == Truth::Unknown {
            self.report_unresolved(of, when, node, "the condition of this iteration is not known");
        }
        truth == Truth::True
    }

    fn record(&mut self, key: NodeId, items: usize) {
        let at = *self.runs.by_key.entry(key).or_insert(self.runs.all.len());
        match self.runs.all.get_mut(at) {
            Some(run) => run.iterations += items as u64,
            None => self.runs.all.push(LoopRun { key, items, iterations: items as u64 }),
        }
    }
}

/// Returns `true` for a string of which no character can become part of a placeholder or an escape with the text around
/// it.
fn is_plain(tree: &Tree, item: NodeId) -> bool {
    let is_usual = |text: &str| !text.is_empty() && !text.bytes().any(|byte| matches!(byte, b'$' | b'&' | b'{'));
    !tree.has(item, flags::INHERITED) && tree.string(item).is_some_and(is_usual)
}
