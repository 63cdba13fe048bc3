//! `Fn::ForEach` (reference/for-each.md), `Fn::Map` and `Fn::Merge` (reference/map-and-merge.md): one
//! walk with one scope.
//!
//! `check` and `map_check` look at every loop as it is declared; `uses` finds, once per loop,
//! what depends on its variables; `collection` and `map_collection` work out the items;
//! `instantiate` makes the copies; `map` and `merge` put them together.

mod check;
mod check_names;
mod collection;
mod instantiate;
mod keys;
mod limits;
mod map;
mod map_check;
mod map_collection;
mod map_key;
mod members;
mod merge;
mod parts;
pub mod replay;
mod round;
mod sub;
mod unchecked;
mod use_warnings;
mod uses;

use std::rc::Rc;

use formwork_base::{Diagnostic, Severity};
use formwork_evaluate::Evaluator;
use formwork_evaluate::stage::Fixed;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Sizes, Symbol, Tree, View, flags, function};
use formwork_template::Section;
use rustc_hash::{FxHashMap, FxHashSet};

use collection::Item;
use sub::SubPlan;
use uses::Uses;

/// A template whose loops are unrolled.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// Its root.
    pub root: NodeId,
    /// Every loop that was unrolled, by its key, with the number of its items; for each, how often
    /// it ran.
    pub loops: Vec<LoopRun>,
    /// Keys of the members of sections that `Fn::Map` or `Fn::Merge` made or had a part in: they are
    /// held to be right (reference/map-and-merge.md#merge-order).
    pub made: FxHashSet<NodeId>,
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
    /// Whether it is a variable of an `Fn::Map`: the variables of an `Fn::Sub` hide it.
    of_map: bool,
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
    output_bytes: u64,
    collections: FxHashMap<NodeId, Option<Vec<Item>>>,
    /// Collections that need a value which is not given, where that is no error.
    unchecked: FxHashSet<NodeId>,
    /// Texts of `Fn::Sub`, taken apart once.
    plans: FxHashMap<NodeId, Rc<SubPlan>>,
    sizes: Sizes,
    fixed: Vec<Fixed>,
    loops: Vec<LoopRun>,
    /// Number of lists between the node at hand and its member of a section.
    in_list: u32,
    stopped: bool,
    runs_for_each: bool,
    /// Whether variables of `Fn::ForEach` may be objects.
    formwork: bool,
    /// Whether objects are merged deeply.
    is_module_document: bool,
    /// Whether it is the file of a module that is used.
    in_module: bool,
    made: FxHashSet<NodeId>,
    /// How many `Fn::Map` and `Fn::Merge` were worked off.
    worked: u64,
}

/// Unrolls the loops of the template with this root: `Conditions`, then `Resources`, then `Outputs`.
/// The conditions of `ev` are set on the way. Without `AWS::LanguageExtensions` loops are reported
/// and left alone.
pub fn expand(ev: &mut Evaluator<'_>, root: NodeId) -> Expanded {
    expand_in(ev, root, None)
}

/// Unrolls the loops of a module's file, as one use of it sees them: with the file's own names, in
/// the context `frame` (reference/modules/copies.md#fn-foreach). `Fn::Merge` as a value waits until its
/// operands are worked out.
pub(crate) fn expand_module(ev: &mut Evaluator<'_>, root: NodeId, frame: FrameId) -> NodeId {
    expand_in(ev, root, Some(frame)).root
}

fn expand_in(ev: &mut Evaluator<'_>, root: NodeId, module: Option<FrameId>) -> Expanded {
    if !ev.tree.has(root, flags::HAS_LOOP) {
        let conditions = section(ev.tree, root, Section::Conditions);
        ev.set_conditions(conditions);
        return Expanded { root, loops: Vec::new(), made: FxHashSet::default() };
    }
    let declared = check::check(ev, root);
    for identifier in &declared.identifiers {
        ev.tree.intern(identifier);
    }
    let uses = Uses::find(ev, root);
    let mut expander = Expander::new(ev, uses, declared.bad);
    if let Some(frame) = module {
        expander.frame = frame;
        expander.is_module_document = true;
        expander.in_module = true;
    }
    expander.stopped = declared.too_deep;
    let root = expander.run(root);
    let Expander { ev, fixed, loops, made, .. } = expander;
    if matches!(ev.settings.values, formwork_evaluate::Values::Keep | formwork_evaluate::Values::Pin) {
        ev.report_fixed(&fixed, Severity::Note);
    }
    Expanded { root, loops, made }
}

/// A section that is an object, or becomes one.
fn section(tree: &Tree, root: NodeId, section: Section) -> Option<NodeId> {
    tree.get(root, section.symbol()).filter(|&node| {
        matches!(tree.view(node), View::Map | View::Call(Function::Known(Known::Map | Known::Merge), _))
    })
}

/// The loop that an item of a list is, with its name: an object with nothing but a loop.
fn list_loop(tree: &Tree, item: NodeId) -> Option<(Entry, &str)> {
    if tree.kind(item) != Kind::Map || tree.len(item) != 1 {
        return None;
    }
    let entry = tree.entry(item, 0);
    let name = function::loop_name(tree.text(entry.key))?;
    let is_items = matches!(tree.items(entry.value), &[_, _, fragment] if tree.kind(fragment) == Kind::List);
    is_items.then_some((entry, name))
}

impl<'x, 'e> Expander<'x, 'e> {
    fn new(ev: &'x mut Evaluator<'e>, uses: Uses, bad: FxHashSet<NodeId>) -> Expander<'x, 'e> {
        let (runs_for_each, formwork) = (check::runs_for_each(ev), ev.template.declares_formwork());
        let is_module_document = ev.template.is_module_document(ev.tree);
        Expander {
            runs_for_each,
            formwork,
            is_module_document,
            in_module: false,
            made: FxHashSet::default(),
            worked: 0,
            ev,
            uses,
            bad,
            bindings: Vec::new(),
            frame: FrameId::NONE,
            iterations: 0,
            output_nodes: 0,
            output_bytes: 0,
            collections: FxHashMap::default(),
            unchecked: FxHashSet::default(),
            plans: FxHashMap::default(),
            sizes: Sizes::default(),
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
        self.ev.set_conditions_quietly(written.filter(|&node| self.ev.tree.kind(node) == Kind::Map));
        for which in [Section::Conditions, Section::Resources, Section::Outputs] {
            let node = section(self.ev.tree, root, which);
            if let Some(node) = node.filter(|&node| self.uses.is_touched(node) && !self.stopped) {
                let made = self.map(node, Level::Section(which));
                replaced.push((which.symbol(), made));
            }
            if which == Section::Conditions && !self.in_module {
                let conditions = replaced.first().map(|&(_, node)| node).or(node);
                self.ev.set_conditions(conditions.filter(|&node| self.ev.tree.kind(node) == Kind::Map));
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

    /// A variable's item in the iterations of one loop.
    fn bind(&mut self, name: &Rc<str>, item: NodeId, of_map: bool) {
        self.bindings.push(Binding { name: Rc::clone(name), item, of_map });
    }

    fn record(&mut self, key: NodeId, items: usize) {
        match self.loops.iter_mut().find(|run| run.key == key) {
            Some(run) => run.iterations += items as u64,
            None => self.loops.push(LoopRun { key, items, iterations: items as u64 }),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let frames = self.ev.tree.frame_chain(self.frame);
        self.ev.diagnostics.push(diagnostic.frames(frames));
    }
}
