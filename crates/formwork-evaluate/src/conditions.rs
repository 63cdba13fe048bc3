//! Conditions: three-valued, evaluated on demand, each once (reference/conditions.md#section).

use formwork_base::{Diagnostic, FrameKind, Severity, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, FrameRecord, Function, Kind, NodeId, Style, Symbol, Tree, View, flags, symbol};
use formwork_template::fill_in::Spelling;
use formwork_template::{Section, dependency_graph, logical_id, reference, template};

use crate::condition_table::{Condition, ConditionTable, Truth};
use crate::evaluator::Evaluator;
use crate::looks::Looks;
use crate::meant_form::compared;
use crate::outcome::Outcome;
use crate::settings::Visibility;

/// Why a name that does not exist is only a warning.
const OPEN: &str = "a macro or an include of the template may add it";

impl Evaluator<'_> {
    /// Takes the entries of a Conditions section as the conditions of the template and reports
    /// cycles among them.
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
            // What a module emits is made of a condition's body. The module's conditions as they are written are
            // in the table, too, and report the cycle by their names.
            let key = self.conditions.conditions[cycle[0] as usize].key;
            if !matches!(self.tree.kind(self.tree.authored(key)), Kind::Call | Kind::Map) {
                self.report_cycle(&cycle);
            }
        }
    }

    fn report_cycle(&mut self, cycle: &[u32]) {
        const SHOWN: usize = 5;
        let key = |at: u32| self.conditions.conditions[at as usize].key;
        let name = |at: u32| shown(self.tree.text_form(self.tree.authored(key(at))));
        let mut path: Vec<String> = cycle.iter().take(SHOWN).map(|&at| name(at)).collect();
        if cycle.len() > SHOWN {
            path.push(format!("and {} more", cycle.len() - SHOWN));
        }
        path.push(name(cycle[0]));
        let path = path.join(" -> ");
        let mut diagnostic = Diagnostic::new(
            codes::CONDITION_CYCLE,
            format!("circular dependency between conditions: `Found circular condition dependency: {path}`"),
        )
        .at(self.tree.span(key(cycle[0])))
        .label(format!("depends on {}", name(*cycle.get(1).unwrap_or(&cycle[0]))));
        for (at, &member) in cycle.iter().enumerate().skip(1).take(SHOWN) {
            let next = cycle.get(at + 1).unwrap_or(&cycle[0]);
            diagnostic = diagnostic.related(self.tree.span(key(member)), format!("depends on {}", name(*next)));
        }
        let is_module = |(_, record): &(FrameId, FrameRecord)| record.kind == FrameKind::Module;
        if self.tree.frames().chain(self.tree.frame_of(key(cycle[0]))).any(|step| is_module(&step)) {
            diagnostic = diagnostic.note("the circular dependency is in the conditions of the module");
        }
        self.report(diagnostic.help("make one of them compare a parameter with `Fn::Equals`"));
    }

    /// Whether there is a condition of this name.
    pub fn has_condition(&self, name: &str) -> bool {
        self.is_declared(name) || self.may_be_generated(name)
    }

    fn is_declared(&self, name: &str) -> bool {
        self.tree.symbols().get(name).is_some_and(|name| self.conditions.index.contains_key(&name))
    }

    /// Whether a condition of this name may come from a loop that is not checked, or from a macro or an include:
    /// then it is not near to a name that is declared.
    fn may_be_generated(&self, name: &str) -> bool {
        self.unchecked.iter().any(|pattern| pattern.matches(name)) || self.conditions.is_open && !self.is_near(name)
    }

    /// Whether a condition refers to one that no entry of the section declares: a macro of the whole template may add those
    /// that resources name, and an include those that conditions name, too.
    fn is_missing_in_conditions(&self, name: &str) -> bool {
        let section = self.tree.get(self.template.root, symbol::CONDITIONS);
        let is_declared = self.tree.symbols().get(name).is_some_and(|name| self.conditions.index.contains_key(&name));
        !is_declared
            && !self.unchecked.iter().any(|pattern| pattern.matches(name))
            && !section.is_some_and(|section| template::may_get_entries(self.tree, section))
    }

    fn is_near(&self, name: &str) -> bool {
        let names = self.conditions.conditions.iter().map(|condition| self.tree.text(condition.key));
        self.diagnostics.suggester().nearest(name, names).is_some()
    }

    /// The definition of a condition.
    pub fn condition_node(&self, name: &str) -> Option<(NodeId, NodeId)> {
        let at = *self.conditions.index.get(&self.tree.symbols().get(name)?)?;
        let condition = &self.conditions.conditions[at as usize];
        Some((condition.key, condition.node))
    }

    /// What is known of the condition of this name with every known value visible; `None` when
    /// it does not exist. The names that decide it count as looked at.
    pub fn condition(&mut self, name: &str) -> Option<Truth> {
        let at = *self.conditions.index.get(&self.tree.symbols().get(name)?)?;
        // What a condition needs is evaluated first, so that chains of any length need no stack.
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
        for name in looks {
            self.look(name);
        }
        Some(truth)
    }

    /// Evaluates an expression as a condition, with what is visible.
    pub fn decide(&mut self, node: NodeId) -> Truth {
        self.truth(node)
    }

    /// The same, without reporting anything.
    pub fn decide_silently(&mut self, node: NodeId) -> Truth {
        self.mode.silent += 1;
        let truth = self.truth(node);
        self.mode.silent -= 1;
        truth
    }

    fn evaluate_condition(&mut self, at: usize) {
        let node = self.conditions.conditions[at].node;
        let outer_looks = std::mem::take(&mut self.looks);
        let outer_lenient = std::mem::replace(&mut self.mode.lenient, 0);
        let outer = self.enter(node);
        let truth = self.with_visibility(Visibility::Full, |evaluator| evaluator.truth(node));
        self.frame = outer;
        self.mode.lenient = outer_lenient;
        let looks = std::mem::replace(&mut self.looks, outer_looks);
        self.conditions.conditions[at].state = Some((truth, looks));
    }

    /// Evaluates a condition expression.
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

    /// A reference to a condition that is not a literal string (reference/functions.md#literal-places). What a loop
    /// names is a string by now.
    fn unnamed(&mut self, node: NodeId) -> Truth {
        let diagnostic = self.layout(node, Known::Condition, "the name of a condition is not a string");
        self.poison(diagnostic.help("write `Condition: Name`"))
    }

    fn poison(&mut self, diagnostic: Diagnostic) -> Truth {
        self.report(diagnostic);
        Truth::Poison
    }

    /// The name of a condition that a string is.
    fn condition_named(&self, node: NodeId) -> Option<String> {
        self.tree.string(node).filter(|name| self.is_declared(name)).map(shown)
    }

    /// The name of the condition that a `Ref` has in the place of a parameter's.
    fn referenced_condition(&self, node: NodeId) -> Option<String> {
        self.condition_named(self.tree.argument_of(node, Known::Ref)?)
    }

    fn not_boolean(&mut self, node: NodeId) -> Truth {
        const SENTENCE: &str = "Conditions can only be boolean operations";
        let referenced = self.referenced_condition(node);
        let referenced = referenced.map(|name| (format!("{name} is a condition, and Ref reads parameters"), name));
        let named = || {
            let name = self.condition_named(node)?;
            Some((format!("{name} is the name of a condition, in a plain string"), name))
        };
        if let Some((what, name)) = referenced.or_else(named) {
            let diagnostic = self.sentence(codes::CONDITION_LAYOUT, node, &what, SENTENCE);
            let code = match () {
                () if self.tree.style(node) == Style::Tag => format!("!Condition {name}"),
                () if Spelling::is_json(self.tree, self.template.root) => format!("{{\"Condition\": \"{name}\"}}"),
                () if self.tree.kind(node) == Kind::Call => format!("Condition: {name}"),
                () => format!("!Condition {name}"),
            };
            return self.poison(diagnostic.help(format!("write `{code}`")));
        }
        // What a loop generates was looked at there.
        if self.diagnostics.has(codes::NOT_AN_OBJECT, self.tree.span(node), Severity::Note) {
            return Truth::Poison;
        }
        let diagnostic = self.sentence(codes::CONDITION_LAYOUT, node, "the value is not a Boolean", SENTENCE);
        if let [only] = self.tree.items(node) {
            let is_condition = self.tree.kind(*only) == Kind::Call;
            if is_condition && self.tree.kind(node) == Kind::List {
                return self.poison(diagnostic.help("remove the dash: a condition is one function, not a list"));
            }
        }
        if let Some(code) = compared(self.tree, node, Spelling::is_json(self.tree, self.template.root)) {
            return self.poison(diagnostic.help(format!("write `{code}`")));
        }
        self.poison(
            diagnostic.help("compare values with `Fn::Equals`, combine conditions with `Fn::And`, `Fn::Or`, `Fn::Not`"),
        )
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

    /// A name that is not a condition.
    pub(crate) fn unknown_condition(&self, at: NodeId, name: &str, sentence: &str) -> Diagnostic {
        let names = self.conditions.conditions.iter().map(|condition| self.tree.text(condition.key));
        if let Some(import) = self.import_name() {
            return self.unknown_module_condition(at, &import, names);
        }
        let name = shown(name);
        let mut diagnostic = self
            .fault(codes::UNKNOWN_CONDITION, at, format!("condition {name} does not exist: `{}`", shown(sentence)))
            .label("referenced here");
        if self.conditions.is_open {
            diagnostic = diagnostic.severity(Severity::Warning).note(OPEN);
        }
        if let Some(near) = self.diagnostics.suggester().nearest(&name, names) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?")).unsafe_fix(
                "change the name",
                self.tree.span(at),
                near,
            );
        } else {
            diagnostic = diagnostic.help(if logical_id::is_alphanumeric(&name) {
                format!("declare it under Conditions: `{name}: !Equals [...]`")
            } else {
                "declare a condition under Conditions, and write its name here".to_owned()
            });
        }
        diagnostic
    }

    /// The same in a module, by its name there (reference/modules/conditions.md#pruning).
    fn unknown_module_condition<'n>(
        &self,
        at: NodeId,
        import: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let (full, authored) = (self.tree.text_form(at), self.tree.authored(at));
        // A name that is computed is nowhere in the file.
        let written = if self.tree.is_scalar(authored) {
            self.tree.text_form(authored)
        } else {
            full.strip_prefix(&*self.import_prefix()).unwrap_or(full)
        };
        let (written, import) = (shown(written), shown(import));
        let diagnostic = self
            .fault(
                codes::UNKNOWN_CONDITION,
                at,
                format!("the module does not declare condition {written}: `{import} Condition not found: {written}`"),
            )
            .note("a module sees only the conditions of its own file");
        let prefix = self.tree.text_form(at).strip_suffix(&written).unwrap_or_default();
        let own = names.filter_map(|name| name.strip_prefix(prefix)).filter(|name| !name.contains('#'));
        match self.diagnostics.suggester().nearest(&written, own) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("declare it in the Conditions of the module"),
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
            _ => Truth::Unknown,
        }
    }

    /// A side of `Fn::Equals` that is an object.
    fn object_side(&self, argument: NodeId, sides: &[Outcome]) -> Option<Diagnostic> {
        let is_object = |side: &Outcome| side.value().is_some_and(|value| self.tree.kind(value) == Kind::Map);
        let at = sides.iter().position(is_object)?;
        Some(self.sentence(
            codes::CONDITION_LAYOUT,
            self.tree.items(argument)[at],
            "Fn::Equals compares strings, not objects",
            "Intrinsic function input type is invalid",
        ))
    }

    /// Scalars compare as text, lists item by item.
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

    /// Reports an error in the number of operands of a condition function.
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

    /// Computes the arguments of a condition expression and leaves its functions: what the
    /// processed template shows (reference/conditions.md#section). Checks shapes.
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

    /// Definitions and operands of `Fn::And`, `Fn::Or` and `Fn::Not` are conditions.
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

    /// As [`Evaluator::set_conditions`], without reporting anything.
    pub fn set_conditions_quietly(&mut self, section: Option<NodeId>) {
        self.mode.silent += 1;
        self.set_conditions(section);
        self.mode.silent -= 1;
    }
}

/// The name in `{"Condition": "Name"}` or `!Condition Name`, and its node.
pub(crate) fn condition_reference(tree: &Tree, node: NodeId) -> Option<(NodeId, &str)> {
    let value = reference::condition_named(tree, node)?;
    Some((value, tree.string(value)?))
}

/// Whether a node has the shape of a reference to a condition, whatever names it.
fn refers_to_condition(tree: &Tree, node: NodeId) -> bool {
    reference::condition_named(tree, node).is_some()
}

/// Names of the conditions that an expression refers to.
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
