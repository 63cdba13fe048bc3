//! Misspelt names in the modules of a template, looked up in their own module (reference/modules/README.md#alone).
//! Parts that an import leaves out are in no result, and are checked all the same.
//!
//! A name may be one of a file that imports the module, or be generated. So a name is reported only if no file of the
//! template declares it, and if it is nearly one that its own module declares.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Goal, Severity, Span, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, NodeSet, Symbol, Tree, View, function, symbol};
use formwork_template::reference::{self, By};
use formwork_template::{NamePattern, NamePatterns, PseudoParameter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::misspelt_calls::members;
use super::written::Variables;
use crate::Context;

/// Limit of errors beside which another one is searched.
const MOST: usize = 1_000;
/// Names that the module language declares where resources and imports are copied.
const OF_COPIES: [&str; 3] = ["Identifier", "Index", "Const"];

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(written) = cx.written.filter(|_| cx.goal == Goal::Check) else { return };
    let tree = cx.tree;
    let mut elsewhere = FxHashSet::default();
    for root in written.documents.iter().map(|(root, _)| *root).chain([cx.unrolled, cx.result]) {
        for name in [symbol::PARAMETERS, symbol::RESOURCES, symbol::CONDITIONS, symbol::MAPPINGS] {
            elsewhere.extend(entries(tree, root, name).map(|entry| tree.text(entry.key)));
        }
        elsewhere.extend(imports(tree, root));
    }
    for (root, frame) in cx.modules() {
        let module = Module::of(tree, root);
        for slip in module.slips(cx, &elsewhere) {
            report(cx, slip, frame);
        }
    }
}

fn entries(tree: &Tree, root: NodeId, section: Symbol) -> impl Iterator<Item = Entry> {
    tree.get(root, section).into_iter().flat_map(|section| members(tree, section))
}

fn imports(tree: &Tree, root: NodeId) -> impl Iterator<Item = &str> {
    let section = tree.get_text(root, "Modules");
    section.into_iter().flat_map(|section| members(tree, section)).map(|entry| tree.text(entry.key))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Noun {
    Value,
    Pseudo,
    Condition,
    Mapping,
    Key,
}

struct Slip {
    noun: Noun,
    name: String,
    near: String,
    span: Span,
}

struct Module<'t> {
    tree: &'t Tree,
    root: NodeId,
    values: Names<'t>,
    conditions: Names<'t>,
    mappings: Names<'t>,
    /// Mappings by their names; `None` for a duplicate name.
    mapping_of: FxHashMap<&'t str, Option<NodeId>>,
    patterns: NamePatterns,
    /// Prefixes of other names: of imports, of resources that are copied, and of serverless ones.
    stems: Vec<&'t str>,
    locals: FxHashSet<&'t str>,
    /// Values outside of loops, and those inside each.
    pieces: Vec<NodeId>,
}

/// Names in the order of their declarations.
#[derive(Default)]
struct Names<'t> {
    all: Vec<&'t str>,
    known: FxHashSet<&'t str>,
}

impl<'t> Extend<&'t str> for Names<'t> {
    fn extend<I: IntoIterator<Item = &'t str>>(&mut self, names: I) {
        let new = names.into_iter().filter(|&name| self.known.insert(name));
        self.all.extend(new);
    }
}

impl<'t> FromIterator<&'t str> for Names<'t> {
    fn from_iter<I: IntoIterator<Item = &'t str>>(names: I) -> Names<'t> {
        let mut all = Names::default();
        all.extend(names);
        all
    }
}

impl<'t> Module<'t> {
    fn of(tree: &'t Tree, root: NodeId) -> Module<'t> {
        let mut module = Module {
            tree,
            root,
            values: Names::default(),
            conditions: entries(tree, root, symbol::CONDITIONS).map(|entry| tree.text(entry.key)).collect(),
            mappings: entries(tree, root, symbol::MAPPINGS).map(|entry| tree.text(entry.key)).collect(),
            mapping_of: FxHashMap::default(),
            patterns: NamePatterns::new(),
            stems: imports(tree, root).collect(),
            locals: OF_COPIES.into_iter().collect(),
            pieces: Vec::new(),
        };
        for mapping in entries(tree, root, symbol::MAPPINGS) {
            let only = module.mapping_of.entry(tree.text(mapping.key));
            only.and_modify(|only| *only = None).or_insert(Some(mapping.value));
        }
        module.values.extend(entries(tree, root, symbol::PARAMETERS).map(|entry| tree.text(entry.key)));
        for resource in entries(tree, root, symbol::RESOURCES) {
            let name = tree.text(resource.key);
            module.values.extend([name]);
            let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
            if kind.starts_with("AWS::Serverless::") || tree.get_text(resource.value, "ForEach").is_some() {
                module.stems.push(name);
            }
        }
        let all = module.values.all.iter().chain(&module.conditions.all).filter(|name| name.contains(['$', '&']));
        module.patterns = all.map(|name| NamePattern::of_key(name)).collect();
        let own = [symbol::CONDITIONS, symbol::RESOURCES, symbol::OUTPUTS].map(|section| tree.get(root, section));
        let mut pending: Vec<NodeId> = own.into_iter().chain([tree.get_text(root, "Modules")]).flatten().collect();
        module.pieces.clone_from(&pending);
        let mut done = NodeSet::default();
        while let Some(node) = pending.pop() {
            if !done.insert(node) {
                continue;
            }
            if let View::Call(Function::Known(Known::Map), argument) = tree.view(node) {
                module.of_loop(argument);
            }
            for entry in tree.entries(node).filter(|entry| function::loop_name(tree.text(entry.key)).is_some()) {
                module.of_loop(entry.value);
            }
            pending.extend(tree.child_nodes(node));
        }
        module
    }

    /// Adds the variables of a loop, and its items and body.
    fn of_loop(&mut self, arguments: NodeId) {
        let tree = self.tree;
        let items = tree.items(arguments);
        if let Some(&identifier) = items.first() {
            let names = std::iter::once(identifier).chain(tree.items(identifier).iter().copied());
            self.values.extend(names.filter_map(|name| tree.string(name)));
        }
        self.locals.extend(items.iter().filter_map(|&item| tree.string(item)));
        self.locals.extend(items.iter().flat_map(|&item| tree.items(item)).filter_map(|&item| tree.string(item)));
        self.locals.extend(tree.entries(arguments).filter_map(|entry| tree.string(entry.value)));
        self.pieces.extend(items);
    }

    fn slips(&self, cx: &Context<'_>, elsewhere: &FxHashSet<&str>) -> Vec<Slip> {
        let tree = self.tree;
        let mut found: Vec<Slip> = Vec::new();
        let mut variables = Variables::default();
        let (mut read, mut done) = (NodeSet::default(), NodeSet::default());
        for &piece in &self.pieces {
            let mut names: Vec<(NodeId, Option<u32>, &str)> = Vec::new();
            reference::visit(tree, piece, &mut |node| read.insert(node), &mut |found| {
                if matches!(found.by, By::Ref | By::GetAtt | By::Sub) {
                    names.push((found.node, found.variable, found.name));
                }
            });
            for (node, variable, name) in names {
                let is_pseudo = name.starts_with("AWS::");
                let name = if is_pseudo { name } else { name.split(['.', '[']).next().unwrap_or(name) };
                let near = match PseudoParameter::from_name(name) {
                    Some(_) => None,
                    None if is_pseudo => {
                        suggest::slip(name, PseudoParameter::ALL.iter().map(|known| known.name())).map(str::to_owned)
                    }
                    None => self.near(name, &self.values, elsewhere),
                };
                if let Some(near) = near {
                    let span = match variable {
                        Some(number) => variables.span(tree, cx.sources, node, number as usize),
                        None => tree.span(node),
                    };
                    let noun = if is_pseudo { Noun::Pseudo } else { Noun::Value };
                    found.push(Slip { noun, name: name.to_owned(), near, span });
                }
            }
            self.conditions_in(piece, elsewhere, &mut done, &mut found);
        }
        for section in [symbol::RESOURCES, symbol::OUTPUTS] {
            for entry in entries(tree, self.root, section) {
                if let Some(condition) = tree.get(entry.value, symbol::CONDITION) {
                    self.condition(condition, elsewhere, &mut found);
                }
                let needed = tree.get(entry.value, symbol::DEPENDS_ON).filter(|_| section == symbol::RESOURCES);
                for needed in needed.into_iter().flat_map(|node| reference::depends_on(tree, node)) {
                    if let Some(near) = self.near(needed.name, &self.values, elsewhere) {
                        let (name, span) = (needed.name.to_owned(), tree.span(needed.node));
                        found.push(Slip { noun: Noun::Value, name, near, span });
                    }
                }
            }
        }
        found
    }

    fn conditions_in(&self, piece: NodeId, elsewhere: &FxHashSet<&str>, done: &mut NodeSet, found: &mut Vec<Slip>) {
        let tree = self.tree;
        let is_condition = Some(piece) == tree.get(self.root, symbol::CONDITIONS);
        let mut pending = vec![piece];
        while let Some(node) = pending.pop() {
            if !done.insert(node) {
                continue;
            }
            match tree.view(node) {
                View::List(items) => pending.extend(items),
                View::Map => {
                    if let Some(name) = reference::condition_named(tree, node).filter(|_| is_condition) {
                        self.condition(name, elsewhere, found);
                    }
                    pending.extend(tree.entries(node).map(|entry| entry.value));
                }
                View::Call(Function::Known(known), argument) => {
                    match (known, tree.items(argument)) {
                        (Known::Condition, _) => self.condition(argument, elsewhere, found),
                        (Known::If, [name, ..]) => self.condition(*name, elsewhere, found),
                        (Known::FindInMap, [map, top, second, ..]) => {
                            self.mapping([*map, *top, *second], elsewhere, found);
                        }
                        _ => {}
                    }
                    pending.push(argument);
                }
                _ => {}
            }
        }
    }

    fn condition(&self, node: NodeId, elsewhere: &FxHashSet<&str>, found: &mut Vec<Slip>) {
        let Some(name) = self.tree.string(node) else { return };
        if let Some(near) = self.near(name, &self.conditions, elsewhere) {
            let span = self.tree.span(node);
            found.push(Slip { noun: Noun::Condition, name: name.to_owned(), near, span });
        }
    }

    fn mapping(&self, [map, top, second]: [NodeId; 3], elsewhere: &FxHashSet<&str>, found: &mut Vec<Slip>) {
        let tree = self.tree;
        let Some(name) = tree.string(map) else { return };
        let Some(&Some(mapping)) = self.mapping_of.get(name) else {
            if let Some(near) = self.near(name, &self.mappings, elsewhere) {
                found.push(Slip { noun: Noun::Mapping, name: name.to_owned(), near, span: tree.span(map) });
            }
            return;
        };
        let key = tree.string(top);
        // Most calls reach an entry, often the first: whether other names are near is checked only for the rest.
        let is_reached = |row| tree.string(second).is_none_or(|key| tree.get_text(row, key).is_some());
        let is_known = match key {
            Some(key) => tree.get_text(mapping, key).is_some_and(is_reached),
            None => tree.entries(mapping).any(|row| is_reached(row.value)),
        };
        if is_known {
            return;
        }
        let none = FxHashSet::default();
        let is_plain = |node: NodeId| {
            tree.kind(node) == Kind::Map
                && tree.entries(node).all(|entry| !tree.text(entry.key).contains(['$', '&', ':']))
        };
        if !is_plain(mapping) {
            return;
        }
        let names_in = |node: NodeId| tree.entries(node).map(|entry| tree.text(entry.key));
        let near = key.and_then(|key| self.near(key, &names_in(mapping).collect(), &none));
        if let (Some(key), Some(near)) = (key, near) {
            found.push(Slip { noun: Noun::Key, name: key.to_owned(), near, span: tree.span(top) });
            return;
        }
        let below = tree.entries(mapping).filter(|entry| key.is_none_or(|key| tree.text(entry.key) == key));
        let below: Vec<NodeId> = below.map(|entry| entry.value).collect();
        let names: Names<'_> = below.iter().flat_map(|&node| names_in(node)).collect();
        let near = tree.string(second).filter(|_| below.iter().all(|&node| is_plain(node)));
        if let Some((key, near)) = near.and_then(|key| Some((key, self.near(key, &names, &none)?))) {
            found.push(Slip { noun: Noun::Key, name: key.to_owned(), near, span: tree.span(second) });
        }
    }

    fn near(&self, name: &str, names: &Names<'_>, elsewhere: &FxHashSet<&str>) -> Option<String> {
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let is_known = elsewhere.contains(name)
            || self.locals.contains(name)
            || names.known.contains(name)
            || self.patterns.matches(name)
            || self.stems.iter().any(|stem| name.starts_with(stem));
        if !is_name || is_known {
            return None;
        }
        suggest::slip(name, names.all.iter().copied().filter(|known| suggest::has_same_digits(known, name)))
            .map(str::to_owned)
    }
}

/// Reports a slip, unless its place has an error already.
fn report(cx: &mut Context<'_>, slip: Slip, frame: FrameId) {
    let Slip { noun, name, near, span } = slip;
    let is_at = |one: &Diagnostic| {
        one.severity == Severity::Error && one.span().start() < span.end() && span.start() < one.span().end()
    };
    if cx.diagnostics.iter().take(MOST).any(is_at) {
        return;
    }
    let fact = Fact::Name(name.clone());
    let name = shown(&name);
    let (code, title) = match noun {
        Noun::Value => (codes::UNRESOLVED_NAME, format!("parameter or resource {name} does not exist")),
        Noun::Pseudo => (codes::UNRESOLVED_NAME, format!("unknown pseudo parameter {name}")),
        Noun::Condition => (codes::UNKNOWN_CONDITION, format!("condition {name} does not exist")),
        Noun::Mapping => (codes::NO_MAPPING_ENTRY, format!("mapping {name} does not exist")),
        Noun::Key => (codes::NO_MAPPING_ENTRY, format!("the mapping has no key {name}")),
    };
    let mut diagnostic = Diagnostic::titled(code, title).at(span).frames(cx.tree.frame_chain(frame));
    if matches!(noun, Noun::Value | Noun::Condition | Noun::Mapping) {
        diagnostic = diagnostic.note("neither this module nor a file that imports it declares the name");
    }
    let diagnostic = diagnostic.help(format!("did you mean `{}`?", shown(&near))).fact(Fact::Advises(near)).fact(fact);
    cx.push(diagnostic, Severity::Error);
}
