//! Evaluation of the conditions of a module (reference/modules/conditions.md#evaluation): to true, to false, or to a
//! condition of the result.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, codes};
use formwork_evaluate::Truth;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, Symbol, View, symbol};

use super::Linker;
use super::goal::Goal;
use super::instance::InstanceId;
use super::modes::Modes;
use super::names::condition_named;
use super::stop::{Resolved, Stop, unless_wrong};

impl Linker<'_> {
    /// Decides a condition of a module by its name there. Also returns its full name in the result, for an undecided
    /// one.
    pub(super) fn decide(&mut self, scope: InstanceId, name: Symbol) -> Resolved<(Truth, Symbol)> {
        let goal = Goal::Condition(scope, name);
        if self.values.needs_itself(goal) {
            // The conditions of the cycle are emitted under its full name, and the stage that evaluates the result
            // reports it.
            let full = self.values.full_name(self.tree.name(name), scope);
            return Ok((Truth::Unknown, self.tree.intern(&full)));
        }
        self.once(goal, |agenda| &mut agenda.decided, |linker| linker.decide_now(scope, name))
    }

    fn decide_now(&mut self, scope: InstanceId, name: Symbol) -> Resolved<(Truth, Symbol)> {
        let body = self.section(scope, "Conditions")?.and_then(|section| self.tree.get(section, name));
        let (truth, made) = self.evaluate_condition(body.ok_or(Stop::Reported)?, scope)?;
        let full = self.values.full_name(self.tree.name(name), scope);
        let mut symbol = self.tree.intern(&full);
        if truth == Truth::Unknown {
            if let Some(&known) = self.emitted.conditions.get(&symbol)
                && !self.tree.same_data(known, made)
                && self.is_of_another_use(symbol, scope)
            {
                self.report_conflict("Condition", symbol, (body.unwrap_or(made), scope), known);
                return Ok((truth, symbol));
            }
            // Calls of one module with other values: their conditions are distinguished by a number.
            symbol = self.emitted.free_condition(self.tree, symbol, made);
            self.emitted.conditions.entry(symbol).or_insert(made);
            self.emitted.condition_owners.entry(symbol).or_insert(scope);
        }
        Ok((truth, symbol))
    }

    /// Returns `true` when the name of a condition is that of another import's. Calls of one import share their names.
    fn is_of_another_use(&self, name: Symbol, scope: InstanceId) -> bool {
        self.emitted.condition_owners.get(&name).is_some_and(|owner| {
            let (owner, own) = (&self.values.instances[owner.at()], &self.values.instances[scope.at()]);
            (&owner.prefix, owner.key) != (&own.prefix, own.key)
        })
    }

    /// Returns the conditions of every module as they are written, with names of the result. They are only checked,
    /// used or not, and are removed from the result with [`Linked::checked`](super::Linked::checked).
    pub(super) fn checked_conditions(&mut self) -> Vec<Entry> {
        // All parts are kept for the checks: nothing is computed.
        let modes = Modes { is_body: true, is_checking: true, ..Modes::default() };
        let mut made = Vec::new();
        for scope in (1..self.values.instances.len()).map(InstanceId::new) {
            let Some(section) = self.complete(|linker| linker.section(scope, "Conditions")).flatten() else { continue };
            for entry in self.tree.entries(section).collect::<Vec<_>>() {
                let body = self.complete(|linker| {
                    linker.with_modes(modes, |linker| linker.evaluate_condition(entry.value, scope))
                });
                let full = self.checked_name(self.tree.text(entry.key), scope);
                let origin = Origin::Generated(entry.key, self.values.frame(scope));
                let value = body.map_or(entry.value, |(_, body)| body);
                made.push(Entry { key: self.tree.key(&full, Style::Plain, origin), value });
            }
        }
        made
    }

    fn checked_name(&self, name: &str, scope: InstanceId) -> String {
        format!("{}#{}", self.values.full_name(name, scope), scope.at())
    }

    pub(super) fn condition_of(&mut self, node: NodeId, scope: InstanceId) -> Resolved<(Truth, NodeId)> {
        if matches!(self.tree.kind(node), Kind::Call | Kind::Map) {
            return self.evaluate_condition(node, scope);
        }
        // A node that is not a string is reported by the stage that checks the result.
        if scope == InstanceId::ROOT || self.tree.kind(node) != Kind::String {
            return Ok((Truth::Unknown, node));
        }
        let written = self.tree.text(node).to_owned();
        let section = self.section(scope, "Conditions")?;
        let name = self.tree.symbols().get(&written);
        let name = name.filter(|&name| section.is_some_and(|section| self.tree.get(section, name).is_some()));
        let (truth, name) = match name {
            Some(name) if !self.values.modes.is_checking => self.decide(scope, name)?,
            Some(_) => (Truth::Unknown, self.tree.intern(&self.checked_name(&written, scope))),
            // A missing condition is reported under its full name, where the result is checked.
            None => (Truth::Unknown, self.full_symbol(&written, scope)),
        };
        let is_left = truth == Truth::Unknown;
        Ok((truth, if is_left { self.name_in_place(node, name, self.values.frame(scope)) } else { node }))
    }

    /// Evaluates the `Condition` of an import, which is a name. The conditions of the root template are kept: the
    /// entries that an import generates have them (reference/modules/conditions.md#emission).
    pub(super) fn import_condition(
        &mut self,
        import: &str,
        node: NodeId,
        scope: InstanceId,
    ) -> Resolved<(Truth, NodeId)> {
        if self.tree.kind(node) != Kind::String {
            let message = format!("the Condition of {} is not the name of a condition", shown(import));
            let help = "write the name alone: `Condition: Name`";
            return self.wrong(scope, self.error(codes::CONDITION_LAYOUT, node, message, help));
        }
        if scope != InstanceId::ROOT {
            return self.condition_of(node, scope);
        }
        let section = self.tree.get(self.template.root, symbol::CONDITIONS);
        let text = self.tree.text(node);
        let is_declared = section.is_some_and(|section| self.tree.get_text(section, text).is_some());
        // Loops and macros may generate any name.
        if is_declared || self.names_in(section).any(|name| name.starts_with("Fn::")) {
            return Ok((Truth::Unknown, node));
        }
        let sentence = format!("Condition '{}' not found", shown(text));
        let message = format!("condition {} does not exist: `{sentence}`", shown(text));
        let mut diagnostic = Diagnostic::new(codes::UNKNOWN_CONDITION, message)
            .at(self.tree.span(node))
            .fact(Fact::Name(text.to_owned()));
        diagnostic = match self.suggestion(text, self.names_in(section)) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")).unsafe_fix(
                "change the name",
                self.tree.span(node),
                near,
            ),
            None => diagnostic.help(format!("declare it under Conditions: `{}: !Equals [...]`", shown(text))),
        };
        self.wrong(scope, diagnostic)
    }

    pub(super) fn evaluate_condition(&mut self, node: NodeId, scope: InstanceId) -> Resolved<(Truth, NodeId)> {
        if self.values.usage.stopped {
            return Err(Stop::Reported);
        }
        self.check_depth(node, scope)?;
        self.values.usage.depth += 2;
        let made = match self.tree.view(node) {
            _ if let Some(name) = condition_named(self.tree, node) => self
                .condition_of(name, scope)
                .map(|(truth, name)| (truth, self.children_in_place(node, &[name], self.values.frame(scope)))),
            View::Call(Function::Known(known), argument) => match (known, self.tree.len(argument)) {
                (Known::Not, 1) | (Known::And | Known::Or, 2..=10) => self.combined(node, known, argument, scope),
                _ => self.compared(node, known.is_condition(), scope),
            },
            _ => self.compared(node, false, scope),
        };
        self.values.usage.depth -= 2;
        made
    }

    /// Evaluates an expression without condition names: a comparison, or a Boolean in another form. Errors of the
    /// evaluator are left for the stage that reports them.
    fn compared(&mut self, node: NodeId, is_condition: bool, scope: InstanceId) -> Resolved<(Truth, NodeId)> {
        let value = if is_condition { self.evaluate_other(node, scope) } else { self.evaluate(node, scope) };
        let made = match value {
            // Reported already: other errors in the condition are found all the same.
            Err(Stop::Reported) if self.values.modes.is_checking => node,
            value => value?.unwrap_or_else(|| self.no_value(node, scope)),
        };
        let truth = match self.truth_of(made) {
            // Both sides are the same expression with an undecided condition or a function that is kept.
            Truth::Unknown | Truth::Poison
                if let Some(argument) = self.tree.argument_of(made, Known::Equals)
                    && let &[one, other] = self.tree.items(argument)
                    && self.tree.same_data(one, other) =>
            {
                Truth::True
            }
            Truth::Poison => Truth::Unknown,
            truth => truth,
        };
        Ok((truth, made))
    }

    /// Evaluates `Fn::And`, `Fn::Or` and `Fn::Not`: decided operands that do not determine the result are left out.
    fn combined(
        &mut self,
        node: NodeId,
        known: Known,
        argument: NodeId,
        scope: InstanceId,
    ) -> Resolved<(Truth, NodeId)> {
        let operands = self.tree.items(argument).to_vec();
        let (mut truths, mut left) = (Vec::with_capacity(operands.len()), Vec::with_capacity(operands.len()));
        let keeps_all = self.values.modes.is_checking || known == Known::Not;
        for &operand in &operands {
            let Some((truth, made)) = unless_wrong(self.evaluate_condition(operand, scope))? else { continue };
            truths.push(truth);
            left.extend((keeps_all || truth == Truth::Unknown).then_some(made));
        }
        if truths.len() < operands.len() {
            return Err(Stop::Reported);
        }
        let truth = Truth::combined(known, truths);
        let made = match left.as_slice() {
            &[only] if !keeps_all => only,
            left if left == operands || truth != Truth::Unknown && !self.values.modes.is_checking => node,
            left => {
                let list = self.list_in_place(argument, left, self.values.frame(scope));
                self.call_in_place(node, list, self.values.frame(scope))
            }
        };
        Ok((truth, made))
    }

    /// Returns `true` when a false condition of a module's file removes an entry of `Resources` or `Modules`.
    pub(super) fn is_removed(&mut self, body: NodeId, scope: InstanceId) -> Resolved<bool> {
        let Some(condition) = self.tree.get(body, symbol::CONDITION).filter(|_| scope != InstanceId::ROOT) else {
            return Ok(false);
        };
        Ok(matches!(unless_wrong(self.condition_of(condition, scope))?, Some((Truth::False, _))))
    }
}
