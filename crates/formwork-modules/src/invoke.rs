//! Evaluation of `Fn::Invoke`: a module used as a function (reference/modules/functions.md#invoke).

use formwork_base::display::shown;
use formwork_base::{FrameKind, codes};
use formwork_syntax::{Kind, NodeId, Origin, Style};
use rustc_hash::FxHashSet;

use super::groups::Section;
use super::instance::ImportState;
use super::instance::{Instance, InstanceId};
use super::stop::{Resolved, Stop, Value};
use super::{Inserted, Linker};

impl Linker<'_> {
    pub(super) fn evaluate_invoke(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let &[import, given, wanted] = self.tree.items(argument) else {
            let message = "Fn::Invoke takes an import, values and an output: `Fn::Invoke requires 3 arguments`";
            let help = "write `Fn::Invoke: [Import, {Parameter: value}, Output]`";
            return self.wrong(scope, self.error(codes::LOCAL_FUNCTION, node, message, help));
        };
        let name = self.tree.text(import).to_owned();
        let used = self.invoked(&name, import, scope)?;
        let called = self.call_of(used, given, node, scope)?;
        self.check_schema(called)?;
        let outputs = self.items_or_self(wanted).into_iter();
        let values = outputs.map(|output| self.invoked_output(&name, called, output, scope));
        let values = values.collect::<Resolved<Vec<NodeId>>>()?;
        let frame = self.frame_at(node, scope);
        if self.tree.kind(wanted) == Kind::List {
            return Ok(Some(self.tree.list(&values, Style::Plain, Origin::Generated(node, frame))));
        }
        let placed = self.tree.stand_in(values[0], node, frame);
        let whole = self.tree.intern(&format!("{name}.{}", self.tree.text(wanted)));
        self.emitted
            .result
            .inserted
            .insert(placed, Inserted { kind: FrameKind::Output, name: whole, value: values[0] });
        Ok(Some(placed))
    }

    fn invoked(&mut self, name: &str, at: NodeId, scope: InstanceId) -> Resolved<InstanceId> {
        let symbol = self.tree.intern(name);
        let found = self.import_named(name, symbol, scope)?;
        let found = found.and_then(|(copies, number)| copies.get(number.unwrap_or(0)).cloned());
        let Some(copy) = found else {
            let groups = self.groups(Section::Imports, scope)?;
            let names = groups.names.iter().map(|&name| self.tree.name(name));
            let written = shown(name);
            let message = format!(
                "import {written} does not exist: `Fn::Invoke could not be resolved locally: unknown import {written}`"
            );
            let help = self.advice(name, names, "the import must be in the Modules section of this file");
            return self.wrong(scope, self.error(codes::LOCAL_FUNCTION, at, message, help));
        };
        match self.instantiate(&copy, scope)? {
            ImportState::Instance(used) => Ok(used),
            ImportState::Gone(_) => Err(Stop::Reported),
        }
    }

    /// Returns an instance of the same file with other values. It emits nothing.
    fn call_of(&mut self, used: InstanceId, given: NodeId, node: NodeId, scope: InstanceId) -> Resolved<InstanceId> {
        if let Some(&known) = self.values.calls.get(&(node, scope)) {
            return Ok(known);
        }
        if self.tree.kind(given) != Kind::Map {
            let message = "the second argument of Fn::Invoke is not a mapping of parameters";
            let help = "write `{Parameter: value}`, or `{}`";
            return self.wrong(scope, self.error(codes::LOCAL_FUNCTION, given, message, help));
        }
        let own = self.values.instances[used.at()].clone();
        let called = self.values.add(Instance { invoked: Some(given), overrides: None, groups: [None, None], ..own });
        self.values.calls.insert((node, scope), called);
        for entry in self.tree.entries(given).collect::<Vec<_>>() {
            if self.declaration(called, self.tree.symbol(entry.key)).is_none() {
                let (source, parameter) = (shown(&self.file_name(called)), shown(self.tree.text(entry.key)));
                let message = format!("{source} has no parameter {parameter}");
                let help = "declare it in the module's Parameters, or remove it";
                self.report(scope, self.error(codes::PROPERTY_NOT_USED, entry.key, message, help));
            }
        }
        Ok(called)
    }

    fn invoked_output(
        &mut self,
        import: &str,
        called: InstanceId,
        output: NodeId,
        scope: InstanceId,
    ) -> Resolved<NodeId> {
        let name = self.tree.text(output).to_owned();
        let section = self.section(called, "Outputs")?;
        let symbol = self.tree.symbols().get(&name);
        let symbol = symbol.filter(|&name| section.is_some_and(|section| self.tree.get(section, name).is_some()));
        let (import, name) = (shown(import), shown(&name));
        let Some(symbol) = symbol else {
            let message =
                format!("the module does not declare this output: `Fn::Invoke output not found in {import}: {name}`");
            let help = "correct the name, or add the output to the module";
            return self.wrong(scope, self.error(codes::MODULE_OUTPUT, output, message, help));
        };
        let Some(value) = self.output_value(called, symbol)? else {
            let message = format!("the output is absent: `{import} has no output {name} (its condition is false)`");
            return self.wrong(scope, self.error(codes::MODULE_OUTPUT, output, message, "pass other values"));
        };
        let Some(id) = self.own_resource(value, called)? else { return Ok(value) };
        let id = shown(&id);
        let message = format!(
            "output {name} refers to {id}, a resource of the module: `Fn::Invoke could not be resolved locally`"
        );
        let help = "use an output of the import itself: `Fn::GetAtt`";
        let diagnostic = self
            .error(codes::LOCAL_FUNCTION, output, message, help)
            .note("a call does not create resources, it only returns values");
        self.wrong(scope, diagnostic)
    }

    fn own_resource(&mut self, value: NodeId, called: InstanceId) -> Resolved<Option<String>> {
        let prefix = self.values.instances[called.at()].prefix.clone();
        let (mut names, mut seen): (Vec<String>, _) = (Vec::new(), FxHashSet::default());
        formwork_template::reference::visit(self.tree, value, &mut |node| seen.insert(node), &mut |reference| {
            names.extend(reference.name.strip_prefix(prefix.as_str()).map(str::to_owned));
        });
        for name in names {
            if self.full_id(&name, called)?.is_some() {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}
