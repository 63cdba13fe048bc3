//! Loops that wait for the copies of the surrounding resource or import: the items of the loops around them are
//! inserted, and the loops are kept (reference/modules/copies.md#variables).

use formwork_syntax::{Entry, Kind, NodeId, Origin};

use super::Expander;
use super::parts::Loop;

impl Expander<'_, '_> {
    pub(super) fn waiting_loop(&mut self, parts: NodeId) -> NodeId {
        let &[identifier, collection, fragment] = self.ev.tree.items(parts) else { return parts };
        let outer = std::mem::replace(&mut self.copied.is_waiting, true);
        let made = [identifier, self.or_no_value(collection), self.waiting_fragment(fragment)];
        self.copied.is_waiting = outer;
        self.list(parts, &made)
    }

    fn waiting_fragment(&mut self, fragment: NodeId) -> NodeId {
        if self.ev.tree.kind(fragment) != Kind::Map {
            return self.or_no_value(fragment);
        }
        let mut made: Vec<Entry> = self.ev.tree.entries(fragment).collect();
        for Entry { key, value } in &mut made {
            if self.ev.tree.loop_name(*key).is_some() {
                *value = self.waiting_loop(*value);
                continue;
            }
            let (text, style) = (self.text_now(self.ev.tree.text(*key)), self.ev.tree.style(*key));
            if self.ev.tree.text(*key) != text {
                *key = self.ev.tree.key(&text, style, Origin::Generated(*key, self.frame));
            }
            *value = self.or_no_value(*value);
        }
        let style = self.ev.tree.style(fragment);
        self.ev.tree.map(&made, style, Origin::Generated(fragment, self.frame))
    }

    /// Inserts the items of the surrounding loops into a waiting `Fn::Map`, whose own variables hide them in all its
    /// parts but the collection.
    pub(super) fn waiting_map(&mut self, call: NodeId) -> NodeId {
        let tree = &*self.ev.tree;
        let (_, argument) = tree.call(call);
        let Some(of) = Loop::map(tree, call) else { return call };
        let (position, variable) = of.variables(tree);
        let own: Vec<String> = position.into_iter().chain([variable]).map(str::to_owned).collect();
        let mut made: Vec<Entry> = tree.entries(argument).collect();
        let outer = std::mem::replace(&mut self.copied.is_waiting, true);
        for entry in made.iter_mut().filter(|entry| entry.value == of.collection) {
            entry.value = self.or_no_value(entry.value);
        }
        let (bindings, scope) = (self.bindings.clone(), self.scopes.current);
        self.bindings.retain(|binding| !own.iter().any(|name| **name == *binding.name));
        if self.bindings.len() < bindings.len() {
            self.scopes.current = self.scopes.hiding();
        }
        for entry in made.iter_mut().filter(|entry| entry.value != of.collection) {
            if Some(entry.value) == of.key && self.ev.tree.kind(entry.value) == Kind::String {
                let text = self.text_now(self.ev.tree.text(entry.value));
                entry.value = self.ev.tree.computed(&text, Origin::Generated(entry.value, self.frame));
            } else {
                entry.value = self.or_no_value(entry.value);
            }
        }
        (self.bindings, self.scopes.current, self.copied.is_waiting) = (bindings, scope, outer);
        let style = self.ev.tree.style(argument);
        let argument = self.ev.tree.map(&made, style, Origin::Generated(argument, self.frame));
        self.ev.tree.call_like(call, argument, self.frame)
    }
}
