//! Imports (reference/modules/README.md#imports): their declarations and their instances.

use formwork_base::display::shown;
use formwork_base::{FrameKind, codes};
use formwork_evaluate::Truth;
use formwork_syntax::{Entry, FrameRecord, Kind, NodeId, Symbol, function, symbol};

use super::Linker;
use super::groups::{ForEachCopy, ForEachGroup, Section};
use super::instance::ImportState;
use super::instance::{Instance, InstanceId};
use super::stop::{Resolved, Stop, unless_wrong};

const ATTRIBUTES: [&str; 10] = [
    "Source",
    "Properties",
    "Overrides",
    "ForEach",
    "Condition",
    "DependsOn",
    "Type",
    "Metadata",
    "Description",
    "Hash",
];

impl Linker<'_> {
    pub(super) fn declared_import(&mut self, entry: Entry, scope: InstanceId) -> Option<(Symbol, ForEachGroup)> {
        let text = self.tree.text(entry.key).to_owned();
        if let Some(name) = function::loop_name(&text) {
            if let &[variable, collection, body] = self.tree.items(entry.value)
                && self.tree.kind(variable) == Kind::String
                && self.tree.kind(body) == Kind::Map
                && !name.is_empty()
            {
                let (collection, variable) = (Some(collection), Some(variable));
                return Some((self.tree.intern(name), ForEachGroup { key: entry.key, body, collection, variable }));
            }
            let message = format!("the layout of loop {} around imports is incorrect", shown(name));
            let help = "write `Fn::ForEach::Name: [Identifier, [a, b], {Import: {Source: ...}}]`";
            self.report(scope, self.error(codes::MODULE_FOR_EACH, entry.key, message, help));
            return None;
        }
        self.check_import_name(&text, entry.key, scope)?;
        if self.tree.kind(entry.value) != Kind::Map {
            let message = format!("the import {} has no Source: `{} missing Source`", shown(&text), shown(&text));
            let source = self.tree.string(entry.value).filter(|path| !path.contains(['`', '\n', '"', ',', '{', '}']));
            let help = format!("write `{}: {{Source: {}}}`", shown(&text), shown(source.unwrap_or("./module.yaml")));
            self.report(scope, self.error(codes::MODULE_SOURCE, entry.key, message, help));
            return None;
        }
        Some((self.tree.symbol(entry.key), self.group(entry)))
    }

    pub(super) fn check_import_name(&mut self, name: &str, key: NodeId, scope: InstanceId) -> Option<()> {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_name {
            return Some(());
        }
        let message = format!("{} is not a valid name for an import", shown(name));
        let diagnostic = self
            .error(codes::MODULE_NAME, key, message, "rename the import")
            .note("the name becomes part of logical IDs: it needs a letter first, then letters and digits");
        self.report(scope, diagnostic);
        None
    }

    /// Returns the instance of an import, which is created at the first request.
    pub(super) fn instantiate(&mut self, copy: &ForEachCopy, scope: InstanceId) -> Resolved<ImportState> {
        match self.values.uses.get(&(copy.id, scope)) {
            Some((key, made)) if *key == copy.key => return made.clone(),
            Some(&(key, _)) => return self.duplicate_import(copy, key, scope),
            None => {}
        }
        let made = self.begin(copy, scope);
        if made != Err(Stop::Waits) {
            self.values.uses.insert((copy.id, scope), (copy.key, made.clone()));
        }
        made
    }

    /// Reports an import with the name of another one, such as an import `Box1` beside the copies of an import `Box`.
    fn duplicate_import<T>(&mut self, copy: &ForEachCopy, first: NodeId, scope: InstanceId) -> Resolved<T> {
        if !self.values.duplicates.insert(copy.key) {
            return Err(Stop::Reported);
        }
        let message = format!("two imports have the name {} in the result", shown(self.tree.name(copy.id)));
        let diagnostic = self
            .error(codes::MODULE_NAME, copy.key, message, "rename one of them")
            .label("declared here")
            .related(self.tree.span(first), "declared here")
            .note("the copies of an import have its name with a number behind it");
        self.wrong(scope, diagnostic)
    }

    pub(super) fn instance(&mut self, copy: &ForEachCopy, scope: InstanceId) -> Resolved<Option<InstanceId>> {
        Ok(match unless_wrong(self.instantiate(copy, scope))? {
            Some(ImportState::Instance(used)) => Some(used),
            _ => None,
        })
    }

    pub(super) fn imported(&mut self, scope: InstanceId) -> Resolved<Vec<InstanceId>> {
        let mut all = Vec::new();
        for &name in &self.groups(Section::Imports, scope)?.names {
            let copies = unless_wrong(self.copies_of(Section::Imports, name, scope))?.unwrap_or_default();
            for copy in copies.iter() {
                all.extend(self.instance(copy, scope)?);
            }
        }
        Ok(all)
    }

    fn begin(&mut self, copy: &ForEachCopy, scope: InstanceId) -> Resolved<ImportState> {
        self.values.usage.stopped = self.values.usage.stopped || self.diagnostics.is_cancelled();
        if self.values.usage.stopped {
            return Err(Stop::Reported);
        }
        self.check_attributes(copy, scope);
        let condition = self.tree.get(copy.body, symbol::CONDITION);
        let mut pushed = self.values.instances[scope.at()].pushed;
        let mut undecided = None;
        if let Some(condition) = condition {
            let import = self.tree.name(copy.id).to_owned();
            let (truth, name) = self.import_condition(&import, condition, scope)?;
            if truth == Truth::False {
                return Ok(ImportState::Gone(condition));
            }
            if truth == Truth::Unknown {
                let own = self.symbol_of(name);
                undecided = Some(own);
                pushed = Some(self.both_conditions(pushed, own, name));
            }
        }
        let most = self.limits.module_uses;
        if self.values.instances.len() >= most {
            return self.stop(scope, copy.key, &format!("modules are imported more than {most} times"));
        }
        let known = self.loaded.files.len();
        let file = self.source(copy, scope)?;
        let prefix = format!("{}{}", self.values.instances[scope.at()].prefix, self.tree.name(copy.id));
        let (site, address) = (self.tree.span(copy.key), self.loaded.files[file].address.shown());
        let address = self.tree.computed(&address, formwork_syntax::Origin::Authored(formwork_base::Span::NONE));
        let record = FrameRecord::new(copy.frame, FrameKind::Module, site, copy.id);
        let frame = self.tree.frames_mut().push(FrameRecord { value: Some(address), ..record });
        let declares_loops =
            self.values.instances[scope.at()].declares_loops || self.declares_language_extensions(file);
        let made = self.values.add(Instance {
            parent: Some(scope),
            condition: undecided,
            declares_loops,
            frame,
            pushed,
            properties: self.tree.get(copy.body, symbol::PROPERTIES),
            misnamed: self.tree.entries(copy.body).find(|entry| {
                self.tree.kind(entry.value) == Kind::Map && !ATTRIBUTES.contains(&self.tree.text(entry.key))
            }),
            overrides: self.tree.get_text(copy.body, "Overrides"),
            ..Instance::new(file, Some(copy.id), prefix, copy.key)
        });
        if file == known {
            self.check_sections(made);
            self.check_schema_keywords(made);
        }
        Ok(ImportState::Instance(made))
    }

    fn check_attributes(&mut self, copy: &ForEachCopy, scope: InstanceId) {
        for entry in self.tree.entries(copy.body).collect::<Vec<_>>() {
            let name = self.tree.text(entry.key);
            if name == "DependsOn" {
                let message = format!(
                    "DependsOn of {}: `not supported on a module; use Overrides`",
                    shown(self.tree.name(copy.id))
                );
                let help = "write `Overrides: {ResourceInTheModule: {DependsOn: ...}}`";
                self.report(scope, self.error(codes::OVERRIDE, entry.key, message, help));
            } else if !ATTRIBUTES.contains(&name) {
                let message = format!("unknown attribute {} of an import has no effect", shown(name));
                let help = self.advice(name, ATTRIBUTES, "write values for the module under `Properties`");
                self.report(scope, self.error(codes::SECTION_IGNORED, entry.key, message, help));
            }
        }
    }
}
