//! Entries of `Modules` and `Resources` by name, and the copies that `ForEach` generates of them
//! (reference/modules/copies.md#foreach, reference/modules/copies.md#resources).

use std::rc::Rc;

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Symbol, symbol};

use super::Linker;
use super::copy_list::{Copies, CopyList, Nested};
use super::goal::Goal;
use super::groups::{ForEachCopy, ForEachGroup, Groups, Section};
use super::instance::InstanceId;
use super::items::Items;
use super::path::Path;
use super::stop::{Resolved, Stop, unless_wrong};
use super::variables::{Shadowed, Substitution, Variables};

impl Linker<'_> {
    /// Returns the entries of a section, analyzed at the first request.
    pub(super) fn groups(&mut self, section: Section, scope: InstanceId) -> Resolved<Rc<Groups>> {
        if let Some(known) = &self.values.instances[scope.at()].groups[section as usize] {
            return Ok(Rc::clone(known));
        }
        if section == Section::Resources && self.values.agenda.open.contains(&Goal::Loops(scope)) {
            // While the loops are expanded, the names that they generate are not known.
            let root = self.with_imports(scope)?;
            let known = self.values.resources.get(&root).cloned();
            let groups = known.unwrap_or_else(|| Rc::new(self.declared(section, root, scope)));
            self.values.resources.insert(root, Rc::clone(&groups));
            return Ok(groups);
        }
        let root = if section == Section::Imports { self.with_imports(scope)? } else { self.unrolled(scope)? };
        let shared = self.values.resources.get(&root).filter(|_| section == Section::Resources).cloned();
        let groups = shared.unwrap_or_else(|| Rc::new(self.declared(section, root, scope)));
        if section == Section::Resources {
            self.values.resources.insert(root, Rc::clone(&groups));
        }
        self.values.instances[scope.at()].groups[section as usize] = Some(Rc::clone(&groups));
        Ok(groups)
    }

    fn declared(&mut self, section: Section, root: NodeId, scope: InstanceId) -> Groups {
        let mut groups = Groups::default();
        let name = if section == Section::Imports { "Modules" } else { "Resources" };
        let Some(node) = self.tree.get_text(root, name) else { return groups };
        if self.tree.kind(node) != Kind::Map {
            if section == Section::Imports {
                let message = "Modules is not a mapping of names to imports";
                let help = "write `Modules: {Name: {Source: ...}}`";
                self.report(scope, self.error(codes::MODULE_NAME, node, message, help));
            }
            return groups;
        }
        let count = self.tree.len(node);
        groups.names.reserve(count);
        groups.places.reserve(count);
        groups.entries.reserve(count);
        for at in 0..count {
            let entry = self.tree.entry(node, at);
            let declared = match section {
                Section::Imports => self.declared_import(entry, scope),
                Section::Resources if self.tree.loop_name(entry.key).is_some() => None,
                Section::Resources => Some((self.tree.symbol(entry.key), self.group(entry))),
            };
            let Some((name, group)) = declared else { continue };
            let place = *groups.places.entry(name).or_insert(groups.names.len() as u32) as usize;
            groups.names.push(name);
            groups.entries.push(group);
            groups.entries[place] = group;
            if group.variable.is_some() {
                groups.loops.push(name);
            }
        }
        groups
    }

    pub(super) fn group(&self, entry: Entry) -> ForEachGroup {
        let collection = self.tree.get_text(entry.value, "ForEach");
        ForEachGroup { key: entry.key, body: entry.value, collection, variable: None }
    }

    pub(super) fn copies_of(&mut self, section: Section, name: Symbol, scope: InstanceId) -> Resolved<Copies> {
        let group = *self.groups(section, scope)?.get(name).ok_or(Stop::Reported)?;
        if let Some(alone) = self.alone(name, &group, scope) {
            return Ok(Copies::One(alone));
        }
        let goal = Goal::Copies(section, scope, name);
        self.once(goal, |agenda| &mut agenda.copied, |linker| linker.make_copies(section, name, group, scope))
    }

    /// Generates the copies for a `ForEach`, or of each import in an `Fn::ForEach`
    /// (reference/modules/copies.md#fn-foreach).
    fn make_copies(
        &mut self,
        section: Section,
        name: Symbol,
        group: ForEachGroup,
        scope: InstanceId,
    ) -> Resolved<Copies> {
        let text = self.tree.name(name).to_owned();
        let ForEachGroup { key, body, collection, variable } = group;
        // Nodes that a loop generated are seen in their iteration.
        let (outer, site) = (self.frame_at(key, scope), self.tree.span(key));
        let collection = collection.ok_or(Stop::Reported)?;
        let condition = self.tree.get(body, symbol::CONDITION).and_then(|node| self.tree.string(node));
        let is_its_own = condition.is_some_and(|name| !name.contains('$'));
        let is_overridden = section == Section::Resources && self.is_condition_overridden(name, scope)?;
        if is_its_own && !is_overridden && self.is_removed(body, scope)? {
            // Nothing of it is checked.
            return Ok(Copies::default());
        }
        let items = self.items(&text, collection, scope)?;
        let variable = variable.map(|variable| self.tree.text(variable).to_owned());
        let bodies: Vec<Entry> = match variable {
            Some(_) => self.tree.entries(body).collect(),
            None => vec![Entry { key, value: self.without_for_each(body) }],
        };
        let mut copies = Vec::with_capacity(items.len() * bodies.len());
        let mut nested = Nested::default();
        for (index, item) in items.iter().enumerate() {
            let variable = variable.as_deref();
            let frame = self.iteration(outer, site, variable.unwrap_or("Identifier"), &text, item, index);
            let items = match variable {
                Some(name) => Items { copy: None, named: Some((name, item)) },
                None => Items { copy: Some((item, index)), named: None },
            };
            let with = Substitution { variables: Variables::Items(items), frame, scope, shadowed: Shadowed::default() };
            for entry in &bodies {
                let key = self.key_with(entry.key, &with);
                let mut name = self.tree.text(key).to_owned();
                if key == entry.key {
                    name.push_str(&index.to_string());
                }
                if variable.is_some() {
                    self.check_import_name(&name, entry.key, scope).ok_or(Stop::Reported)?;
                    if let Some(collection) = self.tree.get_text(entry.value, "ForEach") {
                        let entry = Entry { key, value: entry.value };
                        let own = self.copies_in_loop(&name, entry, collection, &items, &with)?;
                        let identifier = Some(item.identifier.clone());
                        copies.extend(
                            own.iter().map(|copy| ForEachCopy { identifier: identifier.clone(), ..copy.clone() }),
                        );
                        nested.insert(self.tree.intern(&name), Rc::new(CopyList::new(own, Nested::default())));
                        continue;
                    }
                }
                let mut body = self.with_variables(entry.value, &with);
                if section == Section::Resources {
                    body = self.copy_without_loops(body, entry.value, scope)?;
                }
                let (id, identifier) = (self.tree.intern(&name), Some(item.identifier.clone()));
                copies.push(ForEachCopy { id, identifier, key, body, frame });
            }
        }
        Ok(Copies::Many(Rc::new(CopyList::new(copies, nested))))
    }

    /// Generates the copies of an import with a `ForEach` in one iteration of an `Fn::ForEach`, which are found by its
    /// name there.
    fn copies_in_loop(
        &mut self,
        name: &str,
        Entry { key, value }: Entry,
        collection: NodeId,
        outer: &Items<'_>,
        with: &Substitution<'_>,
    ) -> Resolved<Vec<ForEachCopy>> {
        let scope = with.scope;
        let condition = self.tree.get(value, symbol::CONDITION).map(|node| self.with_variables(node, with));
        let is_its_own = condition.and_then(|node| self.tree.string(node)).is_some_and(|name| !name.contains('$'));
        let body = self.without_for_each(value);
        if is_its_own {
            let known = self.with_variables(body, with);
            if self.is_removed(known, scope)? {
                return Ok(Vec::new());
            }
        }
        let collection = self.with_variables(collection, with);
        let (items, site) = (self.items(name, collection, scope)?, self.tree.span(key));
        let mut copies = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let frame = self.iteration(with.frame, site, "Identifier", name, item, index);
            let variables = Variables::Items(Items { copy: Some((item, index)), ..*outer });
            let body = self.with_variables(body, &Substitution { variables, frame, ..*with });
            let id = self.tree.intern(&format!("{name}{index}"));
            copies.push(ForEachCopy { id, identifier: Some(item.identifier.clone()), key, body, frame });
        }
        Ok(copies)
    }

    pub(super) fn alone(&self, name: Symbol, group: &ForEachGroup, scope: InstanceId) -> Option<ForEachCopy> {
        if group.collection.is_some() {
            return None;
        }
        let frame = self.values.frame(scope);
        Some(ForEachCopy { id: name, identifier: None, key: group.key, body: group.body, frame })
    }

    fn without_for_each(&mut self, body: NodeId) -> NodeId {
        let name = self.tree.intern("ForEach");
        self.without_attribute(body, name)
    }

    pub(super) fn without_attribute(&mut self, body: NodeId, name: Symbol) -> NodeId {
        if self.tree.kind(body) != Kind::Map {
            return body;
        }
        let entries: Vec<Entry> = self.tree.entries(body).filter(|entry| self.tree.symbol(entry.key) != name).collect();
        self.map_in_place(body, &entries, FrameId::NONE)
    }

    /// Returns the copy with this `name`, such as `Box1`, as an index in its list of copies.
    pub(super) fn copy_named(
        &mut self,
        section: Section,
        name: &str,
        scope: InstanceId,
    ) -> Resolved<Option<(Copies, usize)>> {
        let groups = self.groups(section, scope)?;
        // The original name may end in digits itself, so every way to split them is tried.
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let cut = (stem..name.len()).filter_map(|end| self.tree.symbols().get(&name[..end]));
        let cut = cut.filter(|&stem| groups.is_many(stem) && !groups.is_loop(stem));
        // The copies of a loop may have any name.
        let may_be: Vec<Symbol> = cut.chain(groups.loops.iter().copied()).collect();
        for group in may_be {
            let copies = unless_wrong(self.copies_of(section, group, scope))?.unwrap_or_default();
            if let Some(number) = self.tree.symbols().get(name).and_then(|name| copies.named(name)) {
                return Ok(Some((copies, number)));
            }
        }
        Ok(None)
    }

    /// Returns the index of the copy that the first step of a path selects; `None` for all of them.
    pub(super) fn select(
        &mut self,
        path: &Path<'_>,
        copies: &Copies,
        at: NodeId,
        scope: InstanceId,
    ) -> Resolved<Option<usize>> {
        let name = shown(path.head);
        let (message, help) = match path.steps.first() {
            _ if copies.is_ambiguous() => (
                format!("the loop {name} generates several imports per item, so the reference is ambiguous"),
                "name the import itself, or write one loop for each of them".to_owned(),
            ),
            None => (
                format!("{name} has a ForEach, so the reference is ambiguous"),
                format!("write `{name}[0]`, `{name}[key]`, or `{name}[*]` for all instances"),
            ),
            Some(step) if step.is_all() => return Ok(None),
            Some(step) if step.text.is_empty() => (
                format!("the brackets are empty: `Invalid GetAtt: {name}[], did you mean [*]?`"),
                "write an index, an identifier, or `*` between the brackets".to_owned(),
            ),
            Some(step) => {
                let by_name = || copies.for_item(step.text);
                if let Some(number) = step.index().filter(|&index| index < copies.len()).or_else(by_name) {
                    return Ok(Some(number));
                }
                let keys: Vec<&str> = copies.iter().filter_map(|copy| copy.identifier.as_deref()).collect();
                let (key, keys) = (shown(step.text), shown(&keys.join(", ")));
                let message = match (copies.len(), step.index()) {
                    (0, _) => format!("the loop has no items: `{name} has no item [{key}], it has none`"),
                    (count, Some(_)) => {
                        format!("the last index is {}: `{name} has no item [{key}], it has: {keys}`", count - 1)
                    }
                    (_, None) => format!("the item does not exist: `{name} has no item [{key}], it has: {keys}`"),
                };
                let help = "correct the identifier, or use `[*]` for all instances";
                let diagnostic = self
                    .error(codes::MODULE_FOR_EACH, at, message, help)
                    .note("the items are those of the collection in this run, which may differ from its Default");
                return self.wrong(scope, diagnostic);
            }
        };
        self.wrong(scope, self.error(codes::MODULE_FOR_EACH, at, message, help))
    }
}
