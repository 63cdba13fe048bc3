//! Outputs of a module as targets of references (reference/modules/references.md#outputs).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::Truth;
use formwork_syntax::function::Known;
use formwork_syntax::{NodeId, Origin, Style, Symbol, symbol};

use super::Linker;
use super::copy_list::Copies;
use super::goal::Goal;
use super::groups::{ForEachCopy, Section};
use super::instance::ImportState;
use super::instance::InstanceId;
use super::path::Step;
use super::stop::{Resolved, Stop, Value, unless_wrong};

impl Linker<'_> {
    /// Returns the import with a name: its copies, and the index of the selected one; no index when a selector has to
    /// select it.
    pub(super) fn import_named(
        &mut self,
        text: &str,
        name: Symbol,
        scope: InstanceId,
    ) -> Resolved<Option<(Copies, Option<usize>)>> {
        let groups = self.groups(Section::Imports, scope)?;
        if groups.get(name).is_some() {
            let copies = self.copies_of(Section::Imports, name, scope)?;
            return Ok(Some((copies, (!groups.is_many(name)).then_some(0))));
        }
        if let Some((copies, number)) = self.copy_named(Section::Imports, text, scope)? {
            return Ok(Some((copies, Some(number))));
        }
        for &group in &groups.loops {
            let copies = unless_wrong(self.copies_of(Section::Imports, group, scope))?.unwrap_or_default();
            if let Some(nested) = copies.nested(name) {
                return Ok(Some((nested, None)));
            }
        }
        Ok(None)
    }

    pub(super) fn output_of(
        &mut self,
        copy: &ForEachCopy,
        steps: &[Step<'_>],
        scope: InstanceId,
        at: NodeId,
    ) -> Resolved<(NodeId, Symbol)> {
        let Some((step, rest)) = steps.split_first() else {
            let import = shown(self.tree.name(copy.id));
            let message = format!("the reference to {import} does not name an output");
            let help = format!("write `{import}.Output`");
            return self.wrong(scope, self.error(codes::MODULE_OUTPUT, at, message, help));
        };
        let gone = |linker: &Self, condition: &str| {
            let (import, output, condition) = (shown(linker.tree.name(copy.id)), shown(step.text), shown(condition));
            format!("the output is absent: `{import} has no output {output} (its condition {condition} is false)`")
        };
        let used = match self.instantiate(copy, scope)? {
            ImportState::Instance(used) => used,
            ImportState::Gone(condition) => {
                let help = "put the reference under the same condition with `Fn::If`";
                let diagnostic = self.error(codes::MODULE_OUTPUT, at, gone(self, self.tree.text(condition)), help);
                return self.wrong(scope, diagnostic.note("the import itself is absent"));
            }
        };
        let section = self.section(used, "Outputs")?;
        let entry = section.and_then(|section| self.tree.member(section, self.tree.symbols().get(step.text)?));
        let Some(entry) = entry else {
            let (import, output) = (shown(self.tree.name(copy.id)), shown(step.text));
            let message = format!("import {import} has no output {output}: `{import} has no output {output}`");
            let names = || self.names_in(section);
            let help = match self.suggestion(step.text, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names().next().is_none() => {
                    "the module has no outputs: add it to the Outputs of the module".to_owned()
                }
                None => format!("the outputs are {}", shown(&names().collect::<Vec<_>>().join(", "))),
            };
            return self.wrong(scope, self.error(codes::MODULE_OUTPUT, at, message, help));
        };
        let whole = self.tree.intern(&[self.tree.name(copy.id), ".", step.text].concat());
        let Some(value) = self.output_value(used, self.tree.symbol(entry.key))? else {
            let condition = self.tree.get(entry.value, symbol::CONDITION).map_or("", |node| self.tree.text(node));
            let help = "pass other properties to the module, or do not use the output with these";
            let diagnostic = self.error(codes::MODULE_OUTPUT, at, gone(self, condition), help);
            return self.wrong(scope, diagnostic.related(self.tree.span(entry.key), "the output"));
        };
        if rest.is_empty() {
            return Ok((self.under_condition(value, used, at, scope), whole));
        }
        let import = self.tree.name(copy.id).to_owned();
        self.check_decided(value, &import, step.text, at, scope)?;
        let step = match self.walk_steps(value, rest, at, scope) {
            Ok(value) => return Ok((self.under_condition(value, used, at, scope), whole)),
            Err(step) => step,
        };
        let message = format!("the output {} has no key {}", shown(self.tree.name(whole)), shown(&step));
        let diagnostic = self.error(codes::MODULE_OUTPUT, at, message, "correct the path");
        let diagnostic = diagnostic.related(self.tree.span(value), "its value");
        let members = self.members(value);
        self.wrong(scope, members.into_iter().fold(diagnostic, Diagnostic::note))
    }

    /// Returns the value of an output, with names of the result; `None` when a false condition removed it.
    pub(super) fn output_value(&mut self, scope: InstanceId, name: Symbol) -> Value {
        self.once(Goal::Output(scope, name), |agenda| &mut agenda.values, |linker| linker.output(scope, name))
    }

    fn output(&mut self, scope: InstanceId, name: Symbol) -> Value {
        let section = self.section(scope, "Outputs")?;
        let entry = section.and_then(|section| self.tree.member(section, name)).ok_or(Stop::Reported)?;
        let Some(written) = self.tree.get(entry.value, symbol::VALUE) else {
            let (file, output) = (shown(&self.file_name(scope)), shown(self.tree.name(name)));
            let message = format!("an output of a module has no value: `Output should have Value. {file}: {output}`");
            let help = format!("write `{output}: {{Value: ...}}`");
            return self.wrong(scope, self.error(codes::MODULE_OUTPUT, entry.key, message, help));
        };
        if let Some(export) = self.tree.get(entry.value, symbol::EXPORT) {
            let message = format!("the Export of output {} has no effect in a module", shown(self.tree.name(name)));
            let help = "export it in the Outputs of the template";
            let diagnostic = self.error(codes::SECTION_IGNORED, export, message, help).severity(Severity::Warning);
            self.report(scope, diagnostic);
        }
        let condition = self.tree.get(entry.value, symbol::CONDITION);
        let condition = condition.map(|node| self.condition_of(node, scope)).transpose()?;
        if matches!(condition, Some((Truth::False, _))) {
            return Ok(None);
        }
        let value = self.evaluate_kept(written, scope)?;
        let Some((Truth::Unknown, full)) = condition else { return Ok(Some(value)) };
        let frame = self.values.frame(scope);
        let nothing = self.no_value(written, scope);
        let origin = Origin::Generated(written, frame);
        let list = self.tree.list(&[full, value, nothing], Style::Plain, origin);
        let made = self.call_made(Known::If, list, written, frame);
        self.values.undecided.insert(made, full);
        Ok(Some(made))
    }

    /// Returns a value of an import with an undecided condition: `AWS::NoValue` without the import, unless it is used
    /// where the condition holds (reference/modules/conditions.md#imports).
    fn under_condition(&mut self, value: NodeId, used: InstanceId, at: NodeId, scope: InstanceId) -> NodeId {
        let condition = self.values.instances[used.at()].condition;
        let Some(condition) = condition.filter(|&name| !self.values.modes.under.contains(&Some(name))) else {
            return value;
        };
        self.only_under(condition, value, at, scope)
    }

    /// Returns a value, and `AWS::NoValue` where a condition does not hold.
    pub(super) fn only_under(&mut self, condition: Symbol, value: NodeId, at: NodeId, scope: InstanceId) -> NodeId {
        let frame = self.frame_at(at, scope);
        let origin = Origin::Generated(at, frame);
        let text = self.tree.name(condition).to_owned();
        let name = self.tree.computed(&text, origin);
        let nothing = self.no_value(at, scope);
        let list = self.tree.list(&[name, value, nothing], Style::Plain, origin);
        let made = self.call_made(Known::If, list, at, frame);
        self.values.undecided.insert(made, name);
        made
    }

    /// Reports a conditional output whose value is inserted into a string or has a path.
    pub(super) fn check_decided(
        &mut self,
        value: NodeId,
        import: &str,
        name: &str,
        at: NodeId,
        scope: InstanceId,
    ) -> Resolved<()> {
        if self.values.undecided.is_empty() {
            return Ok(());
        }
        let Some(&condition) = self.values.undecided.get(&self.emitted.written_value(value)) else { return Ok(()) };
        let (import, output) = (shown(import), shown(name.rsplit('.').next().unwrap_or(name)));
        let condition = shown(self.tree.text(condition));
        let message = format!(
            "the output may be absent: `{import} output {output} depends on the unresolved condition {condition}`"
        );
        let help = "pass the module a value that decides the condition, or use the output outside a string";
        let diagnostic = self
            .error(codes::MODULE_OUTPUT, at, message, help)
            .note("a string cannot represent AWS::NoValue, so the output can only be used as a whole value");
        self.wrong(scope, diagnostic)
    }

    pub(super) fn check_outputs(&mut self, scope: InstanceId) {
        let Some(section) = self.complete(|linker| linker.section(scope, "Outputs")).flatten() else { return };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            if self.tree.get(entry.value, symbol::VALUE).is_none() {
                let name = self.tree.symbol(entry.key);
                self.complete(|linker| linker.output_value(scope, name));
            }
        }
    }
}
