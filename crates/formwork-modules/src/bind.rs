//! Binding of the parameters of modules (reference/modules/parameters.md#binding): to the import's property, else to
//! the `Default`.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Entry, Kind, NodeId, Symbol, symbol};

use super::Linker;
use super::goal::Goal;
use super::instance::InstanceId;
use super::modes::Modes;
use super::stop::Value;

impl Linker<'_> {
    /// Returns the value of a parameter of a module, with names of the result; `None` without one.
    pub(super) fn binding(&mut self, scope: InstanceId, name: Symbol) -> Value {
        self.once(Goal::Binding(scope, name), |agenda| &mut agenda.values, |linker| linker.bind(scope, name))
    }

    fn bind(&mut self, scope: InstanceId, name: Symbol) -> Value {
        let given = self.given(scope, name)?;
        let value = self.by_schema(given, scope, name).or_else(|| self.declared_default(scope, name));
        Ok(value.map(|value| self.as_list(value, scope, name)))
    }

    fn given(&mut self, scope: InstanceId, name: Symbol) -> Value {
        let (Some(parent), Some(property)) = (self.values.instances[scope.at()].parent, self.property(scope, name))
        else {
            return Ok(None);
        };
        let Some(written) = self.without_loops(property.value, parent)? else { return Ok(None) };
        let modes = Modes { under: [self.values.instances[scope.at()].condition, None], ..self.values.modes };
        let value = self.with_modes(modes, |linker| linker.evaluate(written, parent))?;
        Ok(value.filter(|&node| !self.is_no_value(node) && self.tree.kind(node) != Kind::Null))
    }

    pub(super) fn property(&self, scope: InstanceId, name: Symbol) -> Option<Entry> {
        let own = &self.values.instances[scope.at()];
        let member = |properties: Option<NodeId>| self.tree.member(properties?, name);
        member(own.invoked).or_else(|| member(own.properties))
    }

    fn as_list(&mut self, value: NodeId, scope: InstanceId, name: Symbol) -> NodeId {
        if !self.tree.is_scalar(value) {
            return value;
        }
        let kind = self.declaration(scope, name).and_then(|node| self.tree.get(node, symbol::TYPE));
        let kind = kind.map_or("", |node| self.tree.text(node));
        if kind != "CommaDelimitedList" && !kind.starts_with("List<") {
            return value;
        }
        let list = self.split_at_commas(value);
        self.values.split.all.insert(list);
        list
    }

    pub(super) fn bind_all(&mut self, scope: InstanceId) {
        self.complete(|linker| linker.check_schema(scope));
        let Some(properties) = self.values.instances[scope.at()].properties else { return };
        if self.tree.kind(properties) != Kind::Map {
            let diagnostic = self.not_a_mapping(properties, scope);
            return self.report(self.values.importer(scope), diagnostic);
        }
        for entry in self.tree.entries(properties).collect::<Vec<_>>() {
            let name = self.tree.symbol(entry.key);
            if self.declaration(scope, name).is_none() {
                self.report_not_used(scope, name, entry.key);
            } else if let Some(Some(value)) = self.complete(|linker| linker.binding(scope, name)) {
                self.warn_of_secret(value, scope, name, entry.key);
            }
        }
    }

    fn not_a_mapping(&self, properties: NodeId, scope: InstanceId) -> Diagnostic {
        let message = format!("Properties of {} is not a mapping", shown(self.import_name(scope)));
        let is_list = self.tree.kind(properties) == Kind::List;
        let help = if is_list {
            "remove the dashes: `Properties` maps the names of the module's parameters to values"
        } else {
            "map the names of the module's parameters to values"
        };
        self.error(codes::MODULE_NAME, properties, message, help)
    }

    fn warn_of_secret(&mut self, value: NodeId, scope: InstanceId, name: Symbol, key: NodeId) {
        let flag = self.declaration(scope, name).and_then(|node| self.tree.get(node, symbol::NO_ECHO));
        let is_secret = flag.is_some_and(|flag| formwork_template::no_echo::is_secret(self.tree, flag));
        if !is_secret || !self.tree.is_scalar(value) {
            return;
        }
        let parameter = shown(self.tree.name(name));
        let message =
            format!("the module declares {parameter} as NoEcho, but the value would be written into the result");
        let help = "pass a NoEcho parameter of the template, or a dynamic reference";
        let diagnostic = self
            .error(codes::SECTION_IGNORED, key, message, help)
            .note("expansion removes module parameters, and NoEcho with them");
        self.report(self.values.importer(scope), diagnostic);
    }

    fn report_not_used(&mut self, scope: InstanceId, name: Symbol, key: NodeId) {
        let (import, source) = (shown(self.import_name(scope)), shown(&self.file_name(scope)));
        let property = shown(self.tree.name(name));
        let message = format!("{source} has no parameter {property}: the property of {import} has no effect");
        let known = self.names_in(self.written_section(scope, "Parameters"));
        let help = self.advice(&property, known, "declare it in the module's Parameters, or remove it");
        self.report(self.values.importer(scope), self.error(codes::PROPERTY_NOT_USED, key, message, help));
    }

    /// Reports a name that a module uses but does not declare, and that the import sets as a property.
    pub(super) fn undeclared(&self, name: Symbol, scope: InstanceId, at: NodeId) -> Option<Diagnostic> {
        let given = self.tree.member(self.values.instances[scope.at()].properties?, name)?;
        let (property, source) = (shown(self.tree.name(name)), shown(&self.file_name(scope)));
        let message = format!(
            "the module uses {property}, but does not declare it: `{property} not found in module Parameters: {source}`"
        );
        let help = format!("declare it: `Parameters: {{{property}: {{Type: String}}}}`");
        let diagnostic = self.error(codes::PROPERTY_NOT_DECLARED, at, message, help).label("the module refers to it");
        Some(diagnostic.related(self.tree.span(given.key), "set here"))
    }

    pub(super) fn unbound(&self, name: Symbol, scope: InstanceId, at: NodeId) -> Diagnostic {
        let (parameter, import) = (shown(self.tree.name(name)), shown(&self.scope_name(scope)));
        let message = format!(
            "import {import} does not pass {parameter}, which has no Default: `{parameter} does not have a Default and is not a Property`"
        );
        let of_import = |key, help: String| {
            let diagnostic = self.error(codes::PARAMETER_UNBOUND, key, message.clone(), help);
            let needed = self.tree.span(at);
            diagnostic.severity(Severity::Error).subject(parameter.clone()).related(needed, "needed here")
        };
        // Nothing is passed by what is not a mapping, which is the error.
        let properties = self.values.instances[scope.at()].properties;
        if let Some(properties) = properties.filter(|&node| self.tree.kind(node) != Kind::Map) {
            return self.not_a_mapping(properties, scope);
        }
        // The misspelt property has to be corrected: FW0720 follows from it.
        if let Some(key) = self.misspelt_property(name, scope) {
            return of_import(key, format!("did you mean `{parameter}`?"));
        }
        // `Inputs` for `Properties`: FW0722 follows from it.
        let instance = &self.values.instances[scope.at()];
        let misnamed = instance.misnamed.filter(|entry| {
            instance.properties.is_none() && self.tree.get_text(entry.value, self.tree.name(name)).is_some()
        });
        if let Some(entry) = misnamed {
            return of_import(entry.key, "did you mean `Properties`?".to_owned());
        }
        let help = match instance.properties {
            Some(_) => format!("add `{parameter}: ...` to its Properties, or a Default to the parameter"),
            None => {
                format!("write `Properties: {{{parameter}: ...}}` in the import, or add a Default to the parameter")
            }
        };
        of_import(instance.key, help)
    }

    /// Returns the key of the import's property that is nearly the name of this parameter, and of no other one.
    fn misspelt_property(&self, name: Symbol, scope: InstanceId) -> Option<NodeId> {
        let properties = self.values.instances[scope.at()].properties?;
        let parameter = self.tree.name(name);
        let is_declared = |entry: &Entry| self.declaration(scope, self.tree.symbol(entry.key)).is_some();
        let unknown: Vec<Entry> = self.tree.entries(properties).filter(|entry| !is_declared(entry)).collect();
        let is_slip = |entry: &&Entry| formwork_base::suggest::slip(self.tree.text(entry.key), [parameter]).is_some();
        // A single unknown property may be longer or shorter: `CidrBlock` for `Cidr`.
        let is_longer = |entry: &&Entry| {
            let text = self.tree.text(entry.key);
            unknown.len() == 1
                && text.len().min(parameter.len()) > 2
                && (text.contains(parameter) || parameter.contains(text))
        };
        unknown.iter().find(is_slip).or_else(|| unknown.iter().find(is_longer)).map(|entry| entry.key)
    }
}
