//! Rewriting of the nodes of a file as an instance sees them (reference/modules/references.md#rewriting).

use formwork_evaluate::Truth;
use formwork_syntax::function::Known;
use formwork_syntax::tree::rewritten::{Part, Rewritten};
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, flags, symbol};

use super::Linker;
use super::instance::InstanceId;
use super::modes::Modes;
use super::stop::{Resolved, Stop, Value};

impl Linker<'_> {
    pub(super) fn evaluate(&mut self, node: NodeId, scope: InstanceId) -> Value {
        if !self.tree.has(node, flags::HAS_CALL) || self.values.substituted.contains(&node) {
            return Ok(Some(node));
        }
        if self.values.usage.stopped {
            return Err(Stop::Reported);
        }
        // Constants and arguments may contain each other: reading ends at the depth limit, the result may be deeper.
        self.check_depth(node, scope)?;
        // A call needs the stack of two lists.
        let levels = if self.tree.kind(node) == Kind::Call { 2 } else { 1 };
        self.values.usage.depth += levels;
        let value = match self.tree.kind(node) {
            Kind::List => self.rewritten::<NodeId>(node, scope, Linker::evaluate_part).map(Some),
            Kind::Map => self.rewritten::<Entry>(node, scope, Linker::evaluate_part).map(Some),
            Kind::Call => {
                let poisons = self.values.poisons;
                let value = self.evaluate_call(node, scope);
                // An error below a call is an error of the call.
                if self.values.poisons > poisons && value.is_ok() { Err(Stop::Reported) } else { value }
            }
            _ => Ok(Some(node)),
        };
        self.values.usage.depth -= levels;
        value
    }

    /// Ends the run when lists, mappings and calls are nested too deep.
    pub(super) fn check_depth(&mut self, node: NodeId, scope: InstanceId) -> Resolved<()> {
        let depth = self.limits.depth;
        if self.values.usage.depth <= depth {
            return Ok(());
        }
        let what = format!("the result of modules is nested deeper than {depth} levels, where a call counts as two");
        self.stop(scope, node, &what)
    }

    /// Rewrites a node that is in the result in any case: `AWS::NoValue` replaces an invalid one, since its names mean
    /// nothing outside of its file.
    pub(super) fn evaluate_part(&mut self, node: NodeId, scope: InstanceId) -> Value {
        match self.evaluate(node, scope) {
            Err(Stop::Reported) => {
                self.values.poisons += 1;
                Ok(Some(self.no_value(node, scope)))
            }
            value => value,
        }
    }

    /// Rewrites a node that must be known here and must exist: a collection, a name.
    pub(super) fn evaluate_known(&mut self, node: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        self.known(|linker| linker.evaluate(node, scope))?.ok_or(Stop::Reported)
    }

    pub(super) fn evaluate_kept(&mut self, node: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let value = self.evaluate(node, scope)?;
        Ok(value.unwrap_or_else(|| self.no_value(node, scope)))
    }

    /// Returns a mapping or list with its values rewritten; the same node when they are unchanged.
    fn rewritten<P: Part>(
        &mut self,
        node: NodeId,
        scope: InstanceId,
        rewrite: impl Fn(&mut Self, NodeId, InstanceId) -> Value,
    ) -> Resolved<NodeId> {
        let mut parts = Rewritten::<P>::default();
        for at in 0..self.tree.len(node) {
            let value = P::at(self.tree, node, at).value();
            let made = if self.tree.has(value, flags::HAS_CALL) { rewrite(self, value, scope)? } else { Some(value) };
            parts.put(self.tree, node, at, made);
        }
        let Some(parts) = parts.changed() else { return Ok(node) };
        let origin = Origin::Generated(node, self.frame_at(node, scope));
        let style = self.tree.style(node);
        Ok(P::add(self.tree, parts, style, origin))
    }

    fn evaluate_call(&mut self, node: NodeId, scope: InstanceId) -> Value {
        let (function, argument) = self.tree.call(node);
        let Function::Known(known) = function else { return self.evaluate_other(node, scope) };
        match known {
            Known::Ref | Known::GetAtt => self.evaluate_reference(node, argument, scope),
            Known::Sub => self.evaluate_sub(node, argument, scope),
            Known::If => self.evaluate_if(node, argument, scope),
            Known::Condition | Known::Equals | Known::And | Known::Or | Known::Not if scope != InstanceId::ROOT => {
                Ok(Some(self.evaluate_condition(node, scope)?.1))
            }
            Known::FindInMap if self.tree.len(argument) < 3 => self.evaluate_other(node, scope),
            Known::FindInMap | Known::Select | Known::Join if self.folds(scope) => {
                self.evaluate_folded(known, node, argument, scope)
            }
            Known::Merge if self.folds(scope) => self.evaluate_merge(node, argument, scope),
            Known::Flatten => self.evaluate_flatten(node, argument, scope),
            Known::ToJsonString => {
                let modes = Modes { nulls_are_data: true, ..self.values.modes };
                self.with_modes(modes, |linker| linker.evaluate_other(node, scope))
            }
            Known::InsertFile => self.evaluate_insert_file(node, argument, scope),
            Known::Invoke => self.evaluate_invoke(node, argument, scope),
            _ => self.evaluate_other(node, scope),
        }
    }

    #[inline(never)]
    pub(super) fn evaluate_other(&mut self, node: NodeId, scope: InstanceId) -> Value {
        let argument = self.tree.call(node).1;
        let made = self.evaluate_argument(argument, scope)?;
        Ok(Some(self.call_in_place(node, made, self.values.frame(scope))))
    }

    /// Rewrites the argument of a call: `AWS::NoValue` is kept in its list.
    pub(super) fn evaluate_argument(&mut self, argument: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        if self.tree.kind(argument) != Kind::List
            || !self.tree.has(argument, flags::HAS_CALL)
            || self.values.substituted.contains(&argument)
        {
            return self.evaluate_kept(argument, scope);
        }
        let kept = |linker: &mut Self, item, scope| linker.evaluate_kept(item, scope).map(Some);
        self.rewritten::<NodeId>(argument, scope, kept)
    }

    /// Rewrites the arguments of `Fn::FindInMap`: its options stay an object with a `DefaultValue`, also where that is
    /// `AWS::NoValue` (reference/functions.md#find-in-map).
    fn evaluate_lookup(&mut self, argument: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let kept = |linker: &mut Self, item, scope| linker.evaluate_kept(item, scope).map(Some);
        self.rewritten::<NodeId>(argument, scope, |linker, item, scope| {
            let is_options = linker.tree.get(item, symbol::DEFAULT_VALUE).is_some();
            if is_options && !linker.values.substituted.contains(&item) {
                linker.rewritten::<Entry>(item, scope, kept).map(Some)
            } else {
                kept(linker, item, scope)
            }
        })
    }

    /// Computes a call where it is constant (reference/modules/functions.md#fold).
    #[inline(never)]
    fn evaluate_folded(&mut self, known: Known, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let is_lookup = known == Known::FindInMap && self.tree.kind(argument) == Kind::List;
        let made = if is_lookup && !self.values.substituted.contains(&argument) {
            self.evaluate_lookup(argument, scope)?
        } else {
            self.evaluate_argument(argument, scope)?
        };
        let made = match known {
            Known::FindInMap if scope != InstanceId::ROOT => self.with_mapping(made, node, scope)?,
            Known::Join => self.check_joined(node, made, scope).map(|()| made)?,
            _ => made,
        };
        let call = self.call_in_place(node, made, self.values.frame(scope));
        Ok(self.fold(call, scope))
    }

    #[inline(never)]
    fn check_joined(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Resolved<()> {
        let Some(&list) = self.tree.items(argument).get(1) else { return Ok(()) };
        for item in self.tree.items(list).to_vec() {
            let name = self.emitted.result.inserted.get(&item).map(|inserted| self.tree.name(inserted.name).to_owned());
            if let Some((import, output)) = name.as_deref().and_then(|name| name.rsplit_once('.')) {
                self.check_decided(item, import, output, node, scope)?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn evaluate_if(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let &[condition, then, otherwise] = self.tree.items(argument) else {
            return self.evaluate_other(node, scope);
        };
        let (truth, name) =
            if scope == InstanceId::ROOT { (Truth::Unknown, condition) } else { self.condition_of(condition, scope)? };
        let chosen = match truth {
            Truth::True => then,
            Truth::False => otherwise,
            Truth::Unknown | Truth::Poison => {
                let mut made = vec![name];
                let held = self.tree.string(name).and_then(|name| self.tree.symbols().get(name));
                for branch in [then, otherwise] {
                    let inner = held.filter(|_| branch == then).or(self.values.modes.under[1]);
                    let modes = Modes { under: [self.values.modes.under[0], inner], ..self.values.modes };
                    let value = self.with_modes(modes, |linker| linker.evaluate_part(branch, scope))?;
                    made.push(value.unwrap_or_else(|| self.no_value(node, scope)));
                }
                let list = self.children_in_place(argument, &made, self.values.frame(scope));
                return Ok(Some(self.call_in_place(node, list, self.values.frame(scope))));
            }
        };
        let value = self.evaluate(chosen, scope)?;
        // A null that a call returns is `AWS::NoValue`, unless it is written as JSON.
        let is_nothing = |node: NodeId| self.tree.kind(node) == Kind::Null && !self.values.modes.nulls_are_data;
        Ok(value.filter(|&node| !self.is_no_value(node) && !is_nothing(node)))
    }
}
