//! `Overrides` (reference/modules/overrides.md#overrides): attributes of a module's resources that the importing file
//! changes.

use formwork_base::display::shown;
use formwork_base::{FrameKind, Severity, codes};
use formwork_evaluate::Truth;
use formwork_syntax::{Entry, FrameId, FrameRecord, Kind, NodeId, Origin, Symbol, symbol};
use formwork_template::attribute;

use formwork_loops::merge;

use super::Linker;
use super::groups::ForEachCopy;
use super::instance::InstanceId;
use super::stop::{Resolved, unless_wrong};

/// Attributes that may be overridden: all but the type.
const ATTRIBUTES: &[Symbol] = attribute::RESOURCE.split_at(1).1;

enum Override {
    By(NodeId),
    /// Removed, since the condition is true.
    Removed,
    /// Kept: the override has an error, which was reported.
    Wrong,
}

impl Linker<'_> {
    /// Returns the resource with all overrides of imports. `id` is its full ID, and `original` that of the resource
    /// that a `ForEach` copied.
    pub(super) fn overridden(&mut self, resource: NodeId, id: &str, original: &str, scope: InstanceId) -> NodeId {
        let (mut resource, mut used) = (resource, scope);
        while let Some(parent) = self.values.instances[used.at()].parent {
            let own = &self.values.instances[used.at()];
            let entry = |full: &str| {
                let (overrides, local) = (own.overrides?, full.strip_prefix(own.prefix.as_str())?);
                self.tree.member(overrides, self.tree.symbols().get(local)?)
            };
            let found = [Some(original), Some(id).filter(|&id| id != original)].map(|full| entry(full?));
            for entry in found.into_iter().flatten() {
                self.values.used_overrides.insert(entry.key);
                resource = self.override_one(resource, entry, scope, parent);
            }
            used = parent;
        }
        resource
    }

    /// Returns the value and the name of the condition of a resource after overrides; `None` when no override has one.
    /// The outermost takes precedence.
    pub(super) fn overriding_condition(
        &mut self,
        id: &str,
        original: &str,
        scope: InstanceId,
    ) -> Resolved<Option<(Truth, NodeId)>> {
        let (mut decided, mut used) = (None, scope);
        while let Some(parent) = self.values.instances[used.at()].parent {
            let own = &self.values.instances[used.at()];
            let entry = |full: &str| {
                let (overrides, local) = (own.overrides?, full.strip_prefix(own.prefix.as_str())?);
                self.tree.member(overrides, self.tree.symbols().get(local)?)
            };
            for entry in [entry(original), entry(id)].into_iter().flatten() {
                let Some(condition) = self.tree.get(entry.value, symbol::CONDITION) else { continue };
                let made = unless_wrong(self.condition_of(condition, parent))?;
                decided = made.or(decided);
                if matches!(decided, Some((Truth::False, _))) {
                    self.values.used_overrides.insert(entry.key);
                }
            }
            used = parent;
        }
        Ok(decided)
    }

    /// Returns `true` when an override of an import has a condition for the resource `name`, which applies to all its
    /// copies.
    pub(super) fn is_condition_overridden(&mut self, name: Symbol, scope: InstanceId) -> Resolved<bool> {
        let id = [&self.values.instances[scope.at()].prefix, self.tree.name(name)].concat();
        Ok(self.overriding_condition(&id, &id, scope)?.is_some())
    }

    fn overriding_condition_of(
        &mut self,
        copy: &ForEachCopy,
        name: Symbol,
        scope: InstanceId,
    ) -> Resolved<Option<(Truth, NodeId)>> {
        let prefix = &self.values.instances[scope.at()].prefix;
        let (id, original) = ([prefix, self.tree.name(copy.id)].concat(), [prefix, self.tree.name(name)].concat());
        self.overriding_condition(&id, &original, scope)
    }

    /// Returns `true` when a copy of the resource `name` is removed: by the condition of an override, else by its own.
    pub(super) fn is_copy_removed(&mut self, copy: &ForEachCopy, name: Symbol, scope: InstanceId) -> Resolved<bool> {
        match self.overriding_condition_of(copy, name, scope)? {
            Some((truth, _)) => Ok(truth == Truth::False),
            None => self.is_removed(copy.body, scope),
        }
    }

    /// Returns the full name of the condition of a copy of the resource `name`, if undecided.
    pub(super) fn copy_condition_left(
        &mut self,
        copy: &ForEachCopy,
        name: Symbol,
        scope: InstanceId,
    ) -> Resolved<Option<Symbol>> {
        match self.overriding_condition_of(copy, name, scope)? {
            Some((Truth::Unknown, condition)) => Ok(Some(self.symbol_of(condition))),
            Some(_) => Ok(None),
            None => self.condition_left(copy.body, scope),
        }
    }

    fn override_one(&mut self, resource: NodeId, entry: Entry, scope: InstanceId, parent: InstanceId) -> NodeId {
        if self.tree.kind(entry.value) != Kind::Map {
            let message = format!("the override of {} is not a mapping", shown(self.tree.text(entry.key)));
            let help = "write the attributes that change: `{Properties: {...}}`";
            self.report(parent, self.error(codes::OVERRIDE, entry.value, message, help));
            return resource;
        }
        let (name, site) = (self.tree.symbol(entry.key), self.tree.span(entry.key));
        let record = FrameRecord::new(self.values.frame(scope), FrameKind::Override, site, name);
        let frame = self.tree.frames_mut().push(FrameRecord { item: site, ..record });
        let mut attributes: Vec<Entry> = self.tree.entries(resource).collect();
        for attribute in self.tree.entries(entry.value).collect::<Vec<_>>() {
            if !ATTRIBUTES.contains(&self.tree.symbol(attribute.key)) {
                let what = match self.tree.text(attribute.key) {
                    "Type" => "Type cannot be overridden".to_owned(),
                    text => format!("{} cannot be overridden", shown(text)),
                };
                let names: Vec<&str> = ATTRIBUTES.iter().map(|&name| self.tree.name(name)).collect();
                let all = format!("attributes that can be overridden: {}", names.join(", "));
                let help = self.advice(self.tree.text(attribute.key), names, &all);
                self.report(parent, self.error(codes::OVERRIDE, attribute.key, what, help));
                continue;
            }
            let name = self.tree.symbol(attribute.key);
            let value = if name == symbol::CONDITION {
                match self.override_condition(attribute.value, scope, parent) {
                    Override::By(value) => Some(value),
                    Override::Removed => {
                        attributes.retain(|known| self.tree.symbol(known.key) != name);
                        None
                    }
                    Override::Wrong => None,
                }
            } else {
                self.override_value(attribute, parent)
            };
            let Some(value) = value else { continue };
            let value = self.behind(value, frame);
            match attributes.iter_mut().find(|known| self.tree.symbol(known.key) == name) {
                Some(known) if self.is_one_name(known.value) || self.is_one_name(value) => known.value = value,
                Some(known) => {
                    let site = (attribute.value, frame);
                    known.value = merge::deep(self.tree, known.value, value, site, self.limits.depth);
                }
                None => attributes.push(Entry { key: attribute.key, value }),
            }
        }
        let (style, own) = (self.tree.style(resource), self.tree.frame_of(resource));
        self.tree.map(&attributes, style, Origin::Generated(resource, own))
    }

    /// Returns `true` for a list that was written as one name of several resources: it is one value, as where the name
    /// is that of one (reference/modules/overrides.md#merge).
    fn is_one_name(&self, node: NodeId) -> bool {
        self.tree.kind(node) == Kind::List && self.tree.kind(self.tree.authored(node)) == Kind::String
    }

    fn override_value(&mut self, attribute: Entry, parent: InstanceId) -> Option<NodeId> {
        if self.tree.symbol(attribute.key) == symbol::DEPENDS_ON {
            return self.complete(|linker| linker.depends_on(attribute.value, parent));
        }
        self.complete(|linker| linker.evaluate(attribute.value, parent)).flatten()
    }

    /// Returns the effect of an override `node` of the importing file on the condition of a resource. The condition of
    /// the import itself stays a condition of its resources.
    fn override_condition(&mut self, node: NodeId, scope: InstanceId, parent: InstanceId) -> Override {
        let Some((truth, name)) = self.complete(|linker| linker.condition_of(node, parent)) else {
            return Override::Wrong;
        };
        let pushed = self.values.instances[scope.at()].pushed;
        let both = match truth {
            Truth::Unknown => {
                let own = self.symbol_of(name);
                let both = self.both_conditions(pushed, own, node);
                if both == own {
                    return Override::By(name);
                }
                Some(both)
            }
            Truth::True => pushed,
            Truth::Poison => return Override::Wrong,
            // Another override decides: without one the resource is removed.
            Truth::False => return Override::Wrong,
        };
        match both {
            Some(both) => Override::By(self.name_in_place(node, both, self.values.frame(parent))),
            None => Override::Removed,
        }
    }

    /// Returns a value with the frame of an override: the parts keep their own places.
    fn behind(&mut self, value: NodeId, frame: FrameId) -> NodeId {
        if matches!(self.tree.kind(value), Kind::Map | Kind::List) {
            let parts = self.tree.children(value);
            let parts: Vec<NodeId> = parts.into_iter().map(|part| self.behind(part, frame)).collect();
            let made = self.tree.with_children(value, &parts, frame);
            return if made == value { self.tree.stand_in(value, value, frame) } else { made };
        }
        let placed = self.tree.stand_in(value, value, frame);
        if let Some(&inserted) = self.emitted.result.inserted.get(&value) {
            self.emitted.result.inserted.insert(placed, inserted);
        }
        placed
    }

    pub(super) fn check_overrides(&mut self, instance: InstanceId) {
        let own = &self.values.instances[instance.at()];
        let (Some(overrides), Some(parent)) = (own.overrides, own.parent) else { return };
        if self.tree.kind(overrides) != Kind::Map {
            let message = "Overrides is not a mapping of logical IDs to attributes";
            let help = "write `Overrides: {Resource: {Properties: {...}}}`";
            return self.report(parent, self.error(codes::OVERRIDE, overrides, message, help));
        }
        let (prefix, source) = (own.prefix.clone(), shown(&self.file_name(instance)));
        for entry in self.tree.entries(overrides).collect::<Vec<_>>() {
            if self.values.used_overrides.contains(&entry.key)
                || self.may_be_left_out(self.tree.text(entry.key), instance)
            {
                continue;
            }
            let id = self.tree.text(entry.key);
            let written = shown(id);
            if self.emitted.with_removed_copy.contains(&[&prefix, id].concat()) {
                let message =
                    format!("the override of {written} has no effect: a false condition removed the resource");
                let help = "this is fine if the module generates the resource for other properties";
                let diagnostic = self.error(codes::OVERRIDE, entry.key, message, help).severity(Severity::Warning);
                self.report(parent, diagnostic);
                continue;
            }
            // Sorted, and collected only when they are needed.
            let names = std::iter::once_with(|| {
                let names = self.emitted.names.keys().filter_map(|&name| self.tree.name(name).strip_prefix(&*prefix));
                let mut names: Vec<&str> = names.collect();
                names.sort_unstable();
                names
            });
            let message =
                format!("the module does not declare resource {written}: `Override {written} not found in {source}`");
            let own = id.strip_prefix(&*prefix).filter(|own| !own.is_empty() && self.is_emitted(id));
            let help = match own {
                Some(own) => format!("write `{}`, the logical ID in the module", shown(own)),
                None => self.advice(id, names.flatten(), "write the logical ID that the resource has in the module"),
            };
            self.report(parent, self.error(codes::OVERRIDE, entry.key, message, help));
        }
    }

    fn is_emitted(&self, id: &str) -> bool {
        self.tree.symbols().get(id).is_some_and(|id| self.emitted.names.contains_key(&id))
    }

    /// Returns `true` when a logical ID in an instance may be that of a resource of its imports, which are not inlined.
    fn may_be_left_out(&self, id: &str, instance: InstanceId) -> bool {
        let imports = || self.written_section(instance, "Modules").into_iter().flat_map(|node| self.tree.entries(node));
        let is_of = |key| self.tree.loop_name(key).is_some() || id.starts_with(self.tree.text(key));
        self.choices.is_imported && imports().any(|entry| is_of(entry.key))
    }
}
