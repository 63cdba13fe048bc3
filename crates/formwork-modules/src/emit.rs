//! Emission of the entries of the result: the template's own, then those of each import in order
//! (reference/modules/README.md#output-order).

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_evaluate::Truth;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Symbol, flags, symbol};

use super::Linker;
use super::groups::{ForEachCopy, Groups, Section};
use super::instance::InstanceId;
use super::modes::Modes;
use super::stop::{Resolved, Value, unless_wrong};

impl Linker<'_> {
    /// Emits the resources of an instance and of all imports below it, with a worklist: a chain of modules may have any
    /// length. Only the template's own imports are emitted when another template imports it.
    pub(super) fn emit_all(&mut self) {
        let mut open: Vec<InstanceId> = vec![InstanceId::ROOT];
        let mut all: Vec<InstanceId> = Vec::new();
        while let Some(scope) = open.pop() {
            if self.values.usage.stopped {
                return;
            }
            all.push(scope);
            // Before the properties: their dependence on the import itself is separate from that of its loops.
            self.complete(|linker| linker.unrolled(scope));
            if scope == InstanceId::ROOT {
                self.emit_root_resources();
            } else {
                self.bind_all(scope);
                self.emit_resources(scope);
                self.check_outputs(scope);
                self.warn_of_rules(scope);
                self.add_transforms(scope);
            }
            if self.choices.is_imported && scope != InstanceId::ROOT {
                continue;
            }
            let below = self.complete(|linker| linker.imported(scope)).unwrap_or_default();
            open.extend(below.into_iter().rev());
        }
        for scope in all.into_iter().skip(1) {
            self.check_overrides(scope);
        }
    }

    fn warn_of_rules(&mut self, scope: InstanceId) {
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        let Some(entry) = self.tree.member(root, symbol::RULES) else { return };
        let help = "use ParameterSchema in the module, or move the rules to the template";
        let diagnostic = self
            .error(codes::SECTION_IGNORED, entry.key, "Rules has no effect in a module", help)
            .note("rules check the parameters of a stack, and expansion removes the parameters of a module");
        self.report(scope, diagnostic);
    }

    fn emit_resources(&mut self, scope: InstanceId) {
        let groups = self.complete(|linker| linker.groups(Section::Resources, scope)).unwrap_or_default();
        for &name in &groups.names {
            self.emit_copies(&groups, name, scope);
        }
    }

    fn emit_copies(&mut self, groups: &Groups, name: Symbol, scope: InstanceId) {
        if let Some(alone) = groups.get(name).and_then(|group| self.alone(name, group, scope)) {
            if !self.values.usage.stopped {
                self.emit_resource(&alone, name, scope);
            }
            return;
        }
        let copies = self.complete(|linker| linker.copies_of(Section::Resources, name, scope)).unwrap_or_default();
        // A resource without copies is not an error.
        let unused = groups.get(name).filter(|_| copies.is_empty());
        self.emitted.result.changed.extend(unused.map(|group| self.tree.authored(group.key)));
        for copy in copies.iter() {
            if self.values.usage.stopped {
                return;
            }
            self.emit_resource(copy, name, scope);
        }
    }

    fn emit_resource(&mut self, copy: &ForEachCopy, name: Symbol, scope: InstanceId) {
        let prefix = &self.values.instances[scope.at()].prefix;
        let original = [prefix, self.tree.name(name)].concat();
        let copied = (copy.id != name).then(|| [prefix, self.tree.name(copy.id)].concat());
        let id = copied.as_deref().unwrap_or(&original);
        let by_override = self.complete(|linker| linker.overriding_condition(id, &original, scope)).flatten();
        let body = match by_override.map(|(truth, _)| truth) {
            None => Some(copy.body),
            Some(Truth::False) => None,
            // Its own condition is not evaluated.
            Some(_) => Some(self.without_attribute(copy.body, symbol::CONDITION)),
        };
        let made = body.and_then(|body| self.complete(|linker| linker.resource(body, scope)).unwrap_or(Some(body)));
        let Some(made) = made else {
            self.emitted.result.removed.insert(id.to_owned());
            self.emitted.with_removed_copy.insert(original);
            return;
        };
        let written = made;
        let mut made = self.overridden(written, id, &original, scope);
        if made != written {
            self.emitted.result.changed.insert(self.tree.authored(copy.key));
        }
        if self.choices.metadata_source_map && scope != InstanceId::ROOT {
            made = self.with_source(made, copy, scope);
        }
        let frame = if copy.frame.is_none() { self.values.frame(scope) } else { copy.frame };
        if !self.tree.is_generated(made) {
            made = self.tree.stand_in(made, made, frame);
        }
        let style = self.tree.style(copy.key);
        let key = self.tree.key(id, style, Origin::Generated(copy.key, frame));
        self.emit(key, made, scope);
        self.emitted.result.made.insert(key);
    }

    fn emit(&mut self, key: NodeId, value: NodeId, scope: InstanceId) {
        let name = self.tree.symbol(key);
        if let Some(&first) = self.emitted.names.get(&name) {
            let message = format!("duplicate logical ID {} in the result", shown(self.tree.name(name)));
            let diagnostic = self
                .error(codes::MODULE_NAME, key, message, "rename one of the imports or resources")
                .label("declared here")
                .related(self.tree.span(first), "declared here")
                .note("the logical ID of a resource in a module begins with the names of its imports");
            return self.report(scope, diagnostic);
        }
        self.emitted.names.insert(name, key);
        self.emitted.entries.push(Entry { key, value });
    }

    pub(super) fn resource(&mut self, body: NodeId, scope: InstanceId) -> Value {
        if self.tree.kind(body) != Kind::Map {
            let made = self.in_body(|linker| linker.evaluate(body, scope));
            return Ok(unless_wrong(made)?.flatten().or(Some(body)));
        }
        // At any place: a removed resource is not evaluated.
        let condition = self.tree.get(body, symbol::CONDITION);
        if self.is_removed(body, scope)? {
            return Ok(None);
        }
        let under = self.condition_left(body, scope)?;
        let mut made = Vec::with_capacity(self.tree.len(body) + 1);
        let mut pushed = self.values.instances[scope.at()].pushed;
        for at in 0..self.tree.len(body) {
            let entry = self.tree.entry(body, at);
            // Conditions of the template are kept.
            if Some(entry.value) != condition || scope == InstanceId::ROOT {
                made.extend(self.attribute(entry, under, scope)?);
                continue;
            }
            let value = match unless_wrong(self.condition_of(entry.value, scope))? {
                Some((Truth::Unknown, name)) if self.tree.kind(name) != Kind::String => name,
                Some((Truth::Unknown, name)) => {
                    let own = self.symbol_of(name);
                    let both = self.both_conditions(pushed.take(), own, entry.value);
                    if both == own { name } else { self.name_in_place(entry.value, both, self.values.frame(scope)) }
                }
                _ => continue,
            };
            made.push(Entry { key: entry.key, value });
        }
        if let Some(pushed) = pushed {
            let origin = Origin::Generated(body, self.values.frame(scope));
            let key = self.tree.key("Condition", Style::Plain, origin);
            let pushed = self.tree.name(pushed).to_owned();
            let value = self.tree.computed(&pushed, origin);
            let at = made.iter().position(|entry| self.tree.symbol(entry.key) == symbol::TYPE).map_or(0, |at| at + 1);
            made.insert(at, Entry { key, value });
        }
        Ok(Some(self.map_in_place(body, &made, self.values.frame(scope))))
    }

    /// Returns an attribute of a resource other than its condition; `None` for `AWS::NoValue`.
    fn attribute(&mut self, entry: Entry, under: Option<Symbol>, scope: InstanceId) -> Resolved<Option<Entry>> {
        let modes = Modes { under: [under, None], ..self.values.modes };
        self.with_modes(modes, |linker| linker.attribute_here(entry, scope))
    }

    fn attribute_here(&mut self, entry: Entry, scope: InstanceId) -> Resolved<Option<Entry>> {
        let value = if self.tree.symbol(entry.key) == symbol::DEPENDS_ON {
            Some(self.depends_on(entry.value, scope)?)
        } else if !self.tree.has(entry.value, flags::HAS_CALL) {
            Some(entry.value)
        } else {
            self.in_body(|linker| linker.evaluate_part(entry.value, scope))?
        };
        Ok(value.map(|value| Entry { key: entry.key, value }))
    }

    /// Adds the origin of a resource to its metadata (reference/modules/README.md#metadata).
    fn with_source(&mut self, resource: NodeId, copy: &ForEachCopy, scope: InstanceId) -> NodeId {
        if self.tree.kind(resource) != Kind::Map {
            return resource;
        }
        let line = self.sources.place(self.tree.span(copy.key)).map_or(0, |place| place.line);
        let text = format!("{}:{}:{line}", self.file_name(scope), self.tree.text(copy.key));
        let origin = Origin::Generated(resource, self.values.frame(scope));
        let value = self.tree.computed(&text, origin);
        let key = self.tree.key("SourceMap", Style::Plain, origin);
        self.with_metadata(resource, Entry { key, value })
    }

    pub(super) fn with_metadata(&mut self, map: NodeId, member: Entry) -> NodeId {
        let mut entries: Vec<Entry> = self.tree.entries(map).collect();
        let known = entries.iter().position(|entry| self.tree.symbol(entry.key) == symbol::METADATA);
        let frame = self.tree.frame_of(map);
        match known {
            Some(at) if self.tree.kind(entries[at].value) == Kind::Map => {
                let old = entries[at].value;
                let name = self.tree.symbol(member.key);
                let mut members: Vec<Entry> =
                    self.tree.entries(old).filter(|entry| self.tree.symbol(entry.key) != name).collect();
                members.push(member);
                entries[at].value = self.map_in_place(old, &members, frame);
            }
            Some(_) => return map,
            None => {
                let origin = Origin::Generated(map, frame);
                let key = self.tree.key("Metadata", Style::Plain, origin);
                let value = self.tree.map(&[member], Style::Plain, origin);
                entries.push(Entry { key, value });
            }
        }
        self.map_in_place(map, &entries, frame)
    }

    fn emit_root_resources(&mut self) {
        let root = self.complete(|linker| linker.unrolled(InstanceId::ROOT)).unwrap_or(self.loaded.files[0].root);
        let Some(section) = self.tree.get(root, symbol::RESOURCES) else { return };
        let groups = self.complete(|linker| linker.groups(Section::Resources, InstanceId::ROOT)).unwrap_or_default();
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            let name = self.tree.symbol(entry.key);
            if groups.is_many(name) {
                self.emit_copies(&groups, name, InstanceId::ROOT);
                continue;
            }
            let value = self.complete(|linker| linker.resource(entry.value, InstanceId::ROOT)).flatten();
            self.emit(entry.key, value.unwrap_or(entry.value), InstanceId::ROOT);
        }
    }

    fn add_transforms(&mut self, scope: InstanceId) {
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        let Some(node) = self.tree.get(root, symbol::TRANSFORM) else { return };
        for entry in self.entries_of(node) {
            // Its parameters are those of the module.
            let made = self.complete(|linker| linker.known(|linker| linker.evaluate_part(entry, scope))).flatten();
            self.emitted.transforms.extend(made);
        }
    }

    fn entries_of(&self, node: NodeId) -> Vec<NodeId> {
        if self.tree.kind(node) == Kind::Null { Vec::new() } else { self.items_or_self(node) }
    }

    /// Returns the template's own transforms, then those of modules that are not yet in the list.
    pub(super) fn merged_transform(&mut self, own: Option<NodeId>, place: NodeId) -> NodeId {
        let mut entries = own.map_or_else(Vec::new, |own| self.entries_of(own));
        let count = entries.len();
        for entry in std::mem::take(&mut self.emitted.transforms) {
            if !entries.iter().any(|&known| self.tree.same_data(known, entry)) {
                entries.push(entry);
            }
        }
        match (own, entries.as_slice()) {
            (Some(own), entries) if entries.len() == count => own,
            (_, &[only]) => only,
            (own, entries) => {
                let style = own
                    .filter(|&own| self.tree.kind(own) == Kind::List)
                    .map_or(Style::Plain, |own| self.tree.style(own));
                self.tree.list(entries, style, Origin::Generated(place, FrameId::NONE))
            }
        }
    }
}
