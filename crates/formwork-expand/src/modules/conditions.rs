//! Conditions of a module (reference/modules/conditions.md#evaluation): true, false, or left for the
//! service.

use formwork_base::{Diagnostic, codes, suggest};
use formwork_evaluate::Truth;
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, Symbol, View, symbol};

use super::Linker;
use super::evaluate::Value;
use super::instance::{Lazy, Scope};
use super::suspend::Goal;

/// A condition that was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decided {
    pub(super) truth: Truth,
    /// Its full name in the result, when it is left.
    pub(super) name: Option<Symbol>,
}

const POISON: Decided = Decided { truth: Truth::Poison, name: None };

impl Linker<'_> {
    /// Decides a condition of a module by its name.
    pub(super) fn decide(&mut self, scope: Scope, name: Symbol) -> Decided {
        match self.instances[scope.0].conditions.get(&name).copied().unwrap_or(Lazy::Pending) {
            Lazy::Ready(decided) => return decided,
            // It needs its own value: what is in the circle comes along under its full name, and the stage that
            // evaluates the result reports it.
            Lazy::Busy => {
                let name = self.tree.name(name).to_owned();
                return self.undecided_by_name(&name, scope);
            }
            Lazy::Pending => {}
        }
        if !self.may_begin(Goal::Condition(scope, name)) {
            return POISON;
        }
        self.instances[scope.0].conditions.insert(name, Lazy::Busy);
        let decided = self.decide_now(scope, name);
        let is_over = self.suspended.is_none();
        // A cycle may have marked it meanwhile.
        let state = self.instances[scope.0].conditions.entry(name).or_insert(Lazy::Pending);
        if !matches!(state, Lazy::Ready(_)) {
            *state = if is_over { Lazy::Ready(decided) } else { Lazy::Pending };
        }
        decided
    }

    fn decide_now(&mut self, scope: Scope, name: Symbol) -> Decided {
        let body = self.section(scope, "Conditions").and_then(|section| self.tree.get(section, name));
        let Some(body) = body else { return POISON };
        let (truth, made) = self.known(|linker| linker.evaluate_condition(body, scope));
        if truth != Truth::Unknown || self.suspended.is_some() {
            return Decided { truth, name: None };
        }
        let mut full = format!("{}{}", self.instances[scope.0].prefix, self.tree.name(name));
        if let Some(&known) = self.conditions.get(&full)
            && !self.tree.same_data(known, made)
        {
            // Calls of one module with other values: what tells their conditions apart is the number.
            let number = (2..=self.conditions.len() + 2).find(|number| {
                let known = self.conditions.get(&format!("{full}{number}"));
                known.is_none_or(|&known| self.tree.same_data(known, made))
            });
            full.push_str(&number.unwrap_or(0).to_string());
        }
        let symbol = self.tree.intern(&full);
        self.conditions.entry(full).or_insert(made);
        Decided { truth, name: Some(symbol) }
    }

    /// The conditions of every module as they are written, with the names of the result. They are there to
    /// be checked, used or not, and leave the result with [`Linked::checked`](super::Linked::checked).
    pub(super) fn checked_conditions(&mut self) -> Vec<Entry> {
        self.is_checking = true;
        // Every part is there to be looked at: nothing is computed.
        let outer = std::mem::replace(&mut self.is_body, true);
        let mut made = Vec::new();
        for scope in (1..self.instances.len()).map(Scope) {
            let Some(section) = self.section(scope, "Conditions") else { continue };
            for entry in self.tree.entries(section).collect::<Vec<_>>() {
                let name = self.tree.symbol(entry.key);
                let body = self.settled(|linker| linker.evaluate_condition(entry.value, scope)).1;
                let full = self.checked_name(name, scope);
                let origin = Origin::Made(entry.key, self.frame(scope));
                made.push(Entry { key: self.tree.key(&full, Style::Plain, origin), value: body });
            }
        }
        self.is_checking = false;
        self.is_body = outer;
        made
    }

    /// A name that no condition of a template can have.
    fn checked_name(&self, name: Symbol, scope: Scope) -> String {
        format!("{}{}#{}", self.instances[scope.0].prefix, self.tree.name(name), scope.0)
    }

    /// What stands where a condition is named: its truth, and the name in the result.
    pub(super) fn condition_of(&mut self, node: NodeId, scope: Scope) -> (Truth, NodeId) {
        if matches!(self.tree.kind(node), Kind::Call | Kind::Map) {
            return self.evaluate_condition(node, scope);
        }
        if scope == Scope::ROOT {
            return (Truth::Unknown, node);
        }
        let written = self.tree.text(node).to_owned();
        let decided = self.decide_named(&written, scope);
        match decided.name {
            Some(name) => {
                let text = self.tree.name(name).to_owned();
                let frame = self.frame(scope);
                (decided.truth, self.text_in_place(node, &text, frame))
            }
            None => (decided.truth, node),
        }
    }

    /// The same for the `Condition` of an import, which is a name. The conditions of the root template are
    /// its own: what an import generates carries them (reference/modules/conditions.md#emission).
    pub(super) fn condition_of_import(&mut self, import: &str, node: NodeId, scope: Scope) -> (Truth, NodeId) {
        if !self.tree.is_scalar(node) {
            let message = format!("the Condition of {} is not the name of a condition", shown(import));
            let diagnostic = Diagnostic::new(codes::CONDITION_LAYOUT, message)
                .at(self.tree.span(node))
                .help("write the name alone: `Condition: Name`");
            self.report(scope, diagnostic);
            self.is_broken = true;
            return (Truth::Poison, node);
        }
        if scope != Scope::ROOT {
            return self.condition_of(node, scope);
        }
        let section = self.tree.get(self.template.root, symbol::CONDITIONS);
        let names: Vec<&str> = section.map_or_else(Vec::new, |section| {
            self.tree.entries(section).map(|entry| self.tree.text(entry.key)).collect()
        });
        // Loops and macros may generate any.
        let text = self.tree.text(node);
        if names.iter().any(|name| *name == text || name.starts_with("Fn::")) {
            return (Truth::Unknown, node);
        }
        let sentence = format!("Condition '{}' not found", shown(text));
        let message = format!("there is no condition {}: `{sentence}`", shown(text));
        let mut diagnostic = Diagnostic::new(codes::UNKNOWN_CONDITION, message).at(self.tree.span(node));
        diagnostic = match suggest::nearest(text, names) {
            Some(near) => {
                diagnostic.help(format!("did you mean `{near}`?")).fix("change the name", self.tree.span(node), near)
            }
            None => diagnostic.help(format!("declare it under Conditions: `{}: !Equals [...]`", shown(text))),
        };
        self.report(scope, diagnostic);
        // The import is lacking.
        self.is_broken = true;
        (Truth::Poison, node)
    }

    /// Decides a condition by the name at `node`, which may be unknown.
    fn decide_named(&mut self, written: &str, scope: Scope) -> Decided {
        let section = self.section(scope, "Conditions");
        let name = self.tree.symbols().get(written);
        let is_there = section.zip(name).is_some_and(|(section, name)| self.tree.get(section, name).is_some());
        if let Some(name) = name.filter(|_| is_there) {
            if self.is_checking {
                let full = self.checked_name(name, scope);
                return Decided { truth: Truth::Unknown, name: Some(self.tree.intern(&full)) };
            }
            return self.decide(scope, name);
        }
        // One that there is not is left to be reported under its full name, where it is looked at.
        self.undecided_by_name(written, scope)
    }

    fn undecided_by_name(&mut self, name: &str, scope: Scope) -> Decided {
        let full = [self.instances[scope.0].prefix.as_str(), name].concat();
        Decided { truth: Truth::Unknown, name: Some(self.tree.intern(&full)) }
    }

    /// The truth of a condition function, and what stands in the result for it.
    pub(super) fn evaluate_condition(&mut self, node: NodeId, scope: Scope) -> (Truth, NodeId) {
        if self.suspended.is_some() || self.stopped {
            return (Truth::Poison, node);
        }
        self.depth += 1;
        let result = self.condition_function(node, scope);
        self.depth -= 1;
        result
    }

    fn condition_function(&mut self, node: NodeId, scope: Scope) -> (Truth, NodeId) {
        if let Some(entry) = self.sole_condition(node) {
            let (truth, name) = self.condition_of(entry.value, scope);
            if name == entry.value {
                return (truth, node);
            }
            let entry = Entry { key: entry.key, value: name };
            return (truth, self.map_in_place(node, &[entry], self.frame(scope)));
        }
        let View::Call(Function::Known(known), argument) = self.tree.view(node) else {
            return self.compared(node, scope);
        };
        match known {
            Known::Condition => {
                let (truth, name) = self.condition_of(argument, scope);
                (truth, self.call_in_place(node, name, self.frame(scope)))
            }
            Known::Equals if self.tree.len(argument) != 2 => self.wrong_arity(node, "Equals", "2 elements", scope),
            Known::Equals => self.compared(node, scope),
            Known::Not => {
                let &[operand] = self.tree.items(argument) else {
                    return self.wrong_arity(node, "Not", "1 element", scope);
                };
                let (truth, made) = self.evaluate_condition(operand, scope);
                let truth = match truth {
                    Truth::True => Truth::False,
                    Truth::False => Truth::True,
                    other => other,
                };
                let list =
                    if made == operand { argument } else { self.list_in_place(argument, &[made], self.frame(scope)) };
                (truth, self.call_in_place(node, list, self.frame(scope)))
            }
            Known::And | Known::Or => self.and_or(node, known, argument, scope),
            _ => self.compared(node, scope),
        }
    }

    /// An expression that names no condition: a comparison, or what stands for true or false. One that
    /// the evaluator finds wrong is left for the stage that reports it.
    fn compared(&mut self, node: NodeId, scope: Scope) -> (Truth, NodeId) {
        let is_equals = self.tree.argument_of(node, Known::Equals).is_some();
        let value = if is_equals { self.evaluate_other(node, scope) } else { self.evaluate(node, scope) };
        let made = match value {
            Value::Node(made) => made,
            Value::Omit => self.no_value(node, scope),
            Value::Poison => return (Truth::Poison, node),
        };
        match self.truth_of(made) {
            Truth::Poison => (Truth::Unknown, made),
            Truth::Unknown if self.are_the_same(made) => (Truth::True, made),
            truth => (truth, made),
        }
    }

    /// Whether both sides of a comparison are one expression.
    fn are_the_same(&self, node: NodeId) -> bool {
        let sides = self.tree.argument_of(node, Known::Equals).map(|argument| self.tree.items(argument));
        matches!(sides, Some(&[one, other]) if self.tree.same_data(one, other))
    }

    /// The member of `{Condition: Name}`, which is read as a map where it may be data.
    pub(super) fn sole_condition(&self, node: NodeId) -> Option<Entry> {
        let is_sole = self.tree.kind(node) == Kind::Map && self.tree.len(node) == 1;
        let entry = is_sole.then(|| self.tree.entry(node, 0))?;
        let is_condition = self.tree.symbol(entry.key) == symbol::CONDITION && self.tree.is_scalar(entry.value);
        is_condition.then_some(entry)
    }

    fn and_or(&mut self, node: NodeId, known: Known, argument: NodeId, scope: Scope) -> (Truth, NodeId) {
        let operands = self.tree.items(argument).to_vec();
        if !(2..=10).contains(&operands.len()) {
            let name = if known == Known::And { "And" } else { "Or" };
            return self.wrong_arity(node, name, "2 to 10 elements", scope);
        }
        let decisive = if known == Known::And { Truth::False } else { Truth::True };
        let (mut left, mut all) = (Vec::new(), Vec::with_capacity(operands.len()));
        let mut result = if known == Known::And { Truth::True } else { Truth::False };
        for operand in operands.iter().copied() {
            let (truth, made) = self.evaluate_condition(operand, scope);
            all.push(made);
            match truth {
                Truth::Poison => result = Truth::Poison,
                Truth::Unknown => {
                    left.push(made);
                    if result != decisive && result != Truth::Poison {
                        result = Truth::Unknown;
                    }
                }
                truth if truth == decisive && result != Truth::Poison => result = truth,
                _ => {}
            }
        }
        if self.is_checking {
            left = all;
        } else if let (Truth::Unknown, &[only]) = (result, left.as_slice()) {
            return (result, only);
        }
        let list = if left == operands || left.len() < 2 {
            argument
        } else {
            self.list_in_place(argument, &left, self.frame(scope))
        };
        (result, self.call_in_place(node, list, self.frame(scope)))
    }

    fn wrong_arity(&mut self, node: NodeId, name: &str, elements: &str, scope: Scope) -> (Truth, NodeId) {
        let diagnostic = Diagnostic::new(
            codes::CONDITION_LAYOUT,
            format!(
                "Fn::{name} has the wrong number of operands: `{name} expression should be a list with {elements}`"
            ),
        )
        .at(self.tree.span(node))
        .help(format!("write `Fn::{name}: [...]` with {elements}"));
        self.report(scope, diagnostic);
        (Truth::Poison, node)
    }

    pub(super) fn poison_condition(&mut self, scope: Scope, name: Symbol) {
        if self.suspended.is_none() {
            self.instances[scope.0].conditions.insert(name, Lazy::Ready(POISON));
        }
    }
}
