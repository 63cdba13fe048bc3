//! Computation of values that need each other, in the order of their dependencies.
//!
//! Loops, bindings, outputs, conditions, sources of imports and copies are *goals*: each is computed once, at the first
//! request, and its answer is remembered. A goal that is requested too deep in the stack is put on the agenda instead,
//! after those that wait for it, and its caller ends with [`Stop::Waits`]. The agenda is processed from its end, where
//! the stack is shallow. So a chain of any length needs no deep stack, and a request of an open goal closes a cycle,
//! whose path is on the agenda.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{NodeId, Symbol};

use super::Linker;
use super::goal::{Agenda, Answers, Goal};
use super::groups::Section;
use super::instance::InstanceId;
use super::stop::{Resolved, Stop};

/// Most open nodes and goals with which another goal is begun.
const SHALLOW: usize = 24;

/// Levels of a result above those that the limit of one file counts: sections and their entries.
pub(super) const BEYOND: usize = 8;

const SHOWN: usize = 5;

impl Linker<'_> {
    /// Returns the answer of a goal: a remembered one, else the result of `compute`.
    pub(super) fn once<T: Clone>(
        &mut self,
        goal: Goal,
        answers: fn(&mut Agenda) -> &mut Answers<T>,
        compute: impl FnOnce(&mut Self) -> Resolved<T>,
    ) -> Resolved<T> {
        if let Some(known) = answers(&mut self.values.agenda).get(&goal) {
            return known.clone();
        }
        if self.values.agenda.cycle(goal).is_some() {
            self.report_cycle(goal);
            return Err(Stop::Reported);
        }
        self.values.agenda.open.insert(goal);
        if self.values.usage.depth > SHALLOW {
            return Err(Stop::Waits);
        }
        self.values.usage.depth += 1;
        let modes = std::mem::take(&mut self.values.modes);
        let made = compute(self);
        self.values.modes = modes;
        self.values.usage.depth -= 1;
        if !matches!(made, Err(Stop::Waits)) {
            self.values.agenda.open.pop();
            answers(&mut self.values.agenda).insert(goal, made.clone());
        }
        made
    }

    /// Repeats `work` as long as it waits for goals; returns `None` for an error.
    pub(super) fn complete<T>(&mut self, mut work: impl FnMut(&mut Self) -> Resolved<T>) -> Option<T> {
        loop {
            match work(self) {
                Ok(answer) => return Some(answer),
                Err(Stop::Reported) => return None,
                Err(Stop::Waits) => self.work_off_agenda(),
            }
        }
    }

    fn work_off_agenda(&mut self) {
        while let Some(goal) = self.values.agenda.open.pop() {
            // The answer is remembered, or the goal is on the agenda again, before the goals that it waits for.
            let _ = match goal {
                Goal::ImportLoops(scope) => self.with_imports(scope).map(drop),
                Goal::Loops(scope) => self.unrolled(scope).map(drop),
                Goal::Binding(scope, name) => self.binding(scope, name).map(drop),
                Goal::Output(scope, name) => self.output_value(scope, name).map(drop),
                Goal::Condition(scope, name) => self.decide(scope, name).map(drop),
                Goal::Source(scope, name, node) => self.source_value(scope, name, node).map(drop),
                Goal::Copies(section, scope, name) => self.copies_of(section, name, scope).map(drop),
            };
        }
    }

    fn report_cycle(&mut self, goal: Goal) {
        let goals = self.values.agenda.cycle(goal).unwrap_or_default();
        let (scope, name, at) = self.described(goal);
        let at = at.unwrap_or(self.values.instances[scope.at()].key);
        let (what, note, help) = match goal {
            Goal::Copies(Section::Imports, ..) => {
                ("copies", None, "write the collection literally, or take it from another import")
            }
            Goal::Copies(Section::Resources, ..) => ("copies", None, "write the collection literally"),
            Goal::Source(..) => ("output", None, "write the Source literally, or take it from another import"),
            Goal::ImportLoops(_) | Goal::Loops(_) => {
                let note = "what a loop generates is known only when all properties of the import are";
                ("result", Some(note), "pass the value to an import of another module")
            }
            _ => {
                let note = "outputs and properties may use each other in any order, but none may depend on itself";
                ("value", Some(note), "remove one of the references")
            }
        };
        let mut notes = Vec::new();
        if goals.len() > 1 {
            let more = goals.len().checked_sub(SHOWN + 1).map(|more| format!("and {} more", more + 1));
            let names = goals.iter().take(SHOWN).map(|&goal| self.described(goal).1);
            let path: Vec<String> = names.chain(more).chain([name.clone()]).collect();
            notes.push(format!("circular dependency: {}", path.join(" -> ")));
        }
        let diagnostic =
            self.error(codes::MODULE_CYCLE, at, format!("{name} depends on its own {what}: circular dependency"), help);
        notes.extend(note.map(str::to_owned));
        self.report(scope, notes.into_iter().fold(diagnostic, Diagnostic::note));
    }

    /// Returns the instance for which a goal is reported, its name in messages, and its node.
    fn described(&self, goal: Goal) -> (InstanceId, String, Option<NodeId>) {
        let of = |what: &str, name: Symbol, scope: InstanceId, section: Option<NodeId>| {
            let text = format!("{what} {} of {}", shown(self.tree.name(name)), shown(&self.scope_name(scope)));
            (scope, text, section.and_then(|section| self.tree.get(section, name)))
        };
        match goal {
            Goal::ImportLoops(scope) | Goal::Loops(scope) => {
                (scope, format!("a loop of {}", shown(&self.scope_name(scope))), None)
            }
            Goal::Binding(scope, name) => of("property", name, scope, self.values.instances[scope.at()].properties),
            Goal::Output(scope, name) => of("output", name, scope, self.written_section(scope, "Outputs")),
            Goal::Condition(scope, name) => of("condition", name, scope, self.written_section(scope, "Conditions")),
            Goal::Source(scope, name, node) => (scope, of("import", name, scope, None).1, Some(node)),
            Goal::Copies(section, scope, name) => {
                let groups = self.values.instances[scope.at()].groups[section as usize].as_ref();
                let group = groups.and_then(|groups| groups.get(name));
                (scope, format!("the ForEach of {}", shown(self.tree.name(name))), group.map(|group| group.key))
            }
        }
    }
}
