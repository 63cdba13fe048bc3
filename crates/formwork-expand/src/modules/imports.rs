//! The `Modules` section of a file (reference/modules/README.md#imports,
//! reference/modules/copies.md#foreach): imports, and the copies that loops make of them.

use std::rc::Rc;

use formwork_base::{Diagnostic, FrameKind, codes, suggest};
use formwork_evaluate::Truth;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, FrameId, FrameRecord, Kind, NodeId, Symbol, function, symbol};

use super::Linker;
use super::instance::{Instance, Lazy, Scope};
use super::loop_variables::Variables;
use super::overrides::OverrideChain;

/// An import, or a loop of them.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Its key.
    key: NodeId,
    /// The import; for an `Fn::ForEach` its three parts.
    body: NodeId,
    /// Whether it is an `Fn::ForEach`.
    pub(super) is_loop: bool,
    copies: Lazy<Option<Rc<Vec<Copy>>>>,
    /// Whether it makes copies, so that references need a selector.
    pub(super) is_many: bool,
}

impl PartialEq for Copy {
    fn eq(&self, other: &Copy) -> bool {
        self.body == other.body
    }
}

/// One import as it is instantiated.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// Its name, with its index.
    pub(super) name: String,
    /// The same.
    id: Symbol,
    /// What a selector finds it by.
    pub(super) identifier: Option<String>,
    key: NodeId,
    body: NodeId,
    frame: FrameId,
}

/// What became of an import.
#[derive(Clone, Debug)]
pub(super) enum Use {
    /// It is there.
    Instance(Scope),
    /// A false condition removed it: its name.
    Gone(String),
    /// It is wrong, which was reported.
    Poison,
}

/// Attributes of an import.
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

/// Most module uses of a run.
const INSTANCES: usize = 100_000;

impl Linker<'_> {
    /// Names of the groups in the Modules section, in order.
    pub(super) fn import_names(&mut self, scope: Scope) -> Rc<Vec<Symbol>> {
        if let Some(known) = &self.instances[scope.0].imports {
            return Rc::clone(known);
        }
        let mut names = Vec::new();
        if let Some(root) = self.unrolled(scope)
            && let Some(section) = self.tree.get_text(root, "Modules")
        {
            if self.tree.kind(section) != Kind::Map {
                let diagnostic = Diagnostic::new(codes::MODULE_NAME, "Modules is no mapping of names to imports")
                    .at(self.tree.span(section))
                    .help("write `Modules: {Name: {Source: ...}}`");
                self.report(scope, diagnostic);
            }
            for entry in self.tree.entries(section).collect::<Vec<_>>() {
                if let Some((name, group)) = self.group(entry, scope) {
                    names.push(name);
                    self.instances[scope.0].groups.insert(name, group);
                }
            }
        }
        let names = Rc::new(names);
        if self.suspended.is_none() {
            self.instances[scope.0].imports = Some(Rc::clone(&names));
        }
        names
    }

    fn group(&mut self, entry: Entry, scope: Scope) -> Option<(Symbol, Group)> {
        let text = self.tree.text(entry.key).to_owned();
        if let Some(name) = function::loop_name(&text) {
            let is_sound = matches!(self.tree.items(entry.value), &[variable, _, fragment]
                if self.tree.kind(variable) == Kind::String && self.tree.kind(fragment) == Kind::Map);
            if !is_sound || name.is_empty() {
                let diagnostic = Diagnostic::new(
                    codes::MODULE_FOR_EACH,
                    format!("the loop {} around imports has the wrong layout", shown(name)),
                )
                .at(self.tree.span(entry.key))
                .help("write `Fn::ForEach::Name: [Identifier, [a, b], {Import: {Source: ...}}]`");
                self.report(scope, diagnostic);
                return None;
            }
            let name = self.tree.intern(name);
            let group =
                Group { key: entry.key, body: entry.value, is_loop: true, copies: Lazy::Pending, is_many: true };
            return Some((name, group));
        }
        self.check_name(&text, entry.key, scope)?;
        if self.tree.kind(entry.value) != Kind::Map {
            let diagnostic = Diagnostic::new(
                codes::MODULE_SOURCE,
                format!("the import {} names no module: `{} missing Source`", shown(&text), shown(&text)),
            )
            .at(self.tree.span(entry.key))
            .help(format!("write `{}: {{Source: ./module.yaml}}`", shown(&text)));
            self.report(scope, diagnostic);
            return None;
        }
        let is_many = self.tree.get_text(entry.value, "ForEach").is_some();
        let name = self.tree.symbol(entry.key);
        Some((name, Group { key: entry.key, body: entry.value, is_loop: false, copies: Lazy::Pending, is_many }))
    }

    fn check_name(&mut self, name: &str, key: NodeId, scope: Scope) -> Option<()> {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_name {
            return Some(());
        }
        let diagnostic = Diagnostic::new(codes::MODULE_NAME, format!("{} is no name for an import", shown(name)))
            .at(self.tree.span(key))
            .note("the name becomes a part of logical ids: a letter, then letters and digits")
            .help("rename the import");
        self.report(scope, diagnostic);
        None
    }

    /// The imports that a group makes; `None` when it is wrong, which was reported.
    pub(super) fn copies(&mut self, name: Symbol, scope: Scope) -> Option<Rc<Vec<Copy>>> {
        let group = self.instances[scope.0].groups.get(&name)?.clone();
        match &group.copies {
            Lazy::Ready(copies) => return copies.clone(),
            Lazy::Busy => {
                let message = format!("the ForEach of {} needs its own copies: a cycle", shown(self.tree.name(name)));
                let diagnostic = Diagnostic::new(codes::MODULE_CYCLE, message)
                    .at(self.tree.span(group.key))
                    .help("write the collection out, or take it from another import");
                self.report(scope, diagnostic);
                return None;
            }
            Lazy::Pending => {}
        }
        self.set_copies(name, scope, Lazy::Busy);
        let copies = self.make_copies(name, &group, scope).map(Rc::new);
        let state = if self.suspended.is_some() { Lazy::Pending } else { Lazy::Ready(copies.clone()) };
        self.set_copies(name, scope, state);
        copies
    }

    fn set_copies(&mut self, name: Symbol, scope: Scope, state: Lazy<Option<Rc<Vec<Copy>>>>) {
        if let Some(group) = self.instances[scope.0].groups.get_mut(&name) {
            group.copies = state;
        }
    }

    fn make_copies(&mut self, name: Symbol, group: &Group, scope: Scope) -> Option<Vec<Copy>> {
        let text = self.tree.name(name).to_owned();
        let outer = self.frame(scope);
        let site = self.tree.span(group.key);
        if group.is_loop {
            return self.loop_copies(&text, group, scope);
        }
        let Some(collection) = self.tree.get_text(group.body, "ForEach") else {
            let copy = Copy { name: text, id: name, identifier: None, key: group.key, body: group.body, frame: outer };
            return Some(vec![copy]);
        };
        let items = self.items(&text, collection, scope)?;
        let mut copies = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let frame = self.iteration(outer, site, "Identifier", &text, item, index);
            let body = self.with_variables(group.body, &Variables::Shorthand { item, index }, frame, scope);
            let name = format!("{text}{index}");
            copies.push(Copy {
                id: self.tree.intern(&name),
                name,
                identifier: Some(item.identifier.clone()),
                key: group.key,
                body,
                frame,
            });
        }
        Some(copies)
    }

    /// The copies of an `Fn::ForEach` under Modules (reference/modules/copies.md#fn-foreach).
    fn loop_copies(&mut self, loop_name: &str, group: &Group, scope: Scope) -> Option<Vec<Copy>> {
        let &[variable, collection, fragment] = self.tree.items(group.body) else { return None };
        let variable = self.tree.text(variable).to_owned();
        let items = self.items(loop_name, collection, scope)?;
        let (outer, site) = (self.frame(scope), self.tree.span(group.key));
        let entries: Vec<Entry> = self.tree.entries(fragment).collect();
        let mut copies = Vec::with_capacity(items.len() * entries.len());
        for (index, item) in items.iter().enumerate() {
            let frame = self.iteration(outer, site, &variable, loop_name, item, index);
            let variables = Variables::Named { name: &variable, text: &item.identifier };
            for entry in &entries {
                let key = self.key_with(entry.key, &variables, frame);
                let mut name = self.tree.text(key).to_owned();
                if key == entry.key {
                    name.push_str(&index.to_string());
                }
                self.check_name(&name, entry.key, scope)?;
                let body = self.with_variables(entry.value, &variables, frame, scope);
                copies.push(Copy {
                    id: self.tree.intern(&name),
                    name,
                    identifier: Some(item.identifier.clone()),
                    key,
                    body,
                    frame,
                });
            }
        }
        Some(copies)
    }

    /// The import that is called `name` with its index, such as `Box1`: its group and number.
    pub(super) fn copy_named(&mut self, name: &str, scope: Scope) -> Option<(Symbol, usize)> {
        for &group in self.import_names(scope).iter() {
            let Some(known) = self.instances[scope.0].groups.get(&group) else { continue };
            let text = self.tree.name(group);
            let may_be = known.is_loop
                || known.is_many
                    && name.strip_prefix(text).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            if may_be
                && let Some(copies) = self.copies(group, scope)
                && let Some(at) = copies.iter().position(|copy| copy.name == name)
            {
                return Some((group, at));
            }
        }
        None
    }

    /// The use that an import makes, begun when it is first asked for.
    pub(super) fn instantiate(&mut self, copy: &Copy, scope: Scope) -> Use {
        if let Some(known) = self.uses.get(&(scope, copy.id)) {
            return known.clone();
        }
        let made = self.begin(copy, scope);
        if self.suspended.is_none() {
            self.uses.insert((scope, copy.id), made.clone());
        }
        made
    }

    fn begin(&mut self, copy: &Copy, scope: Scope) -> Use {
        if self.diagnostics.is_cancelled() {
            self.stopped = true;
            return Use::Poison;
        }
        self.check_attributes(copy, scope);
        let condition = self.tree.get(copy.body, symbol::CONDITION);
        let mut pushed = self.instances[scope.0].pushed.clone();
        if let Some(condition) = condition {
            let (truth, name) = self.condition_of_import(&copy.name, condition, scope);
            match truth {
                Truth::False => return Use::Gone(self.tree.text(condition).to_owned()),
                Truth::Poison => return Use::Poison,
                Truth::True => {}
                Truth::Unknown => {
                    let own = self.tree.text(name).to_owned();
                    pushed = Some(self.both_conditions(pushed, own, name));
                }
            }
        }
        if self.instances.len() >= INSTANCES {
            self.stop(scope, copy.key, &format!("modules are used more than {INSTANCES} times"));
            return Use::Poison;
        }
        let Some(file) = self.source(&copy.name, copy.key, copy.body, scope) else { return Use::Poison };
        let prefix = format!("{}{}", self.instances[scope.0].prefix, copy.name);
        let (name, address) = (self.tree.intern(&copy.name), self.files[file].address.shown());
        let site = self.tree.span(copy.key);
        let address = self.tree.computed(&address, formwork_syntax::Origin::Authored(formwork_base::Span::NONE));
        let frame = self.tree.frames_mut().push(FrameRecord {
            parent: copy.frame,
            kind: FrameKind::Module,
            site,
            name,
            loop_name: name,
            value: Some(address),
            index: 0,
            position: None,
            item: formwork_base::Span::NONE,
        });
        let overrides = self.tree.get_text(copy.body, "Overrides");
        let mut instance = Instance::new(file, copy.name.clone(), prefix, copy.key);
        instance.parent = Some(scope);
        instance.frame = frame;
        instance.pushed = pushed;
        instance.properties = self.tree.get(copy.body, symbol::PROPERTIES);
        instance.overrides = OverrideChain::add(&self.instances[scope.0], &instance.prefix, overrides, scope);
        self.instances.push(instance);
        let made = Scope(self.instances.len() - 1);
        self.check_schema(made);
        Use::Instance(made)
    }

    fn check_attributes(&mut self, copy: &Copy, scope: Scope) {
        let entries: Vec<Entry> = self.tree.entries(copy.body).collect();
        for entry in entries {
            let name = self.tree.text(entry.key);
            if name == "DependsOn" {
                let diagnostic = Diagnostic::new(
                    codes::OVERRIDE,
                    format!("DependsOn of {}: `not supported on a module; use Overrides`", shown(&copy.name)),
                )
                .at(self.tree.span(entry.key))
                .help("write `Overrides: {ResourceInTheModule: {DependsOn: ...}}`");
                self.report(scope, diagnostic);
            } else if !ATTRIBUTES.contains(&name) {
                let mut diagnostic = Diagnostic::new(
                    codes::SECTION_IGNORED,
                    format!("{} is no attribute of an import, it has no effect", shown(name)),
                )
                .at(self.tree.span(entry.key));
                diagnostic = match suggest::nearest(name, ATTRIBUTES) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help("values for the module go below `Properties`"),
                };
                self.report(scope, diagnostic);
            }
        }
    }
}
