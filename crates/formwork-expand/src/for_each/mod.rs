//! `Fn::ForEach` (spec language-extensions.md, section 5).
//!
//! [`check`] looks at every loop as it is declared; [`uses`] finds, once per loop, what depends on
//! its variable; [`collection`] works out the items; [`instantiate`] makes the copies.

mod check;
mod collection;
mod instantiate;
mod keys;
pub mod replay;
mod uses;

use std::rc::Rc;

use formwork_base::{Diagnostic, Severity, Span, codes};
use formwork_evaluate::Evaluator;
use formwork_evaluate::stage::Fixed;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Symbol, Tree, flags, function};
use formwork_template::Section;
use rustc_hash::{FxHashMap, FxHashSet};

use collection::Item;
use instantiate::SubPlan;
use uses::Uses;

/// A template whose loops are unrolled.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// Its root.
    pub root: NodeId,
    /// Every loop that was unrolled, by its key, with the number of its items; for each, how often
    /// it ran.
    pub loops: Vec<LoopRun>,
}

/// What became of a loop.
#[derive(Clone, Debug)]
pub struct LoopRun {
    /// The loop's key.
    pub key: NodeId,
    /// Number of items at its first run.
    pub items: usize,
    /// Number of iterations over all runs.
    pub iterations: u64,
}

/// A variable of a loop around the node at hand.
#[derive(Clone, Debug)]
struct Binding {
    name: Rc<str>,
    item: NodeId,
}

/// Where a map stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// It is a section, or a fragment that makes members of it.
    Section(Section),
    /// Anywhere below.
    Inner,
}

struct Expander<'x, 'e> {
    ev: &'x mut Evaluator<'e>,
    uses: Uses,
    /// Loops whose declaration is wrong.
    bad: FxHashSet<NodeId>,
    bindings: Vec<Binding>,
    frame: FrameId,
    iterations: u64,
    output_nodes: u64,
    collections: FxHashMap<NodeId, Option<Vec<Item>>>,
    /// Texts of `Fn::Sub`, taken apart once.
    plans: FxHashMap<NodeId, Rc<SubPlan>>,
    sizes: FxHashMap<NodeId, u64>,
    fixed: Vec<Fixed>,
    loops: Vec<LoopRun>,
    /// Number of lists between the node at hand and its member of a section.
    in_list: u32,
    stopped: bool,
}

/// Unrolls the loops of the template with this root: `Conditions`, then `Resources`, then `Outputs`.
/// The conditions of `ev` are set on the way. Without `AWS::LanguageExtensions` loops are reported
/// and left alone.
pub fn expand(ev: &mut Evaluator<'_>, root: NodeId) -> Expanded {
    if !ev.tree.has(root, flags::HAS_LOOP) {
        let conditions = section(ev.tree, root, Section::Conditions);
        ev.set_conditions(conditions);
        return Expanded { root, loops: Vec::new() };
    }
    let declared = check::check(ev, root);
    if !ev.settings.language_extensions {
        let conditions = section(ev.tree, root, Section::Conditions);
        ev.set_conditions(conditions);
        return Expanded { root, loops: Vec::new() };
    }
    for identifier in &declared.identifiers {
        ev.tree.intern(identifier);
    }
    let uses = Uses::find(ev, root);
    let mut expander = Expander::new(ev, uses, declared.bad);
    expander.stopped = declared.too_deep;
    let root = expander.run(root);
    let Expander { ev, fixed, loops, .. } = expander;
    if matches!(ev.settings.values, formwork_evaluate::Values::Keep | formwork_evaluate::Values::Pin) {
        ev.report_fixed(&fixed, Severity::Note);
    }
    Expanded { root, loops }
}

fn section(tree: &Tree, root: NodeId, section: Section) -> Option<NodeId> {
    tree.get(root, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map)
}

impl<'x, 'e> Expander<'x, 'e> {
    fn new(ev: &'x mut Evaluator<'e>, uses: Uses, bad: FxHashSet<NodeId>) -> Expander<'x, 'e> {
        Expander {
            ev,
            uses,
            bad,
            bindings: Vec::new(),
            frame: FrameId::NONE,
            iterations: 0,
            output_nodes: 0,
            collections: FxHashMap::default(),
            plans: FxHashMap::default(),
            sizes: FxHashMap::default(),
            fixed: Vec::new(),
            loops: Vec::new(),
            in_list: 0,
            stopped: false,
        }
    }
}

impl Expander<'_, '_> {
    fn run(&mut self, root: NodeId) -> NodeId {
        let mut replaced: Vec<(Symbol, NodeId)> = Vec::new();
        // Conditions that loops may ask for are known as they are written until the section itself
        // is unrolled.
        let written = section(self.ev.tree, root, Section::Conditions);
        self.ev.set_conditions_quietly(written);
        for which in [Section::Conditions, Section::Resources, Section::Outputs] {
            let node = section(self.ev.tree, root, which);
            if let Some(node) = node.filter(|&node| self.uses.is_touched(node) && !self.stopped) {
                let made = self.map(node, Level::Section(which), false);
                replaced.push((which.symbol(), made));
            }
            if which == Section::Conditions {
                let conditions = replaced.first().map(|&(_, node)| node).or(node);
                self.ev.set_conditions(conditions);
            }
        }
        if replaced.is_empty() {
            return root;
        }
        let entries: Vec<Entry> = self
            .ev
            .tree
            .entries(root)
            .map(|entry| {
                let name = self.ev.tree.symbol(entry.key);
                let value = replaced.iter().find(|(known, _)| *known == name).map_or(entry.value, |&(_, node)| node);
                Entry { key: entry.key, value }
            })
            .collect();
        let style = self.ev.tree.style(root);
        self.ev.tree.map(&entries, style, Origin::Made(root, FrameId::NONE))
    }

    /// A map with its loops unrolled and its values instantiated. The keys of a fragment take the
    /// items; other keys stay.
    fn map(&mut self, node: NodeId, level: Level, is_fragment: bool) -> NodeId {
        let mut entries = Vec::with_capacity(self.ev.tree.len(node));
        let has_loop = self.members(node, level, is_fragment, &mut entries);
        if has_loop {
            self.check_duplicates(&entries, level);
        }
        let tree = &mut *self.ev.tree;
        if entries.iter().copied().eq(tree.entries(node)) {
            return node;
        }
        let style = tree.style(node);
        tree.map(&entries, style, Origin::Made(node, self.frame))
    }

    /// Adds the members that a map or fragment makes. True when a loop is among them.
    fn members(&mut self, node: NodeId, level: Level, is_fragment: bool, out: &mut Vec<Entry>) -> bool {
        let mut has_loop = false;
        // A fragment with one member that looks like a function is read as a call.
        let single = (self.ev.tree.kind(node) == Kind::Call)
            .then(|| Entry { key: self.ev.tree.call_name(node), value: self.ev.tree.call(node).1 });
        let count = if single.is_some() { 1 } else { self.ev.tree.len(node) };
        for at in 0..count {
            let entry = single.unwrap_or_else(|| self.ev.tree.entry(node, at));
            if let Some(name) = function::loop_name(self.ev.tree.text(entry.key)) {
                let name = name.to_owned();
                has_loop = true;
                self.for_each(entry, &name, level, out);
                continue;
            }
            let key = if is_fragment { self.produced_key(entry, level) } else { Some(self.other_key(entry.key)) };
            let Some(key) = key else { continue };
            let is_resource = level == Level::Section(Section::Resources);
            let outer = self.in_list;
            if is_resource {
                self.in_list = 0;
            }
            let value = self.instantiate(entry.value);
            self.in_list = outer;
            out.extend(value.map(|value| Entry { key, value }));
        }
        has_loop
    }

    fn for_each(&mut self, entry: Entry, name: &str, level: Level, out: &mut Vec<Entry>) {
        if self.bad.contains(&entry.key) || self.stopped {
            return;
        }
        let parts = self.ev.tree.items(entry.value);
        let &[identifier, collection, fragment] = parts else { return };
        if self.is_left_for_service(entry, name, collection) {
            out.push(entry);
            return;
        }
        let Some(items) = self.items(entry.key, name, collection) else { return };
        let needed = (items.len() as u64).saturating_mul(self.estimate(fragment).max(1));
        if !self.charge(entry.key, name, needed, items.len() as u64, fragment) {
            return;
        }
        self.record(entry.key, items.len());
        let tree = &mut *self.ev.tree;
        let identifier: Rc<str> = tree.text(identifier).into();
        let (variable, loop_name) = (tree.intern(&identifier), tree.intern(name));
        let site = tree.span(entry.key);
        let outer = self.frame;
        for (index, item) in items.iter().enumerate() {
            self.frame = self.ev.tree.frames_mut().push(formwork_syntax::FrameRecord {
                parent: outer,
                kind: formwork_base::FrameKind::Loop,
                site,
                name: variable,
                loop_name,
                value: Some(item.text),
                index: index as u32,
                item: item.place,
            });
            self.ev.set_frame(self.frame);
            self.bindings.push(Binding { name: Rc::clone(&identifier), item: item.text });
            self.members(fragment, level, true, out);
            self.bindings.pop();
            if self.stopped {
                break;
            }
        }
        self.frame = outer;
        self.ev.set_frame(outer);
    }

    fn record(&mut self, key: NodeId, items: usize) {
        match self.loops.iter_mut().find(|run| run.key == key) {
            Some(run) => run.iterations += items as u64,
            None => self.loops.push(LoopRun { key, items, iterations: items as u64 }),
        }
    }

    /// Accounts for the iterations of a loop before they are made; false when a limit is exceeded.
    fn charge(&mut self, key: NodeId, name: &str, needed: u64, items: u64, fragment: NodeId) -> bool {
        let limits = self.ev.settings.limits;
        let nodes = self.size(fragment).saturating_mul(items);
        let shown_name = shown(name);
        let over = if self.iterations.saturating_add(needed) > limits.iterations {
            Some((
                format!(
                    "loop {shown_name} makes {needed} iterations, too many: the limit of {} is exceeded",
                    limits.iterations
                ),
                limits.iterations,
            ))
        } else if self.output_nodes.saturating_add(nodes) > limits.output_nodes {
            Some((
                format!(
                    "loop {shown_name} makes {nodes} nodes of output, too many: the limit of {} is exceeded",
                    limits.output_nodes
                ),
                limits.output_nodes,
            ))
        } else {
            None
        };
        if let Some((message, _)) = over {
            self.stopped = true;
            let span = self.ev.tree.span(key);
            self.report(
                Diagnostic::new(codes::LIMIT, message)
                    .at(span)
                    .note("a stack has at most 500 resources")
                    .help("shorten the collections, or nest fewer loops"),
            );
            return false;
        }
        self.iterations += items;
        self.output_nodes += nodes;
        true
    }

    /// Iterations of the loops inside a fragment, for one iteration around them, as far as their
    /// collections do not depend on it.
    fn estimate(&mut self, node: NodeId) -> u64 {
        if !self.ev.tree.has(node, flags::HAS_LOOP) {
            return 0;
        }
        let children: Vec<(Option<NodeId>, NodeId)> = match self.ev.tree.kind(node) {
            Kind::List => self.ev.tree.items(node).iter().map(|&item| (None, item)).collect(),
            Kind::Map => self.ev.tree.entries(node).map(|entry| (Some(entry.key), entry.value)).collect(),
            Kind::Call => vec![(None, self.ev.tree.call(node).1)],
            _ => Vec::new(),
        };
        let mut sum: u64 = 0;
        for (key, value) in children {
            let name = key.and_then(|key| function::loop_name(self.ev.tree.text(key))).map(str::to_owned);
            let (Some(key), Some(name)) = (key, name) else {
                sum = sum.saturating_add(self.estimate(value));
                continue;
            };
            let &[_, collection, fragment] = self.ev.tree.items(value) else { continue };
            if self.bad.contains(&key) || self.uses.is_touched(collection) {
                continue;
            }
            let items = self.items(key, &name, collection).map_or(0, |items| items.len() as u64);
            let inner = self.estimate(fragment).max(1);
            sum = sum.saturating_add(items.saturating_mul(inner));
        }
        sum
    }

    /// Nodes of a fragment, loops in it counted once.
    fn size(&mut self, node: NodeId) -> u64 {
        if let Some(&size) = self.sizes.get(&node) {
            return size;
        }
        let size = count(self.ev.tree, node);
        self.sizes.insert(node, size);
        size
    }

    fn check_duplicates(&mut self, entries: &[Entry], level: Level) {
        let mut seen: FxHashMap<Symbol, NodeId> = FxHashMap::default();
        for entry in entries {
            let name = self.ev.tree.symbol(entry.key);
            if let Some(first) = seen.insert(name, entry.key) {
                self.report_duplicate(first, entry.key, level);
            }
        }
    }

    fn report_duplicate(&mut self, first: NodeId, second: NodeId, level: Level) {
        let tree = &*self.ev.tree;
        let key = shown(tree.text(second));
        let (a, b) = (tree.frame_of(first), tree.frame_of(second));
        let innermost = |frame: FrameId| tree.frames().get(frame).map(|record| tree.frame(record));
        let made = if b.is_none() { first } else { second };
        let loop_name = innermost(tree.frame_of(made)).and_then(|frame| frame.loop_name).unwrap_or_default();
        let loop_name = shown(&loop_name);
        let item = |frame: FrameId| {
            innermost(frame)
                .map(|frame| format!("{} = \"{}\"", shown(&frame.name), shown(&frame.value.unwrap_or_default())))
        };
        let what = match (item(a), item(b)) {
            (Some(_), Some(_)) if tree.span(first) == tree.span(second) => {
                format!("two items of loop {loop_name} make the key {key}")
            }
            (Some(_), Some(_)) => format!("two loops make the key {key}"),
            _ => format!("loop {loop_name} makes the key {key}, which is there already"),
        };
        let sentence = format!("Duplicate key '{key}' when merging keys to parent object in Fn::ForEach");
        let mut diagnostic = Diagnostic::new(codes::DUPLICATE_PRODUCED_KEY, format!("{what}: `{sentence}`"))
            .at(tree.span(made))
            .label(format!("gives {key}"))
            .note(formwork_evaluate::transform_note(&sentence));
        let mut places: Vec<(Span, String)> = Vec::new();
        for frame in [a, b] {
            if let (Some(record), Some(text)) = (tree.frames().get(frame), item(frame)) {
                places.push((record.item, text));
            }
        }
        let other = if made == second { first } else { second };
        if tree.frame_of(other).is_none() || tree.span(first) != tree.span(second) {
            places.push((tree.span(other), format!("{key} stands here too")));
        }
        for (span, text) in places {
            diagnostic = diagnostic.related(span, text);
        }
        let written = tree.text(tree.authored(made));
        diagnostic = if self.in_list > 0 && level == Level::Inner {
            diagnostic.help("a loop makes members of an object, never items of a list: write the items out, or loop around the whole object")
        } else if written.contains("&{") {
            diagnostic
                .note("&{} removes every character outside A-Z, a-z, 0-9")
                .help("make the items differ in letters or digits, or remove one")
        } else {
            diagnostic.help("put the loop's variable into the key, or remove one of the two")
        };
        let frames = tree.frame_chain(tree.frame_of(made));
        self.ev.diagnostics.push(diagnostic.frames(frames));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let frames = self.ev.tree.frame_chain(self.frame);
        self.ev.diagnostics.push(diagnostic.frames(frames));
    }
}

fn count(tree: &Tree, node: NodeId) -> u64 {
    match tree.kind(node) {
        Kind::List => 1 + tree.items(node).iter().map(|&item| count(tree, item)).sum::<u64>(),
        Kind::Map => 1 + tree.entries(node).map(|entry| 1 + count(tree, entry.value)).sum::<u64>(),
        Kind::Call => 2 + count(tree, tree.call(node).1),
        _ => 1,
    }
}
