//! What stands in the result for a node of a file, as an instance sees it
//! (reference/modules/references.md#rewriting).

use formwork_evaluate::{Truth, Values};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, flags};

use super::Linker;
use super::instance::Scope;

/// What a node becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// This node of the result.
    Node(NodeId),
    /// Nothing: the member or item goes.
    Omit,
    /// It is wrong, which was reported.
    Poison,
}

impl Value {
    /// The node, if there is one.
    pub(super) fn node(self) -> Option<NodeId> {
        match self {
            Value::Node(node) => Some(node),
            Value::Omit | Value::Poison => None,
        }
    }
}

impl Linker<'_> {
    /// Rewrites a node.
    pub(super) fn evaluate(&mut self, node: NodeId, scope: Scope) -> Value {
        if !self.tree.has(node, flags::HAS_CALL) || self.finals.contains(&node) {
            return Value::Node(node);
        }
        if self.suspended.is_some() || self.stopped {
            return Value::Poison;
        }
        self.depth += 1;
        let value = match self.tree.kind(node) {
            Kind::List => Value::Node(self.evaluate_list(node, scope)),
            Kind::Map => Value::Node(self.evaluate_map(node, scope)),
            Kind::Call => {
                let poisons = self.poisons;
                let value = self.evaluate_call(node, scope);
                // What is wrong below a call makes the call wrong.
                if self.poisons > poisons { Value::Poison } else { value }
            }
            _ => Value::Node(node),
        };
        self.depth -= 1;
        value
    }

    /// What is written in the place of something wrong: nothing, since its names mean nothing outside of
    /// its file.
    pub(super) fn poisoned(&mut self, node: NodeId, scope: Scope) -> NodeId {
        self.poisons += 1;
        self.no_value(node, scope)
    }

    /// Rewrites what is written into the result as it is. With `--values all` its calls are left for the
    /// stage that computes all of them.
    pub(super) fn evaluate_body(&mut self, node: NodeId, scope: Scope) -> Value {
        let outer = std::mem::replace(&mut self.is_body, matches!(self.settings.values, Values::All | Values::Resolve));
        let value = self.evaluate(node, scope);
        self.is_body = outer;
        value
    }

    /// Rewrites what has to be known here: a property, an output, a collection, a name.
    pub(super) fn evaluate_known(&mut self, node: NodeId, scope: Scope) -> Value {
        self.known(|linker| linker.evaluate(node, scope))
    }

    /// Works on something that has to be known here.
    pub(super) fn known<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.is_body, false);
        let are_data = std::mem::replace(&mut self.nulls_are_data, false);
        let result = work(self);
        self.is_body = outer;
        self.nulls_are_data = are_data;
        result
    }

    fn evaluate_list(&mut self, node: NodeId, scope: Scope) -> NodeId {
        let mut items = Vec::with_capacity(self.tree.len(node));
        let mut is_changed = false;
        for at in 0..self.tree.len(node) {
            let item = self.tree.items(node)[at];
            match self.evaluate(item, scope) {
                Value::Node(value) => {
                    is_changed |= value != item;
                    items.push(value);
                }
                Value::Omit => is_changed = true,
                Value::Poison => {
                    is_changed = true;
                    items.push(self.poisoned(item, scope));
                }
            }
        }
        let frame = self.frame(scope);
        if is_changed { self.list_in_place(node, &items, frame) } else { node }
    }

    fn evaluate_map(&mut self, node: NodeId, scope: Scope) -> NodeId {
        let mut entries = Vec::with_capacity(self.tree.len(node));
        let mut is_changed = false;
        for at in 0..self.tree.len(node) {
            let entry = self.tree.entry(node, at);
            match self.evaluate(entry.value, scope) {
                Value::Node(value) => {
                    is_changed |= value != entry.value;
                    entries.push(Entry { key: entry.key, value });
                }
                Value::Omit => is_changed = true,
                Value::Poison => {
                    is_changed = true;
                    let value = self.poisoned(entry.value, scope);
                    entries.push(Entry { key: entry.key, value });
                }
            }
        }
        let frame = self.frame(scope);
        if is_changed { self.map_in_place(node, &entries, frame) } else { node }
    }

    fn evaluate_call(&mut self, node: NodeId, scope: Scope) -> Value {
        let (function, argument) = self.tree.call(node);
        let Function::Known(known) = function else { return self.evaluate_other(node, scope) };
        match known {
            Known::Ref => self.evaluate_ref(node, argument, scope),
            Known::GetAtt => self.evaluate_get_att(node, argument, scope),
            Known::Sub => self.evaluate_sub(node, argument, scope),
            Known::If => self.evaluate_if(node, argument, scope),
            Known::Condition | Known::Equals | Known::And | Known::Or | Known::Not if scope != Scope::ROOT => {
                Value::Node(self.evaluate_condition(node, scope).1)
            }
            Known::FindInMap => self.evaluate_find_in_map(node, argument, scope),
            Known::Select | Known::Join if self.folds(scope) => self.evaluate_folded(node, argument, scope),
            Known::Merge if self.folds(scope) => self.evaluate_merge(node, argument, scope),
            Known::Flatten => self.evaluate_flatten(node, argument, scope),
            Known::ToJsonString => {
                let outer = std::mem::replace(&mut self.nulls_are_data, true);
                let value = self.evaluate_other(node, scope);
                self.nulls_are_data = outer;
                value
            }
            Known::InsertFile => self.evaluate_insert_file(node, argument, scope),
            Known::Invoke => self.evaluate_invoke(node, argument, scope),
            _ => self.evaluate_other(node, scope),
        }
    }

    /// A call that stays: its arguments are worked out.
    pub(super) fn evaluate_other(&mut self, node: NodeId, scope: Scope) -> Value {
        let argument = self.tree.call(node).1;
        match self.evaluate_argument(argument, scope) {
            Some(made) => Value::Node(self.call_in_place(node, made, self.frame(scope))),
            None => Value::Poison,
        }
    }

    /// The argument of a call: `AWS::NoValue` stays in its list.
    fn evaluate_argument(&mut self, argument: NodeId, scope: Scope) -> Option<NodeId> {
        if self.tree.kind(argument) != Kind::List
            || !self.tree.has(argument, flags::HAS_CALL)
            || self.finals.contains(&argument)
        {
            return match self.evaluate(argument, scope) {
                Value::Node(made) => Some(made),
                Value::Omit => Some(self.no_value(argument, scope)),
                Value::Poison => None,
            };
        }
        let items = self.tree.items(argument).to_vec();
        let mut made = Vec::with_capacity(items.len());
        for &item in &items {
            made.push(match self.evaluate(item, scope) {
                Value::Node(value) => value,
                Value::Omit => self.no_value(item, scope),
                Value::Poison => return None,
            });
        }
        let frame = self.frame(scope);
        Some(if made == items { argument } else { self.list_in_place(argument, &made, frame) })
    }

    /// A call that is computed where it is constant (reference/modules/functions.md#fold).
    fn evaluate_folded(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let Some(made) = self.evaluate_argument(argument, scope) else { return Value::Poison };
        if self.joins_undecided(node, made, scope) {
            return Value::Poison;
        }
        let call = self.call_in_place(node, made, self.frame(scope));
        self.fold(call, scope).unwrap_or(Value::Node(call))
    }

    /// Reports an output that may not be there among the items of an `Fn::Join`.
    fn joins_undecided(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> bool {
        let Some(&list) =
            self.tree.items(argument).get(1).filter(|_| self.tree.call(node).0 == Function::Known(Known::Join))
        else {
            return false;
        };
        for item in self.tree.items(list).to_vec() {
            let name = self.inserted.get(&item).map(|inserted| self.tree.name(inserted.name).to_owned());
            if let Some((import, output)) = name.as_deref().and_then(|name| name.rsplit_once('.'))
                && self.is_undecided(item, import, output, node, scope)
            {
                return true;
            }
        }
        false
    }

    fn evaluate_if(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let &[condition, then, otherwise] = self.tree.items(argument) else {
            return self.evaluate_other(node, scope);
        };
        let (truth, name) =
            if scope == Scope::ROOT { (Truth::Unknown, condition) } else { self.condition_of(condition, scope) };
        match truth {
            Truth::True => self.chosen(then, scope),
            Truth::False => self.chosen(otherwise, scope),
            Truth::Poison => Value::Poison,
            Truth::Unknown => {
                let then = self.branch(then, node, scope);
                let otherwise = self.branch(otherwise, node, scope);
                let made = [name, then, otherwise];
                if self.tree.items(argument) == made {
                    return Value::Node(node);
                }
                let list = self.list_in_place(argument, &made, self.frame(scope));
                Value::Node(self.call_in_place(node, list, self.frame(scope)))
            }
        }
    }

    fn chosen(&mut self, branch: NodeId, scope: Scope) -> Value {
        match self.evaluate(branch, scope) {
            Value::Node(node) if self.is_no_value(node) => Value::Omit,
            // A null that a call returns is nothing, unless it is written as JSON.
            Value::Node(node) if self.tree.kind(node) == Kind::Null && !self.nulls_are_data => Value::Omit,
            value => value,
        }
    }

    /// A branch of a call that stays.
    fn branch(&mut self, branch: NodeId, call: NodeId, scope: Scope) -> NodeId {
        match self.evaluate(branch, scope) {
            Value::Node(node) => node,
            Value::Omit => self.no_value(call, scope),
            Value::Poison => self.poisoned(branch, scope),
        }
    }

    /// `Ref AWS::NoValue` in the place of a call.
    pub(super) fn no_value(&mut self, call: NodeId, scope: Scope) -> NodeId {
        let frame = self.frame(scope);
        let frame = self.frame_within(call, frame);
        let origin = Origin::Made(call, frame);
        let name = self.tree.computed("AWS::NoValue", origin);
        self.call_made(Known::Ref, name, call, frame)
    }

    /// A call made by this stage in the place of `node`, in the spelling of its surroundings.
    pub(super) fn call_made(
        &mut self,
        known: Known,
        argument: NodeId,
        node: NodeId,
        frame: formwork_syntax::FrameId,
    ) -> NodeId {
        let origin = Origin::Made(node, frame);
        let style = match self.tree.style(node) {
            Style::Tag => Style::Tag,
            Style::Flow => Style::Flow,
            _ => Style::Plain,
        };
        let key = self.tree.key(known.long(), Style::Plain, origin);
        self.tree.add_call(Function::Known(known), key, argument, style, origin)
    }

    /// Whether a node is `Ref AWS::NoValue`.
    pub(super) fn is_no_value(&self, node: NodeId) -> bool {
        self.tree.argument_of(node, Known::Ref).is_some_and(|name| self.tree.string(name) == Some("AWS::NoValue"))
    }
}
