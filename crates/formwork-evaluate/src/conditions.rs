//! Conditions: three-valued, evaluated on demand, each once (reference/conditions.md#section).

use formwork_base::Severity;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Symbol, Tree, View, flags, symbol};
use formwork_template::{Section, dependency_graph, reference, template};

use crate::condition_table::{Condition, ConditionTable, Truth};
use crate::evaluator::Evaluator;
use crate::looks::Looks;
use crate::outcome::Outcome;
use crate::settings::Visibility;

impl Evaluator<'_> {
    /// Declares the entries of a Conditions section as the conditions of the template and reports cycles among them.
    pub fn set_conditions(&mut self, section: Option<NodeId>) {
        let is_open = self.template.may_get_entries(self.tree, Section::Conditions);
        let mut table = ConditionTable { is_open, ..ConditionTable::default() };
        for entry in section.map_or_else(Vec::new, |section| self.tree.entries(section).collect()) {
            table.index.insert(self.tree.symbol(entry.key), table.conditions.len() as u32);
            table.conditions.push(Condition { key: entry.key, node: entry.value, state: None });
        }
        let mut names = Vec::new();
        for condition in &table.conditions {
            names.clear();
            references(self.tree, condition.node, &mut names);
            table.needs.push(names.iter().filter_map(|name| table.index.get(name).copied()));
        }
        let cycles = dependency_graph::cycles(&table.needs);
        for cycle in &cycles {
            for &member in cycle {
                table.conditions[member as usize].state = Some((Truth::Poison, Looks::default()));
            }
        }
        self.conditions = table;
        for cycle in cycles {
            // A module's condition is generated from its body. The module's conditions as they are written are in the
            // table, too, and report the cycle by their names.
            let key = self.conditions.conditions[cycle[0] as usize].key;
            if !matches!(self.tree.kind(self.tree.authored(key)), Kind::Call | Kind::Map) {
                self.report_cycle(&cycle);
            }
        }
    }

    /// Returns `true` if a condition of this name exists.
    pub fn has_condition(&self, name: &str) -> bool {
        self.conditions.has(self.tree, name) || self.may_be_generated(name)
    }

    /// Returns `true` if a condition of this name may come from a loop that is not checked, or from a macro or an
    /// include: then it is not near to a declared name.
    fn may_be_generated(&self, name: &str) -> bool {
        self.unchecked.matches(name) || self.conditions.is_open && !self.is_near(name)
    }

    /// Returns `true` if no entry of the section declares a condition to which another one refers: a macro of the whole
    /// template may add those that resources refer to, and an include those that conditions refer to, too.
    fn is_missing_in_conditions(&self, name: &str) -> bool {
        let section = self.tree.get(self.template.root, symbol::CONDITIONS);
        !self.conditions.has(self.tree, name)
            && !self.unchecked.matches(name)
            && !section.is_some_and(|section| template::may_get_entries(self.tree, section))
    }

    fn is_near(&self, name: &str) -> bool {
        let names = self.conditions.conditions.iter().map(|condition| self.tree.text(condition.key));
        self.diagnostics.suggester().nearest(name, names).is_some()
    }

    /// Returns the key and the definition of a condition.
    pub fn condition_node(&self, name: &str) -> Option<(NodeId, NodeId)> {
        let at = self.conditions.number(self.tree, name)?;
        let condition = &self.conditions.conditions[at as usize];
        Some((condition.key, condition.node))
    }

    /// Evaluates the condition of this name with every known value visible; `None` when it does not exist. The names
    /// that decide it count as looked at.
    pub fn condition(&mut self, name: &str) -> Option<Truth> {
        let at = self.conditions.number(self.tree, name)?;
        // Needed conditions are evaluated first, so that chains of any length need no stack.
        let mut waiting = vec![at];
        while let Some(&next) = waiting.last() {
            if self.conditions.conditions[next as usize].state.is_some() {
                waiting.pop();
                continue;
            }
            let needs = self.conditions.needs.of(next);
            let open: Vec<u32> = needs
                .iter()
                .copied()
                .filter(|&need| self.conditions.conditions[need as usize].state.is_none())
                .collect();
            if open.is_empty() {
                self.evaluate_condition(next as usize);
                waiting.pop();
            } else {
                waiting.extend(open);
            }
        }
        let (truth, looks) = self.conditions.conditions[at as usize].state.clone()?;
        // A reader of an erroneous condition is an error, too, whoever reads it first.
        self.mode.errors += u64::from(truth == Truth::Poison);
        for name in looks {
            self.look(name);
        }
        Some(truth)
    }

    /// Evaluates an expression as a condition, with the visible values.
    pub fn decide(&mut self, node: NodeId) -> Truth {
        self.truth(node)
    }

    /// Evaluates an expression as a condition, without reporting anything.
    pub fn decide_silently(&mut self, node: NodeId) -> Truth {
        self.mode.silent += 1;
        let truth = self.truth(node);
        self.mode.silent -= 1;
        truth
    }

    fn evaluate_condition(&mut self, at: usize) {
        let Condition { key, node, .. } = self.conditions.conditions[at];
        let outer_looks = std::mem::take(&mut self.looks);
        let outer_lenient = std::mem::replace(&mut self.mode.lenient, 0);
        // The context is that of the declaration, not that of the first reader.
        let outer = std::mem::replace(&mut self.frame, self.tree.frame_of(key));
        self.enter(node);
        let truth = self.with_visibility(Visibility::Full, |evaluator| evaluator.truth(node));
        self.frame = outer;
        self.mode.lenient = outer_lenient;
        let looks = std::mem::replace(&mut self.looks, outer_looks);
        self.conditions.conditions[at].state = Some((truth, looks));
    }

    fn truth(&mut self, node: NodeId) -> Truth {
        if let Some((at, name)) = condition_reference(self.tree, node) {
            let name = name.to_owned();
            return self.named_truth(at, &name);
        }
        if refers_to_condition(self.tree, node) {
            return self.unnamed(node);
        }
        match self.tree.view(node) {
            View::Bool(value) => Truth::of(value),
            View::String(text) if text.eq_ignore_ascii_case("true") => Truth::True,
            View::String(text) if text.eq_ignore_ascii_case("false") => Truth::False,
            View::Call(Function::Known(Known::Transform), _) => Truth::Unknown,
            View::Call(_, argument) if self.is_from_macro(argument) => Truth::Unknown,
            View::Call(Function::Known(known), argument) => match known {
                Known::Equals => self.equals(node, argument),
                Known::And | Known::Or | Known::Not => self.combined(node, known, argument),
                Known::If => match self.resolve(node) {
                    Outcome::Known(value) | Outcome::Secret { value, .. } if value != node => self.truth(value),
                    Outcome::Residual(_) => Truth::Unknown,
                    _ => Truth::Poison,
                },
                Known::Ref | Known::FindInMap | Known::Sub | Known::Join | Known::Select => self.not_boolean(node),
                _ => self.not_boolean(node),
            },
            _ => self.not_boolean(node),
        }
    }

    fn named_truth(&mut self, at: NodeId, name: &str) -> Truth {
        if let Some(truth) = self.condition(name) {
            truth
        } else if self.may_be_generated(name) && !self.is_missing_in_conditions(name) {
            Truth::Unknown
        } else {
            let diagnostic = self.unknown_condition(at, name, &format!("Condition '{name}' not found"));
            self.poison(diagnostic.severity(Severity::Error))
        }
    }

    fn equals(&mut self, node: NodeId, argument: NodeId) -> Truth {
        if let Some(what) = self.wrong_operands(Known::Equals, argument) {
            let diagnostic = self.layout(node, Known::Equals, what);
            return self.poison(diagnostic);
        }
        let sides = self.arguments(argument);
        if sides.contains(&Outcome::Poison) {
            return Truth::Poison;
        }
        if let Some(diagnostic) = self.object_side(argument, &sides) {
            return self.poison(diagnostic);
        }
        match (sides[0].value(), sides[1].value()) {
            (Some(a), Some(b)) => {
                let compared = self.tree.len(a).min(self.tree.len(b));
                if self.charge_elements(compared, node) { self.equal_values(a, b) } else { Truth::Poison }
            }
            _ if self.cannot_be(sides[0], sides[1]) || self.cannot_be(sides[1], sides[0]) => Truth::False,
            _ => Truth::Unknown,
        }
    }

    /// Returns `true` if the first outcome is a name that is assumed not to have the value of the second one.
    pub(crate) fn cannot_be(&self, open: Outcome, known: Outcome) -> bool {
        let (Outcome::Residual(open), Some(value)) = (open, known.value()) else { return false };
        let name = self.tree.argument_of(open, Known::Ref).and_then(|name| self.tree.string(name));
        let symbol = |text: &str| self.tree.symbols().get(text);
        self.tree.is_scalar(value)
            && name
                .and_then(symbol)
                .zip(symbol(self.tree.text_form(value)))
                .is_some_and(|(name, value)| self.parameters.excludes(name, value))
    }

    /// Compares scalars by their spelling, lists item by item.
    fn equal_values(&self, a: NodeId, b: NodeId) -> Truth {
        match (self.tree.kind(a), self.tree.kind(b)) {
            (Kind::List, Kind::List) => {
                let (a, b) = (self.tree.items(a), self.tree.items(b));
                if a.len() != b.len() {
                    return Truth::False;
                }
                let all = a.iter().zip(b).map(|(&a, &b)| self.equal_values(a, b));
                all.fold(Truth::True, |so_far, item| if so_far == Truth::True { item } else { so_far })
            }
            (Kind::List | Kind::Map | Kind::Call, _) | (_, Kind::List | Kind::Map | Kind::Call) => Truth::False,
            _ => Truth::of(self.tree.text_form(a) == self.tree.text_form(b)),
        }
    }

    fn combined(&mut self, node: NodeId, function: Known, argument: NodeId) -> Truth {
        if let Some(what) = self.wrong_operands(function, argument) {
            let diagnostic = self.layout(node, function, what);
            return self.poison(diagnostic);
        }
        let operands = self.tree.items(argument).to_vec();
        Truth::combined(function, operands.into_iter().map(|operand| self.truth(operand)))
    }

    fn wrong_operands(&self, function: Known, argument: NodeId) -> Option<&'static str> {
        let (count, what) = match function {
            Known::Equals => (2..=2, "Fn::Equals takes two values"),
            Known::Not => (1..=1, "Fn::Not takes a list of one condition"),
            Known::And => (2..=10, "Fn::And takes 2 to 10 conditions"),
            Known::Or => (2..=10, "Fn::Or takes 2 to 10 conditions"),
            _ => return None,
        };
        let is_right = self.tree.kind(argument) == Kind::List && count.contains(&self.tree.len(argument));
        (!is_right).then_some(what)
    }

    /// Computes the arguments of a condition expression and keeps its functions, as the processed template does
    /// (reference/conditions.md#section). Checks shapes.
    pub(crate) fn resolve_condition(&mut self, node: NodeId) -> Outcome {
        let View::Call(Function::Known(known), argument) = self.tree.view(node) else {
            return self.resolve_condition_value(node);
        };
        if self.is_from_macro(argument) {
            return Outcome::Residual(node);
        }
        if let Some(what) = self.wrong_operands(known, argument) {
            let diagnostic = self.layout(node, known, what);
            return self.wrong(diagnostic);
        }
        match known {
            Known::Equals => {
                let sides = self.arguments(argument);
                if let Some(diagnostic) = self.object_side(argument, &sides) {
                    return self.wrong(diagnostic);
                }
                let list = self.argument_list(argument, &sides);
                Outcome::Residual(self.kept(node, list))
            }
            Known::And | Known::Or | Known::Not => {
                let items: Vec<NodeId> = self.tree.items(argument).to_vec();
                let items: Vec<NodeId> = items
                    .into_iter()
                    .map(|item| {
                        self.check_boolean(item);
                        let outcome = self.resolve_condition(item);
                        outcome.as_argument(item)
                    })
                    .collect();
                let list = self.list_like(argument, &items);
                Outcome::Residual(self.kept(node, list))
            }
            Known::Condition => {
                let outcome = self.resolve(argument);
                if let Some(name) = outcome.value().and_then(|value| self.tree.string(value)).map(str::to_owned) {
                    self.check_condition_name(argument, &name);
                }
                let argument = outcome.as_argument(argument);
                Outcome::Residual(self.kept(node, argument))
            }
            _ => self.resolve(node),
        }
    }

    fn resolve_condition_value(&mut self, node: NodeId) -> Outcome {
        if let Some((at, name)) = condition_reference(self.tree, node) {
            let name = name.to_owned();
            self.check_condition_name(at, &name);
            return Outcome::Known(node);
        }
        self.resolve(node)
    }

    fn check_condition_name(&mut self, at: NodeId, name: &str) {
        if !self.has_condition(name) || self.is_missing_in_conditions(name) {
            let diagnostic = self.unknown_condition(at, name, &format!("Condition '{name}' not found"));
            self.report(diagnostic.severity(Severity::Error));
        }
    }

    /// Checks that definitions and operands of `Fn::And`, `Fn::Or` and `Fn::Not` are conditions.
    pub(crate) fn check_boolean(&mut self, node: NodeId) {
        if condition_reference(self.tree, node).is_some() {
            return;
        }
        if refers_to_condition(self.tree, node) {
            self.unnamed(node);
            return;
        }
        let ok = match self.tree.view(node) {
            View::Bool(_) => true,
            View::String(text) => text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false"),
            View::Call(Function::Known(known), _) => {
                known.is_condition() || matches!(known, Known::If | Known::Transform)
            }
            _ => false,
        };
        if !ok {
            self.not_boolean(node);
        }
    }

    /// Declares conditions as [`Evaluator::set_conditions`] does, without reporting anything.
    pub fn set_conditions_quietly(&mut self, section: Option<NodeId>) {
        self.mode.silent += 1;
        self.set_conditions(section);
        self.mode.silent -= 1;
    }
}

/// Returns the name in `{"Condition": "Name"}` or `!Condition Name`, and its node.
pub(crate) fn condition_reference(tree: &Tree, node: NodeId) -> Option<(NodeId, &str)> {
    let value = reference::condition_named(tree, node)?;
    Some((value, tree.string(value)?))
}

fn refers_to_condition(tree: &Tree, node: NodeId) -> bool {
    reference::condition_named(tree, node).is_some()
}

fn references(tree: &Tree, node: NodeId, found: &mut Vec<Symbol>) {
    if let Some((_, name)) = condition_reference(tree, node) {
        found.extend(tree.symbols().get(name));
        return;
    }
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| references(tree, item, found)),
        View::Map if tree.has(node, flags::HAS_CALL) => {
            tree.entries(node).for_each(|entry| references(tree, entry.value, found));
        }
        View::Call(function, argument) => {
            if function == Function::Known(Known::If) {
                found.extend(tree.items(argument).first().and_then(|&name| tree.symbols().get(tree.text(name))));
            }
            references(tree, argument, found);
        }
        _ => {}
    }
}
