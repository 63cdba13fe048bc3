//! `Fn::Invoke`: a module used as a function (reference/modules/functions.md#invoke).

use formwork_base::{Diagnostic, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Style, View, flags};

use super::Linker;
use super::evaluate::Value;
use super::imports::Use;
use super::instance::{Bound, Instance, Scope};

impl Linker<'_> {
    pub(super) fn evaluate_invoke(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let span = self.tree.span(node);
        let &[import, given, wanted] = self.tree.items(argument) else {
            let diagnostic = Diagnostic::new(
                codes::LOCAL_FUNCTION,
                "Fn::Invoke takes an import, values and an output: `Fn::Invoke requires 3 arguments`",
            )
            .at(span)
            .help("write `Fn::Invoke: [Import, {Parameter: value}, Output]`");
            self.report(scope, diagnostic);
            return Value::Poison;
        };
        let name = self.tree.text(import).to_owned();
        let Some(used) = self.invoked(&name, import, scope) else { return Value::Poison };
        let Some(called) = self.call_of(used, given, node, scope) else { return Value::Poison };
        let outputs: Vec<NodeId> = match self.tree.kind(wanted) {
            Kind::List => self.tree.items(wanted).to_vec(),
            _ => vec![wanted],
        };
        let mut values = Vec::with_capacity(outputs.len());
        for output in outputs {
            match self.invoked_output(&name, called, output, scope) {
                Some(value) => values.push(value),
                None => return Value::Poison,
            }
        }
        let frame = self.frame(scope);
        let frame = self.frame_within(node, frame);
        if self.tree.kind(wanted) == Kind::List {
            let origin = formwork_syntax::Origin::Made(node, frame);
            return Value::Node(self.tree.list(&values, Style::Plain, origin));
        }
        let placed = self.tree.stand_in(values[0], node, frame);
        let whole = self.tree.intern(&format!("{name}.{}", self.tree.text(wanted)));
        let inserted = super::Inserted { kind: formwork_base::FrameKind::Output, name: whole, value: values[0] };
        self.inserted.insert(placed, inserted);
        Value::Node(placed)
    }

    /// The import that is called.
    fn invoked(&mut self, name: &str, at: NodeId, scope: Scope) -> Option<Scope> {
        let names = self.import_names(scope);
        let symbol = self.tree.symbols().get(name).filter(|symbol| names.contains(symbol));
        let copy = if let Some(symbol) = symbol {
            self.copies(symbol, scope)?.first().cloned()
        } else {
            let found = self.copy_named(name, scope);
            found.and_then(|(group, at)| self.copies(group, scope).map(|copies| copies[at].clone()))
        };
        let Some(copy) = copy else {
            if self.suspended.is_some() {
                return None;
            }
            let names: Vec<&str> = names.iter().map(|&name| self.tree.name(name)).collect();
            let mut diagnostic = Diagnostic::new(
                codes::LOCAL_FUNCTION,
                format!(
                    "there is no import {}: `Fn::Invoke could not be resolved locally: unknown import {}`",
                    shown(name),
                    shown(name)
                ),
            )
            .at(self.tree.span(at));
            diagnostic = match suggest::nearest(name, names) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help("the import must stand in the Modules section of this file"),
            };
            self.report(scope, diagnostic);
            return None;
        };
        match self.instantiate(&copy, scope) {
            Use::Instance(used) => Some(used),
            Use::Gone(_) | Use::Poison => None,
        }
    }

    /// An instance of the same file with other values. It emits nothing.
    fn call_of(&mut self, used: Scope, given: NodeId, node: NodeId, scope: Scope) -> Option<Scope> {
        if let Some(&known) = self.calls.get(&(node, scope)) {
            return Some(known);
        }
        let is_map = self.tree.kind(given) == Kind::Map;
        if !is_map {
            let diagnostic =
                Diagnostic::new(codes::LOCAL_FUNCTION, "the second argument of Fn::Invoke is no mapping of parameters")
                    .at(self.tree.span(given))
                    .help("write `{Parameter: value}`, or `{}`");
            self.report(scope, diagnostic);
            return None;
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
        let called = Scope(self.instances.len() - 1);
        self.calls.insert((node, scope), called);
        self.check_schema(called);
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
        Some(called)
    }

    fn invoked_output(&mut self, import: &str, called: Scope, output: NodeId, scope: Scope) -> Option<NodeId> {
        let name = self.tree.text(output).to_owned();
        let section = self.section(called, "Outputs");
        let symbol = self.tree.symbols().get(&name);
        let symbol = symbol.filter(|&name| section.is_some_and(|section| self.tree.get(section, name).is_some()));
        let Some(symbol) = symbol else {
            if self.suspended.is_none() {
                let message = format!(
                    "the module has no such output: `Fn::Invoke output not found in {}: {}`",
                    shown(import),
                    shown(&name)
                );
                let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message)
                    .at(self.tree.span(output))
                    .help("correct the name, or add the output to the module");
                self.report(scope, diagnostic);
            }
            return None;
        };
        let value = match self.output_value(called, symbol) {
            Bound::Value(value) => value,
            Bound::Poison => return None,
            Bound::Unbound => {
                let message = format!(
                    "the output is gone: `{} has no output {} (its condition is false)`",
                    shown(import),
                    shown(&name)
                );
                let diagnostic = Diagnostic::new(codes::MODULE_OUTPUT, message)
                    .at(self.tree.span(output))
                    .help("give the call other values");
                self.report(scope, diagnostic);
                return None;
            }
        };
        if let Some(id) = self.own_resource(value, called) {
            let message = format!(
                "output {} refers to {}, a resource of the module: `Fn::Invoke could not be resolved locally`",
                shown(&name),
                shown(&id)
            );
            let diagnostic = Diagnostic::new(codes::LOCAL_FUNCTION, message)
                .at(self.tree.span(output))
                .note("a call makes no resources, it gives values alone")
                .help("use an output of the import itself: `Fn::GetAtt`");
            self.report(scope, diagnostic);
            return None;
        }
        Some(value)
    }

    /// A resource of the called module that a value refers to.
    fn own_resource(&mut self, value: NodeId, called: Scope) -> Option<String> {
        let mut found = None;
        let prefix = self.instances[called.0].prefix.clone();
        let mut names: Vec<String> = Vec::new();
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            if !self.tree.has(node, flags::HAS_CALL) {
                continue;
            }
            match self.tree.view(node) {
                View::List(items) => open.extend(items),
                View::Map => open.extend(self.tree.entries(node).map(|entry| entry.value)),
                View::Call(function, argument) => {
                    let known = [Known::Ref, Known::GetAtt, Known::Sub].map(formwork_syntax::Function::Known);
                    if known.contains(&function) {
                        formwork_template::reference::visit(self.tree, node, &mut |_| true, &mut |reference| {
                            names.push(reference.name.to_owned());
                        });
                    } else {
                        open.push(argument);
                    }
                }
                _ => {}
            }
        }
        for name in names {
            let Some(local) = name.strip_prefix(prefix.as_str()) else { continue };
            if self.full_id(local, called).is_some() {
                found = Some(local.to_owned());
            }
        }
        found
    }
}
