//! Resources of a file by their names, and the copies that `ForEach` makes of them
//! (reference/modules/copies.md#resources).

use std::rc::Rc;

use formwork_syntax::{Entry, FrameId, Kind, NodeId, Symbol, function};

use super::Linker;
use super::goals::{Goal, Made, Stop, unless_wrong};
use super::imports::Use;
use super::instance::Scope;
use super::loop_variables::Variables;
use super::path::{self, Path};
use super::reference::{Found, Target};
use super::selector::Selected;

/// A resource, or what a `ForEach` makes of it.
#[derive(Clone, Debug)]
pub(super) struct ResourceGroup {
    pub(super) key: NodeId,
    body: NodeId,
    /// Whether it has a `ForEach`.
    pub(super) is_many: bool,
}

/// A resource as it is emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ResourceCopy {
    /// Its logical id in the file.
    pub(super) id: String,
    /// What a selector finds it by.
    pub(super) identifier: Option<String>,
    /// Its key.
    pub(super) key: NodeId,
    /// It, with the variables of the copy in place.
    pub(super) body: NodeId,
    /// The context of the copy.
    pub(super) frame: FrameId,
}

impl Linker<'_> {
    /// Names of the resources of an instance's file, in order.
    pub(super) fn resource_names(&mut self, scope: Scope) -> Made<Rc<Vec<Symbol>>> {
        if let Some(known) = &self.instances[scope.0].resources {
            return Ok(Rc::clone(known));
        }
        let section = self.section(scope, "Resources")?;
        let entries: Vec<Entry> = section.map_or_else(Vec::new, |section| self.tree.entries(section).collect());
        let mut names = Vec::with_capacity(entries.len());
        let for_each = self.tree.symbols().get("ForEach");
        for entry in entries {
            if function::loop_name(self.tree.text(entry.key)).is_some() {
                continue;
            }
            let name = self.tree.symbol(entry.key);
            let is_many = self.tree.kind(entry.value) == Kind::Map
                && for_each.is_some_and(|for_each| self.tree.get(entry.value, for_each).is_some());
            names.push(name);
            let group = ResourceGroup { key: entry.key, body: entry.value, is_many };
            self.instances[scope.0].resource_groups.insert(name, group);
        }
        let names = Rc::new(names);
        self.instances[scope.0].resources = Some(Rc::clone(&names));
        Ok(names)
    }

    /// The resources that one of the file makes.
    pub(super) fn resource_copies(&mut self, name: Symbol, scope: Scope) -> Made<Rc<Vec<ResourceCopy>>> {
        let group = self.instances[scope.0].resource_groups.get(&name).cloned().ok_or(Stop::Poison)?;
        self.once(
            Goal::Resources(scope, name),
            |linker| &mut linker.copied_resources,
            |linker| linker.make_resource_copies(name, &group, scope).map(Rc::new),
        )
    }

    fn make_resource_copies(&mut self, name: Symbol, group: &ResourceGroup, scope: Scope) -> Made<Vec<ResourceCopy>> {
        let id = self.tree.name(name).to_owned();
        let frame = self.frame(scope);
        let Some(collection) = self.tree.get_text(group.body, "ForEach").filter(|_| group.is_many) else {
            return Ok(vec![ResourceCopy { id, identifier: None, key: group.key, body: group.body, frame }]);
        };
        let items = self.items(&id, collection, scope)?;
        let body = self.without_for_each(group.body);
        let site = self.tree.span(group.key);
        let mut copies = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let frame = self.iteration(frame, site, "Identifier", &id, item, index);
            let body = self.with_variables(body, &Variables::Shorthand { item, index }, frame, scope);
            copies.push(ResourceCopy {
                id: format!("{id}{index}"),
                identifier: Some(item.identifier.clone()),
                key: group.key,
                body,
                frame,
            });
        }
        Ok(copies)
    }

    fn without_for_each(&mut self, body: NodeId) -> NodeId {
        let entries: Vec<Entry> =
            self.tree.entries(body).filter(|entry| self.tree.text(entry.key) != "ForEach").collect();
        self.map_in_place(body, &entries, FrameId::NONE)
    }

    /// The full id of a resource of the file, by its name there.
    pub(super) fn full_id(&mut self, name: &str, scope: Scope) -> Made<Option<String>> {
        let is_there = self.is_resource(name, scope)? || self.is_nested(name, scope)?;
        Ok(is_there.then(|| [&self.instances[scope.0].prefix, name].concat()))
    }

    /// Whether `name` is what a resource of an import is called in a module's file: the import's name
    /// in front of its own. In the template itself that is its full id already.
    fn is_nested(&mut self, name: &str, scope: Scope) -> Made<bool> {
        let mut open = vec![(scope, name.to_owned())];
        while let Some((scope, name)) = open.pop() {
            if scope == Scope::ROOT || self.stopped {
                return Ok(false);
            }
            if self.agenda.is_open(Goal::Loops(scope)) {
                continue;
            }
            for &group in self.import_names(scope)?.iter() {
                let is_loop = self.instances[scope.0].groups.get(&group).is_some_and(|group| group.is_loop);
                if !is_loop && !name.starts_with(self.tree.name(group)) {
                    continue;
                }
                let Some(copies) = unless_wrong(self.copies(group, scope))? else { continue };
                for copy in copies.iter() {
                    let Some(rest) = name.strip_prefix(copy.name.as_str()).filter(|rest| !rest.is_empty()) else {
                        continue;
                    };
                    let rest = rest.to_owned();
                    let Some(Use::Instance(used)) = unless_wrong(self.instantiate(copy, scope))? else { continue };
                    if self.is_resource(&rest, used)? {
                        return Ok(true);
                    }
                    open.push((used, rest));
                }
            }
        }
        Ok(false)
    }

    /// Whether `name` is a resource of the file, or the id of a copy, such as `Box1`.
    fn is_resource(&mut self, name: &str, scope: Scope) -> Made<bool> {
        if self.agenda.is_open(Goal::Loops(scope)) {
            // A property of the import that its loops wait for: what they generate is not known yet.
            let section = self.written_section(scope, "Resources");
            return Ok(section.is_some_and(|section| self.tree.get_text(section, name).is_some()));
        }
        self.resource_names(scope)?;
        let is_many = |linker: &Self, name: &str| {
            let group = linker.instances[scope.0].resource_groups.get(&linker.tree.symbols().get(name)?);
            group.map(|group| group.is_many)
        };
        if is_many(self, name) == Some(false) {
            return Ok(true);
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        // The name itself may end in digits, so every way to cut them is tried.
        for end in stem.len()..name.len() {
            if is_many(self, &name[..end]) != Some(true) {
                continue;
            }
            let symbol = self.tree.intern(&name[..end]);
            let copies = unless_wrong(self.resource_copies(symbol, scope))?;
            if copies.is_some_and(|copies| copies.iter().any(|copy| copy.id == name)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a path finds among the resources of the file; `None` when it names none of them.
    pub(super) fn find_resource(
        &mut self,
        path: &Path<'_>,
        name: Symbol,
        scope: Scope,
        at: NodeId,
    ) -> Made<Option<Found>> {
        self.resource_names(scope)?;
        let is_many = self.instances[scope.0].resource_groups.get(&name).is_some_and(|group| group.is_many);
        if !is_many {
            let attribute = (!path.steps.is_empty()).then(|| path::written(&path.steps));
            return Ok(self.full_id(path.head, scope)?.map(|id| Found::One(Target { id, attribute })));
        }
        let copies = self.resource_copies(name, scope)?;
        let identifiers: Vec<Option<String>> = copies.iter().map(|copy| copy.identifier.clone()).collect();
        let selected = self.select(path.head, &identifiers, path.steps.first(), at, scope).ok_or(Stop::Poison)?;
        let prefix = self.instances[scope.0].prefix.clone();
        let rest = &path.steps[1..];
        let target = |copy: &ResourceCopy| Target {
            id: [prefix.as_str(), &copy.id].concat(),
            attribute: (!rest.is_empty()).then(|| path::written(rest)),
        };
        Ok(Some(match selected {
            Selected::All => Found::Many(copies.iter().map(target).collect()),
            Selected::One(at) => Found::One(target(&copies[at])),
        }))
    }
}
