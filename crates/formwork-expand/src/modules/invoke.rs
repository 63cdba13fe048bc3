//! `Fn::Invoke`: a module used as a function (reference/modules/functions.md#invoke).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Style};
use rustc_hash::FxHashSet;

use super::Linker;
use super::evaluate::Value;
use super::goals::{Made, Stop};
use super::imports::ImportState;
use super::instance::{Instance, InstanceId};

impl Linker<'_> {
    pub(super) fn evaluate_invoke(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let span = self.tree.span(node);
        let &[import, given, wanted] = self.tree.items(argument) else {
            let diagnostic = Diagnostic::new(
                codes::LOCAL_FUNCTION,
                "Fn::Invoke takes an import, values and an output: `Fn::Invoke requires 3 arguments`",
            )
            .at(span)
            .help("write `Fn::Invoke: [Import, {Parameter: value}, Output]`");
            return self.wrong(scope, diagnostic);
        };
        let name = self.tree.text(import).to_owned();
        let used = self.invoked(&name, import, scope)?;
        let called = self.call_of(used, given, node, scope)?;
        self.check_schema(called)?;
        let outputs: Vec<NodeId> = match self.tree.kind(wanted) {
            Kind::List => self.tree.items(wanted).to_vec(),
            _ => vec![wanted],
        };
        let mut values = Vec::with_capacity(outputs.len());
        for output in outputs {
            values.push(self.invoked_output(&name, called, output, scope)?);
        }
        let frame = self.frame(scope);
        let frame = self.frame_within(node, frame);
        if self.tree.kind(wanted) == Kind::List {
            let origin = formwork_syntax::Origin::Generated(node, frame);
            return Ok(Some(self.tree.list(&values, Style::Plain, origin)));
        }
        let placed = self.tree.stand_in(values[0], node, frame);
        let whole = self.tree.intern(&format!("{name}.{}", self.tree.text(wanted)));
        let inserted = super::Inserted { kind: formwork_base::FrameKind::Output, name: whole, value: values[0] };
        self.inserted.insert(placed, inserted);
        Ok(Some(placed))
    }

    /// The import that is called.
    fn invoked(&mut self, name: &str, at: NodeId, scope: InstanceId) -> Made<InstanceId> {
        let symbol = self.tree.intern(name);
        let found = match self.import_named(name, symbol, scope)? {
            Some((group, number)) => self.copies(group, scope)?.get(number.unwrap_or(0)).cloned(),
            None => None,
        };
        let Some(copy) = found else {
            let names = self.import_names(scope)?;
            let names = names.iter().map(|&name| self.tree.name(name));
            let diagnostic = Diagnostic::new(
                codes::LOCAL_FUNCTION,
                format!(
                    "there is no import {}: `Fn::Invoke could not be resolved locally: unknown import {}`",
                    shown(name),
                    shown(name)
                ),
            )
            .at(self.tree.span(at));
            let otherwise = "the import must stand in the Modules section of this file";
            return self.wrong(scope, self.with_suggestion(diagnostic, name, names, otherwise));
        };
        match self.instantiate(&copy, scope)? {
            ImportState::Instance(used) => Ok(used),
            ImportState::Gone(_) => Err(Stop::Poison),
        }
    }

    /// An instance of the same file with other values. It emits nothing.
    fn call_of(&mut self, used: InstanceId, given: NodeId, node: NodeId, scope: InstanceId) -> Made<InstanceId> {
        if let Some(&known) = self.calls.get(&(node, scope)) {
            return Ok(known);
        }
        let is_map = self.tree.kind(given) == Kind::Map;
        if !is_map {
            let diagnostic =
                Diagnostic::new(codes::LOCAL_FUNCTION, "the second argument of Fn::Invoke is no mapping of parameters")
                    .at(self.tree.span(given))
                    .help("write `{Parameter: value}`, or `{}`");
            return self.wrong(scope, diagnostic);
        }
        let own = &self.instances[used.0];
        let (file, name, prefix, key) = (own.file, own.name.clone(), own.prefix.clone(), own.key);
        let mut called = Instance::new(file, name, prefix, key);
        let own = &self.instances[used.0];
        called.parent = own.parent;
        called.frame = own.frame;
        called.pushed.clone_from(&own.pushed);
        called.properties = own.properties;
        called.invoked = Some(given);
        self.instances.push(called);
        let called = InstanceId(self.instances.len() - 1);
        self.calls.insert((node, scope), called);
        let names: Vec<Entry> = self.tree.entries(given).collect();
        for entry in names {
            let parameter = self.tree.symbol(entry.key);
            if !self.declares(called, parameter) {
                let source = self.file_name(called);
                let diagnostic = Diagnostic::new(
                    codes::PROPERTY_NOT_USED,
                    format!("{} has no parameter {}", shown(&source), shown(self.tree.text(entry.key))),
                )
                .at(self.tree.span(entry.key))
                .help("declare it in the module's Parameters, or take it out");
                self.report(scope, diagnostic);
            }
        }
        Ok(called)
    }

    fn invoked_output(&mut self, import: &str, called: InstanceId, output: NodeId, scope: InstanceId) -> Made<NodeId> {
        let name = self.tree.text(output).to_owned();
        let section = self.section(called, "Outputs")?;
        let symbol = self.tree.symbols().get(&name);
        let symbol = symbol.filter(|&name| section.is_some_and(|section| self.tree.get(section, name).is_some()));
        let at = self.tree.span(output);
        let (import, name) = (shown(import), shown(&name));
        let Some(symbol) = symbol else {
            let message = format!("the module has no such output: `Fn::Invoke output not found in {import}: {name}`");
            let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message)
                .at(at)
                .help("correct the name, or add the output to the module");
            return self.wrong(scope, diagnostic);
        };
        let Some(value) = self.output_value(called, symbol)? else {
            let message = format!("the output is gone: `{import} has no output {name} (its condition is false)`");
            let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message).at(at).help("give the call other values");
            return self.wrong(scope, diagnostic);
        };
        let Some(id) = self.own_resource(value, called)? else { return Ok(value) };
        let message = format!(
            "output {name} refers to {}, a resource of the module: `Fn::Invoke could not be resolved locally`",
            shown(&id)
        );
        let diagnostic = Diagnostic::new(codes::LOCAL_FUNCTION, message)
            .at(at)
            .note("a call makes no resources, it gives values alone")
            .help("use an output of the import itself: `Fn::GetAtt`");
        self.wrong(scope, diagnostic)
    }

    /// A resource of the called module that a value refers to.
    fn own_resource(&mut self, value: NodeId, called: InstanceId) -> Made<Option<String>> {
        let prefix = self.instances[called.0].prefix.clone();
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
