//! The members of `Modules` and `Resources` by their names, and the copies that `ForEach` makes of them
//! (reference/modules/copies.md#foreach, reference/modules/copies.md#resources).

use std::rc::Rc;

use formwork_base::codes;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Symbol, function};
use rustc_hash::FxHashMap;

use super::Linker;
use super::goals::{Goal, Made, Stop, unless_wrong};
use super::instance::InstanceId;
use super::loop_variables::{Copying, Variables};
use super::path::Path;

/// A section whose members a `ForEach` copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Section {
    /// `Modules`
    Imports,
    /// `Resources`
    Resources,
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Section::Imports => "Modules",
            Section::Resources => "Resources",
        }
    }
}

/// The members of such a section.
#[derive(Clone, Default)]
pub(super) struct Groups {
    /// Their names, in order; `None` until they are asked for.
    names: Option<Rc<Vec<Symbol>>>,
    by_name: Rc<FxHashMap<Symbol, ForEachGroup>>,
}

impl Groups {
    /// The member with this name.
    pub(super) fn get(&self, name: Symbol) -> Option<&ForEachGroup> {
        self.by_name.get(&name)
    }

    /// Whether the member with this name has a `ForEach`, so that references need a selector.
    pub(super) fn is_many(&self, name: Symbol) -> bool {
        self.get(name).is_some_and(|group| group.is_many)
    }
}

/// An import or a resource as it is written, or an `Fn::ForEach` around imports.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForEachGroup {
    /// Its key.
    pub(super) key: NodeId,
    /// The import or resource; for an `Fn::ForEach` its three parts.
    body: NodeId,
    /// Whether it is an `Fn::ForEach`.
    pub(super) is_loop: bool,
    /// Whether it makes copies, so that references need a selector.
    pub(super) is_many: bool,
}

impl ForEachGroup {
    /// A member of a section.
    pub(super) fn new(key: NodeId, body: NodeId, is_many: bool) -> ForEachGroup {
        ForEachGroup { key, body, is_loop: false, is_many }
    }

    /// An `Fn::ForEach` around members.
    pub(super) fn of_loop(key: NodeId, parts: NodeId) -> ForEachGroup {
        ForEachGroup { key, body: parts, is_loop: true, is_many: true }
    }
}

/// One import or resource as it is in the result.
#[derive(Clone, Debug)]
pub(super) struct ForEachCopy {
    /// Its name in the file, with its index.
    pub(super) name: String,
    /// The same.
    pub(super) id: Symbol,
    /// What a selector finds it by.
    pub(super) identifier: Option<String>,
    /// Its key.
    pub(super) key: NodeId,
    /// It, with the variables of the copy in place.
    pub(super) body: NodeId,
    /// The context of the copy.
    pub(super) frame: FrameId,
}

/// What a selector stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selected {
    /// Every copy, in order.
    All,
    /// The copy with this number.
    One(usize),
}

impl Linker<'_> {
    /// The members of a section as far as they were asked for.
    pub(super) fn groups(&self, section: Section, scope: InstanceId) -> &Groups {
        match section {
            Section::Imports => &self.instances[scope.0].imports,
            Section::Resources => &self.instances[scope.0].resources,
        }
    }

    /// Names of the members of a section, in order.
    pub(super) fn names_of(&mut self, section: Section, scope: InstanceId) -> Made<Rc<Vec<Symbol>>> {
        if let Some(known) = &self.groups(section, scope).names {
            return Ok(Rc::clone(known));
        }
        let root = self.unrolled(scope)?;
        if let Some(known) = self.resources.get(&root).filter(|_| section == Section::Resources) {
            self.instances[scope.0].resources.clone_from(known);
            return Ok(known.names.clone().unwrap_or_default());
        }
        let node = self.tree.get_text(root, section.name());
        let entries: Vec<Entry> = node.map_or_else(Vec::new, |node| self.tree.entries(node).collect());
        if let Some(node) = node.filter(|&node| section == Section::Imports && self.tree.kind(node) != Kind::Map) {
            self.report_no_imports(node, scope);
        }
        let mut by_name = FxHashMap::default();
        let mut names = Vec::with_capacity(entries.len());
        for entry in entries {
            let declared = match section {
                Section::Imports => self.declared_import(entry, scope),
                Section::Resources => self.declared_resource(entry),
            };
            names.extend(declared.map(|(name, _)| name));
            by_name.extend(declared);
        }
        let names = Rc::new(names);
        let groups = Groups { names: Some(Rc::clone(&names)), by_name: Rc::new(by_name) };
        match section {
            Section::Imports => self.instances[scope.0].imports = groups,
            Section::Resources => {
                self.resources.insert(root, groups.clone());
                self.instances[scope.0].resources = groups;
            }
        }
        Ok(names)
    }

    fn declared_resource(&self, entry: Entry) -> Option<(Symbol, ForEachGroup)> {
        let is_loop = function::loop_name(self.tree.text(entry.key)).is_some();
        let group = || ForEachGroup::new(entry.key, entry.value, self.collection_of(entry.value).is_some());
        (!is_loop).then(|| (self.tree.symbol(entry.key), group()))
    }

    /// The collection that an import or a resource is copied for.
    pub(super) fn collection_of(&self, body: NodeId) -> Option<NodeId> {
        self.tree.get_text(body, "ForEach")
    }

    /// The members that one of a section makes.
    pub(super) fn copies_of(
        &mut self,
        section: Section,
        name: Symbol,
        scope: InstanceId,
    ) -> Made<Rc<Vec<ForEachCopy>>> {
        let group = *self.groups(section, scope).get(name).ok_or(Stop::Poison)?;
        if section == Section::Resources && !group.is_many {
            return self.make_copies(name, group, scope).map(Rc::new);
        }
        self.once(
            Goal::Copies(section, scope, name),
            |linker| &mut linker.copied,
            |linker| linker.make_copies(name, group, scope).map(Rc::new),
        )
    }

    fn make_copies(&mut self, name: Symbol, group: ForEachGroup, scope: InstanceId) -> Made<Vec<ForEachCopy>> {
        let text = self.tree.name(name).to_owned();
        let (outer, site) = (self.frame(scope), self.tree.span(group.key));
        if group.is_loop {
            return self.loop_copies(&text, group, scope);
        }
        let Some(collection) = self.collection_of(group.body) else {
            let (key, body) = (group.key, group.body);
            return Ok(vec![ForEachCopy { name: text, id: name, identifier: None, key, body, frame: outer }]);
        };
        let items = self.items(&text, collection, scope)?;
        let body = self.without_for_each(group.body);
        let mut copies = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let frame = self.iteration(outer, site, "Identifier", &text, item, index);
            let variables = Variables::Shorthand { item, index };
            let body = self.with_variables(body, &Copying { variables, frame, scope });
            copies.push(self.copy(format!("{text}{index}"), &item.identifier, group.key, body, frame));
        }
        Ok(copies)
    }

    fn copy(&mut self, name: String, identifier: &str, key: NodeId, body: NodeId, frame: FrameId) -> ForEachCopy {
        ForEachCopy { id: self.tree.intern(&name), name, identifier: Some(identifier.to_owned()), key, body, frame }
    }

    /// The copies of an `Fn::ForEach` under Modules (reference/modules/copies.md#fn-foreach).
    fn loop_copies(&mut self, loop_name: &str, group: ForEachGroup, scope: InstanceId) -> Made<Vec<ForEachCopy>> {
        let &[variable, collection, fragment] = self.tree.items(group.body) else { return Err(Stop::Poison) };
        let variable = self.tree.text(variable).to_owned();
        let items = self.items(loop_name, collection, scope)?;
        let (outer, site) = (self.frame(scope), self.tree.span(group.key));
        let entries: Vec<Entry> = self.tree.entries(fragment).collect();
        let mut copies = Vec::with_capacity(items.len() * entries.len());
        for (index, item) in items.iter().enumerate() {
            let frame = self.iteration(outer, site, &variable, loop_name, item, index);
            let variables = Variables::Named { name: &variable, text: &item.identifier };
            let copying = Copying { variables, frame, scope };
            for entry in &entries {
                let key = self.key_with(entry.key, &copying);
                let mut name = self.tree.text(key).to_owned();
                if key == entry.key {
                    name.push_str(&index.to_string());
                }
                self.check_import_name(&name, entry.key, scope).ok_or(Stop::Poison)?;
                let body = self.with_variables(entry.value, &copying);
                copies.push(self.copy(name, &item.identifier, key, body, frame));
            }
        }
        Ok(copies)
    }

    fn without_for_each(&mut self, body: NodeId) -> NodeId {
        let entries: Vec<Entry> =
            self.tree.entries(body).filter(|entry| self.tree.text(entry.key) != "ForEach").collect();
        self.map_in_place(body, &entries, FrameId::NONE)
    }

    /// The copy that is called `name`, such as `Box1`: what it is a copy of, and its number.
    pub(super) fn copy_named(
        &mut self,
        section: Section,
        name: &str,
        scope: InstanceId,
    ) -> Made<Option<(Symbol, usize)>> {
        let names = self.names_of(section, scope)?;
        let groups = self.groups(section, scope);
        // The name of what is copied may end in digits itself, so every way to cut them is tried.
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let cut = (stem..name.len()).filter_map(|end| self.tree.symbols().get(&name[..end]));
        let cut = cut.filter(|&stem| groups.get(stem).is_some_and(|group| group.is_many && !group.is_loop));
        // Loops are around imports alone; their copies may have any name.
        let names = if section == Section::Imports { names.as_slice() } else { &[] };
        let loops = names.iter().copied().filter(|&name| groups.get(name).is_some_and(|group| group.is_loop));
        let may_be: Vec<Symbol> = cut.chain(loops).collect();
        for group in may_be {
            let copies = unless_wrong(self.copies_of(section, group, scope))?.unwrap_or_default();
            if let Some(number) = copies.iter().position(|copy| copy.name == name) {
                return Ok(Some((group, number)));
            }
        }
        Ok(None)
    }

    /// The copies that the first step of a path stands for.
    pub(super) fn select(
        &mut self,
        path: &Path<'_>,
        copies: &[ForEachCopy],
        at: NodeId,
        scope: InstanceId,
    ) -> Made<Selected> {
        let name = shown(path.head);
        // The imports that a loop generates for one item stand side by side.
        let is_ambiguous = copies.windows(2).any(|pair| pair[0].identifier == pair[1].identifier);
        let (message, help) = match path.steps.first() {
            _ if is_ambiguous => (
                format!("the loop {name} makes several imports an item: it is not said which one is meant"),
                "name the import itself, or write a loop for each of them".to_owned(),
            ),
            None => (
                format!("{name} has a ForEach: it is not said which of its copies is meant"),
                format!("write `{name}[0]`, `{name}[key]`, or `{name}[*]` for all of them"),
            ),
            Some(step) if step.is_all() => return Ok(Selected::All),
            Some(step) if step.text.is_empty() => (
                format!("the brackets are empty: `Invalid GetAtt: {name}[], did you mean [*]?`"),
                "write an index, an identifier, or `*` between the brackets".to_owned(),
            ),
            Some(step) => {
                let by_name = || copies.iter().position(|copy| copy.identifier.as_deref() == Some(step.text));
                if let Some(number) = step.index().filter(|&index| index < copies.len()).or_else(by_name) {
                    return Ok(Selected::One(number));
                }
                let keys: Vec<&str> = copies.iter().filter_map(|copy| copy.identifier.as_deref()).collect();
                let (key, keys) = (shown(step.text), shown(&keys.join(", ")));
                let message = match (copies.len(), step.index()) {
                    (0, _) => format!("the loop has no items: `{name} has no item [{key}], it has none`"),
                    (count, Some(_)) => {
                        format!("the last index is {}: `{name} has no item [{key}], it has: {keys}`", count - 1)
                    }
                    (_, None) => format!("no item has this name: `{name} has no item [{key}], it has: {keys}`"),
                };
                let help = "correct the identifier, or use `[*]` for all copies";
                let diagnostic = self.fault(codes::MODULE_FOR_EACH, at, message, help).note(
                    "the items are those of the collection as it was given now, which may differ from its Default",
                );
                return self.wrong(scope, diagnostic);
            }
        };
        self.wrong(scope, self.fault(codes::MODULE_FOR_EACH, at, message, help))
    }
}
