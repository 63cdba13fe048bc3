//! Lists and objects: their elements are evaluated, and `AWS::NoValue` is removed.

use formwork_syntax::tree::rewritten::{Entries, Items};
use formwork_syntax::{Entry, NodeId, Origin, Style, Tree, flags};

use super::Evaluator;
use crate::collected_secrets::CollectedSecrets;
use crate::outcome::Outcome;

impl Evaluator<'_> {
    pub(super) fn resolve_list(&mut self, id: NodeId) -> Outcome {
        self.resolve_rest(id, &[])
    }

    /// Resolves a list of which some elements were resolved before. Nothing is resolved twice, which would double the
    /// time at each level of nesting.
    pub(crate) fn resolve_rest(&mut self, id: NodeId, resolved: &[Option<Outcome>]) -> Outcome {
        let (mut items, mut known, mut secrets) = (Items::default(), true, CollectedSecrets::default());
        for at in 0..self.tree.len(id) {
            let item = self.tree.items(id)[at];
            if self.is_dropped_null(item) {
                items.put(self.tree, id, at, None);
                continue;
            }
            let outcome = if let Some(&Some(outcome)) = resolved.get(at) {
                outcome
            } else {
                self.path.push(item);
                let outcome = self.resolve_child(id, item);
                self.path.pop();
                outcome
            };
            if outcome == Outcome::Poison && self.diagnostics.is_cancelled() {
                return Outcome::Poison;
            }
            known &= matches!(outcome, Outcome::Known(_) | Outcome::Omit(_));
            secrets.add(outcome);
            items.put(self.tree, id, at, outcome.written(item));
        }
        let changed = items.changed();
        let made = self.collection(id, known, changed, |tree, items, origin, style| tree.list(items, style, origin));
        self.with_secrets(made, secrets.found(), |tree, kept, found| {
            let mut items = tree.items(kept).to_vec();
            for &(at, value) in found {
                items[at] = value;
            }
            tree.list(&items, tree.style(kept), Origin::Generated(id, tree.frame_of(id)))
        })
    }

    pub(super) fn resolve_map(&mut self, id: NodeId) -> Outcome {
        let (mut entries, mut known, mut secrets) = (Entries::default(), true, CollectedSecrets::default());
        for at in 0..self.tree.len(id) {
            let entry = self.tree.entry(id, at);
            if self.is_dropped_null(entry.value) {
                entries.put(self.tree, id, at, None);
                continue;
            }
            if self.is_left_loop(id, entry) {
                known = false;
                secrets.add(Outcome::Residual(entry.value));
                entries.put(self.tree, id, at, Some(entry.value));
                continue;
            }
            self.path.push(entry.key);
            let outcome = self.resolve_child(id, entry.value);
            self.path.pop();
            if outcome == Outcome::Poison && self.diagnostics.is_cancelled() {
                return Outcome::Poison;
            }
            known &= matches!(outcome, Outcome::Known(_) | Outcome::Omit(_));
            secrets.add(outcome);
            entries.put(self.tree, id, at, outcome.written(entry.value));
        }
        let changed = entries.changed();
        let made = self.collection(id, known, changed, |tree, entries, origin, style| tree.map(entries, style, origin));
        self.with_secrets(made, secrets.found(), |tree, kept, found| {
            let mut entries: Vec<Entry> = tree.entries(kept).collect();
            for &(at, value) in found {
                entries[at].value = value;
            }
            tree.map(&entries, tree.style(kept), Origin::Generated(id, tree.frame_of(id)))
        })
    }

    /// Returns the outcome of a list or object that is known, in part secret. `values` builds it with these values in
    /// their places.
    fn with_secrets(
        &mut self,
        kept: Outcome,
        found: &[(usize, NodeId)],
        values: impl FnOnce(&mut Tree, NodeId, &[(usize, NodeId)]) -> NodeId,
    ) -> Outcome {
        match kept {
            Outcome::Residual(kept) if !found.is_empty() => {
                Outcome::Secret { value: values(self.tree, kept, found), kept }
            }
            outcome => outcome,
        }
    }

    fn collection<T>(
        &mut self,
        id: NodeId,
        known: bool,
        changed: Option<&[T]>,
        make: impl FnOnce(&mut Tree, &[T], Origin, Style) -> NodeId,
    ) -> Outcome {
        let node = match changed {
            Some(changed) => {
                let origin = Origin::Generated(id, self.tree.frame_of(id));
                let style = self.tree.style(id);
                make(self.tree, changed, origin, style)
            }
            None => id,
        };
        if known { Outcome::Known(node) } else { Outcome::Residual(node) }
    }

    /// Returns `true` for a loop that is kept for CloudFormation as it is: its variable has no value here.
    pub(crate) fn is_left_loop(&self, map: NodeId, entry: Entry) -> bool {
        self.tree.has(map, flags::HAS_LOOP) && self.tree.loop_name(entry.key).is_some()
    }

    /// Builds the list of arguments of a call that stays, with its `AWS::NoValue`s.
    pub(crate) fn argument_list(&mut self, list: NodeId, outcomes: &[Outcome]) -> NodeId {
        let mut items = Items::default();
        for at in 0..self.tree.len(list) {
            let original = self.tree.items(list)[at];
            items.put(self.tree, list, at, outcomes.get(at).map(|outcome| outcome.as_argument(original)));
        }
        items.changed().map_or(list, |items| self.list_like(list, items))
    }

    /// Builds a list with these items in the place of `list`, or returns `list` if nothing changed.
    pub(crate) fn list_like(&mut self, list: NodeId, items: &[NodeId]) -> NodeId {
        if self.tree.items(list) == items {
            return list;
        }
        let origin = Origin::Generated(list, self.tree.frame_of(list));
        let style = self.tree.style(list);
        self.tree.list(items, style, origin)
    }
}
