//! Outputs of a module as targets of references (reference/modules/references.md#outputs).

use formwork_base::{Diagnostic, FrameKind, Severity, codes, suggest};
use formwork_evaluate::Truth;
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Origin, Style, Symbol, symbol};

use super::Linker;
use super::evaluate::Value;
use super::imports::{Copy, Use};
use super::instance::{Bound, Lazy, Scope};
use super::path::{Path, Step};
use super::reference::Found;
use super::selector::Selected;
use super::suspend::Goal;

impl Linker<'_> {
    /// What a path finds among the imports of the file; `None` when it names none of them.
    pub(super) fn find_import(&mut self, path: &Path<'_>, name: Symbol, scope: Scope, at: NodeId) -> Option<Found> {
        let names = self.import_names(scope);
        if names.is_empty() {
            return None;
        }
        let (copies, number, steps) = if let Some(group) = self.instances[scope.0].groups.get(&name) {
            let is_many = group.is_many;
            if path.steps.is_empty() {
                return None;
            }
            let Some(copies) = self.copies(name, scope) else { return Some(Found::Poison) };
            if is_many {
                let identifiers: Vec<Option<String>> = copies.iter().map(|copy| copy.identifier.clone()).collect();
                if self.is_ambiguous(&copies, name, at, scope) {
                    return Some(Found::Poison);
                }
                let Some(selected) = self.select(path.head, &identifiers, path.steps.first(), at, scope) else {
                    return Some(Found::Poison);
                };
                match selected {
                    Selected::One(number) => (copies, number, &path.steps[1..]),
                    Selected::All => return Some(self.all_outputs(&copies, path, scope, at)),
                }
            } else {
                (copies, 0, path.steps.as_slice())
            }
        } else {
            let (group, number) = self.copy_named(path.head, scope)?;
            if path.steps.is_empty() {
                return None;
            }
            let Some(copies) = self.copies(group, scope) else { return Some(Found::Poison) };
            (copies, number, path.steps.as_slice())
        };
        let copy = copies.get(number)?;
        Some(match self.output_of(copy, steps, scope, at) {
            Some((value, output)) => Found::Value(value, FrameKind::Output, output),
            None => Found::Poison,
        })
    }

    fn is_ambiguous(&mut self, copies: &[Copy], name: Symbol, at: NodeId, scope: Scope) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        if copies.iter().all(|copy| seen.insert(copy.identifier.as_deref())) {
            return false;
        }
        let name = shown(self.tree.name(name));
        let diagnostic = Diagnostic::new(
            codes::MODULE_FOR_EACH,
            format!("the loop {name} makes several imports an item: it is not said which one is meant"),
        )
        .at(self.tree.span(at))
        .help("name the import itself, or write a loop for each of them");
        self.report(scope, diagnostic);
        true
    }

    fn all_outputs(&mut self, copies: &[Copy], path: &Path<'_>, scope: Scope, at: NodeId) -> Found {
        let mut items = Vec::with_capacity(copies.len());
        for copy in copies {
            match self.output_of(copy, &path.steps[1..], scope, at) {
                Some((value, _)) => items.push(value),
                None => return Found::Poison,
            }
        }
        let frame = self.frame(scope);
        let frame = self.frame_within(at, frame);
        let list = self.tree.list(&items, Style::Plain, Origin::Made(at, frame));
        let name = self.tree.intern(path.head);
        Found::Value(list, FrameKind::Output, name)
    }

    /// The value that `Import.Output` and further steps lead to, and its name.
    fn output_of(&mut self, copy: &Copy, steps: &[Step<'_>], scope: Scope, at: NodeId) -> Option<(NodeId, Symbol)> {
        let Some((step, rest)) = steps.split_first() else {
            let diagnostic = Diagnostic::new(
                codes::MODULE_OUTPUT,
                format!("it is not said which output of {} is meant", shown(&copy.name)),
            )
            .at(self.tree.span(at))
            .help(format!("write `{}.Output`", shown(&copy.name)));
            self.report(scope, diagnostic);
            return None;
        };
        let used = match self.instantiate(copy, scope) {
            Use::Instance(used) => used,
            Use::Poison => return None,
            Use::Gone(condition) => {
                let message = format!(
                    "the output is gone: `{} has no output {} (its condition {} is false)`",
                    shown(&copy.name),
                    shown(step.text),
                    shown(&condition)
                );
                let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message)
                    .at(self.tree.span(at))
                    .note("the import itself is gone")
                    .help("put the reference under the same condition with `Fn::If`");
                self.report(scope, diagnostic);
                return None;
            }
        };
        let whole = self.tree.intern(&[&copy.name, ".", step.text].concat());
        let section = self.section(used, "Outputs");
        let output = self.tree.symbols().get(step.text);
        let is_there = section.zip(output).is_some_and(|(section, output)| self.tree.get(section, output).is_some());
        let Some(output) = output.filter(|_| is_there) else {
            if self.suspended.is_none() {
                self.report_no_output(&copy.name, step.text, section, scope, at);
            }
            return None;
        };
        let value = match self.output_value(used, output) {
            Bound::Value(value) => value,
            Bound::Unbound => {
                self.report_gone(&copy.name, output, used, scope, at);
                return None;
            }
            Bound::Poison => return None,
        };
        if rest.is_empty() {
            return Some((value, whole));
        }
        if self.is_undecided(value, &copy.name, step.text, at, scope) {
            return None;
        }
        match self.walk_steps(value, rest, at, scope) {
            Ok(value) => Some((value, whole)),
            Err(member) => {
                let keys: Vec<&str> = self.tree.entries(value).map(|entry| self.tree.text(entry.key)).collect();
                let mut diagnostic = Diagnostic::new(
                    codes::MODULE_OUTPUT,
                    format!("the output {} has no member {}", shown(self.tree.name(whole)), shown(&member)),
                )
                .at(self.tree.span(at))
                .related(self.tree.span(value), "its value");
                if !keys.is_empty() {
                    diagnostic = diagnostic.note(format!("it has: {}", shown(&keys.join(", "))));
                }
                self.report(scope, diagnostic.help("correct the path"));
                None
            }
        }
    }

    fn report_no_output(&mut self, import: &str, output: &str, section: Option<NodeId>, scope: Scope, at: NodeId) {
        let names: Vec<&str> = section.map_or_else(Vec::new, |section| {
            self.tree.entries(section).map(|entry| self.tree.text(entry.key)).collect()
        });
        let mut diagnostic = Diagnostic::new(
            codes::MODULE_OUTPUT,
            format!("the module has no such output: `{} has no output {}`", shown(import), shown(output)),
        )
        .at(self.tree.span(at));
        diagnostic = match suggest::nearest(output, names.iter().copied()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if names.is_empty() => diagnostic.help("the module has none: add it to the Outputs of the module"),
            None => diagnostic.help(format!("there are: {}", shown(&names.join(", ")))),
        };
        self.report(scope, diagnostic);
    }

    fn report_gone(&mut self, import: &str, output: Symbol, used: Scope, scope: Scope, at: NodeId) {
        let entry = self.section(used, "Outputs").and_then(|section| self.tree.member(section, output));
        let condition = entry.and_then(|entry| self.tree.get(entry.value, symbol::CONDITION));
        let words = condition.map_or_else(String::new, |node| shown(self.tree.text(node)));
        let message = format!(
            "the output is gone: `{} has no output {} (its condition {words} is false)`",
            shown(import),
            shown(self.tree.name(output))
        );
        let mut diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message).at(self.tree.span(at));
        if let Some(entry) = entry {
            diagnostic = diagnostic.related(self.tree.span(entry.key), "the output");
        }
        self.report(scope, diagnostic.help("give the module other properties, or do not use the output with these"));
    }

    /// The value of an output, in the result's terms; unbound when a false condition removed it.
    pub(super) fn output_value(&mut self, scope: Scope, name: Symbol) -> Bound {
        let goal = Goal::Output(scope, name);
        match self.instances[scope.0].outputs.get(&name).copied().unwrap_or(Lazy::Pending) {
            Lazy::Ready(bound) => return bound,
            Lazy::Busy => {
                self.report_goal_cycle(goal);
                return Bound::Poison;
            }
            Lazy::Pending => {}
        }
        if !self.may_begin(goal) {
            return Bound::Poison;
        }
        self.instances[scope.0].outputs.insert(name, Lazy::Busy);
        let bound = self.work_out(scope, name);
        let state = if self.suspended.is_some() { Lazy::Pending } else { Lazy::Ready(bound) };
        self.instances[scope.0].outputs.insert(name, state);
        bound
    }

    fn work_out(&mut self, scope: Scope, name: Symbol) -> Bound {
        let Some(entry) = self.section(scope, "Outputs").and_then(|section| self.tree.member(section, name)) else {
            return Bound::Poison;
        };
        let Some(written) = self.tree.get(entry.value, symbol::VALUE) else {
            let message = format!(
                "an output of a module has no value: `Output should have Value. {}: {}`",
                shown(&self.file_name(scope)),
                shown(self.tree.name(name))
            );
            let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message)
                .at(self.tree.span(entry.key))
                .help(format!("write `{}: {{Value: ...}}`", shown(self.tree.name(name))));
            self.report(scope, diagnostic);
            return Bound::Poison;
        };
        if let Some(export) = self.tree.get(entry.value, symbol::EXPORT) {
            let diagnostic = Diagnostic::new(
                codes::SECTION_IGNORED,
                format!("the Export of output {} has no effect in a module", shown(self.tree.name(name))),
            )
            .severity(Severity::Warning)
            .at(self.tree.span(export))
            .help("export it in the Outputs of the template");
            self.report(scope, diagnostic);
        }
        let condition = self.tree.get(entry.value, symbol::CONDITION);
        let (truth, full) = match condition {
            Some(condition) => {
                let (truth, node) = self.condition_of(condition, scope);
                (truth, Some(node))
            }
            None => (Truth::True, None),
        };
        match truth {
            Truth::False => return Bound::Unbound,
            Truth::Poison => return Bound::Poison,
            Truth::True | Truth::Unknown => {}
        }
        let value = match self.evaluate_known(written, scope) {
            Value::Node(value) => value,
            Value::Omit => self.no_value(written, scope),
            Value::Poison => return Bound::Poison,
        };
        if self.suspended.is_some() {
            return Bound::Poison;
        }
        let Some(full) = full.filter(|_| truth == Truth::Unknown) else { return Bound::Value(value) };
        let frame = self.frame(scope);
        let nothing = self.no_value(written, scope);
        let origin = Origin::Made(written, frame);
        let list = self.tree.list(&[full, value, nothing], Style::Plain, origin);
        let made = self.call_made(Known::If, list, written, frame);
        self.undecided.insert(made, full);
        Bound::Value(made)
    }

    /// Reports when a value cannot stand in a text or be walked into, since its output may not be
    /// there.
    pub(super) fn is_undecided(&mut self, value: NodeId, import: &str, name: &str, at: NodeId, scope: Scope) -> bool {
        let mut value = value;
        while let Some(inserted) = self.inserted.get(&value) {
            value = inserted.value;
        }
        let Some(&condition) = self.undecided.get(&value) else { return false };
        let output = name.rsplit('.').next().unwrap_or(name);
        let message = format!(
            "the output may not be there: `{} output {} depends on the unresolved condition {}`",
            shown(import),
            shown(output),
            shown(self.tree.text(condition))
        );
        let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message)
            .at(self.tree.span(at))
            .note("no text stands for nothing, so the output can be used as a whole value alone")
            .help("give the module what decides the condition, or use the output outside the text");
        self.report(scope, diagnostic);
        true
    }

    /// Reports every output of the file that has no value.
    pub(super) fn check_outputs(&mut self, scope: Scope) {
        let Some(section) = self.section(scope, "Outputs") else { return };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            if self.tree.kind(entry.value) != Kind::Map || self.tree.get(entry.value, symbol::VALUE).is_none() {
                let name = self.tree.symbol(entry.key);
                self.settled(|linker| linker.output_value(scope, name));
            }
        }
    }
}
