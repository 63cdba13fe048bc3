//! Errors in conditions, and their reports (reference/conditions.md#section).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, FrameKind, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, FrameRecord, Kind, NodeId, Style, symbol};
use formwork_template::fill_in::Spelling;
use formwork_template::logical_id;

use crate::condition_table::Truth;
use crate::evaluator::Evaluator;
use crate::meant_form::compared;
use crate::outcome::Outcome;

/// The longest string that an advice repeats.
const LONGEST: usize = 80;

/// The note on an unknown name that is only a warning.
const OPEN: &str = "a macro or an include of the template may add it";

impl Evaluator<'_> {
    pub(crate) fn report_cycle(&mut self, cycle: &[u32]) {
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

    /// Reports a reference to a condition that is not a literal string (reference/functions.md#literal-places). Names
    /// with loop variables are strings by now.
    pub(crate) fn unnamed(&mut self, node: NodeId) -> Truth {
        let diagnostic = self.layout(node, Known::Condition, "the name of a condition is not a string");
        self.poison(diagnostic.help("write `Condition: Name`"))
    }

    pub(crate) fn poison(&mut self, diagnostic: Diagnostic) -> Truth {
        self.report(diagnostic);
        Truth::Poison
    }

    fn condition_named(&self, node: NodeId) -> Option<String> {
        self.tree.string(node).filter(|name| self.conditions.has(self.tree, name)).map(shown)
    }

    /// Returns the condition that a `Ref` refers to instead of a parameter.
    fn referenced_condition(&self, node: NodeId) -> Option<String> {
        self.condition_named(self.tree.argument_of(node, Known::Ref)?)
    }

    pub(crate) fn not_boolean(&mut self, node: NodeId) -> Truth {
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
        // Generated names were checked in their loop.
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
        let text = self.tree.string(node).unwrap_or_default();
        if text.starts_with('!') && text.contains(['[', ' ']) && text.len() <= LONGEST && !text.contains('`') {
            return self.poison(diagnostic.help(format!("write it without quotes: `{}`", shown(text))));
        }
        if let Some(code) = compared(self.tree, node, Spelling::is_json(self.tree, self.template.root)) {
            return self.poison(diagnostic.help(format!("write `{code}`")));
        }
        self.poison(
            diagnostic.help("compare values with `Fn::Equals`, combine conditions with `Fn::And`, `Fn::Or`, `Fn::Not`"),
        )
    }

    pub(crate) fn unknown_condition(&self, at: NodeId, name: &str, sentence: &str) -> Diagnostic {
        let names = self.conditions.conditions.iter().map(|condition| self.tree.text(condition.key));
        if let Some(import) = self.import_name() {
            return self.unknown_module_condition(at, &import, names);
        }
        let (written, name) = (name, shown(name));
        let mut diagnostic = self
            .error(codes::UNKNOWN_CONDITION, at, format!("condition {name} does not exist: `{}`", shown(sentence)))
            .label("referenced here")
            .fact(Fact::Name(written.to_owned()));
        if self.conditions.is_open {
            diagnostic = diagnostic.severity(Severity::Warning).note(OPEN);
        }
        if let Some(advice) = self.compared_parameter(written).or_else(|| self.negated_condition(written)) {
            diagnostic = diagnostic.help(advice);
        } else if let Some(near) = self.diagnostics.suggester().nearest(&name, names) {
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

    /// Returns the advice for the name of a parameter in the place of a condition.
    fn compared_parameter(&self, name: &str) -> Option<String> {
        let parameter = self.template.parameter(self.tree.symbols().get(name)?)?;
        let values = self.tree.get(parameter.node, symbol::ALLOWED_VALUES);
        let first = values.and_then(|values| self.tree.items(values).first().copied());
        let value = first.map_or("true", |value| self.tree.text(value));
        let (name, value) = (shown(name), shown(value));
        Some(format!(
            "{name} is a parameter: write `Is{name}`, and `Is{name}: !Equals [!Ref {name}, \"{value}\"]` under Conditions"
        ))
    }

    /// Returns the advice for `!IsProd` in a string.
    fn negated_condition(&self, text: &str) -> Option<String> {
        let name = text.strip_prefix('!').or_else(|| text.strip_prefix("not "))?.trim();
        let is_declared = self.conditions.has(self.tree, name);
        let name = shown(name);
        is_declared.then(|| format!("write `Not{name}`, and `Not{name}: !Not [!Condition {name}]` under Conditions"))
    }

    /// Builds the diagnostic of an unknown condition in a module, by its name there
    /// (reference/modules/conditions.md#pruning).
    fn unknown_module_condition<'n>(
        &self,
        at: NodeId,
        import: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let (full, authored) = (self.tree.text_form(at), self.tree.authored(at));
        // A computed name is nowhere in the file.
        let written = if self.tree.is_scalar(authored) {
            self.tree.text_form(authored)
        } else {
            full.strip_prefix(&*self.import_prefix()).unwrap_or(full)
        };
        let name = Fact::Name(written.to_owned());
        let (written, import) = (shown(written), shown(import));
        let diagnostic = self
            .error(
                codes::UNKNOWN_CONDITION,
                at,
                format!("the module does not declare condition {written}: `{import} Condition not found: {written}`"),
            )
            .note("a module sees only the conditions of its own file")
            .fact(name);
        let prefix = self.tree.text_form(at).strip_suffix(&written).unwrap_or_default();
        let own = names.filter_map(|name| name.strip_prefix(prefix)).filter(|name| !name.contains('#'));
        match self.diagnostics.suggester().nearest(&written, own) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("declare it in the Conditions of the module"),
        }
    }

    pub(crate) fn object_side(&self, argument: NodeId, sides: &[Outcome]) -> Option<Diagnostic> {
        let is_object = |side: &Outcome| side.value().is_some_and(|value| self.tree.kind(value) == Kind::Map);
        let at = sides.iter().position(is_object)?;
        Some(self.sentence(
            codes::CONDITION_LAYOUT,
            self.tree.items(argument)[at],
            "Fn::Equals compares strings, not objects",
            "Intrinsic function input type is invalid",
        ))
    }
}
