//! Expansion of `Fn::ForEach` (reference/for-each.md), `Fn::Map` and `Fn::Merge` (reference/map-and-merge.md): one walk
//! with one scope.
//!
//! 1. `parts` reads a loop of either kind. `survey` walks once over the sections, before anything is expanded: `check`
//!    and `map_check` check the declaration of every loop: layout, names, places, depth.
//! 2. In the same walk `dependence` marks nodes that depend on a variable, that vary between iterations, and that have
//!    to be re-created.
//! 3. `collection` computes the items of every kind of loop, with every known value in sight; `no_items` reports why
//!    they are not known.
//! 4. `members`, `map`, `merges` and `instantiate` generate the copies. A key or string is parsed once in each scope
//!    (`TextPlan`) and filled for each item. `repeat` copies the result of an iteration for a list or object whose
//!    only calls are `Ref`, `Fn::Sub` and `Fn::GetAtt`: only strings and contexts differ (`Tree::repeat`). Nothing else
//!    knows of copies: `tests/src/properties/copies_agree.rs` compares every result with that of a run without them.
//!
//! The input is a parsed tree and an [`Evaluator`] for values that have to be known; the output is a tree that shares
//! subtrees: an iteration of a loop adds new nodes only above nodes that depend on its variable. Substitution and
//! evaluation are two steps: first the items of a loop are inserted, then the evaluator sees a template without loops.
//! [`Replay`] repeats the expansion of one node, for queries about its origin.
//!
//! Differences between files are data: `Sections` has the sections and the kinds of their entries (`Modules` of any
//! file has entries like those of `Resources`), `Rules` the permitted constructs.
//!
//! `Fn::Merge` splices entries into the surrounding object or merges several values into one; duplicate keys are looked
//! for once an object is complete, by the construct that generated the entries. The merging of known operands is in
//! [`merge`], for loops, modules and overrides, and for `Mappings` in [`fn@merge_mappings`]. Shared subtrees are written
//! wherever they are used: [`budget`] counts them before the next stage walks the tree.

mod bindings;
pub mod budget;
mod check;
mod collection;
mod copied;
pub mod copy_names;
mod declared;
mod dependence;
mod generated_nodes;
mod instantiate;
mod iteration;
mod keys;
mod limits;
mod loop_dependence;
mod map;
mod map_check;
mod members;
pub mod merge;
mod merge_mappings;
mod merges;
mod nested;
mod no_items;
mod parts;
mod plan;
mod produced;
mod repeat;
mod replay;
mod sub;
mod survey;
mod survey_state;
mod text;
mod unchecked;
mod unresolved_loops;
mod use_warnings;
mod waiting;
mod white_space;

use std::cell::OnceCell;
use std::rc::Rc;

use formwork_base::{Code, Diagnostic, IdMap, IdSet, Severity, Span};
use formwork_evaluate::Evaluator;
use formwork_evaluate::blocker::Blocker;
use formwork_evaluate::stage::PinnedParameter;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, NodeSet, Symbol, Tree, View, flags};
use formwork_template::Section;
use formwork_template::fill_in::Spelling;
use rustc_hash::FxHashMap;

use collection::Item;
use loop_dependence::LoopDependence;
pub use merge_mappings::merge_mappings;
pub use nested::{NestedCollections, Nesting};
use plan::TextPlan;
use repeat::Copies;
pub use replay::Replay;
pub use white_space::is_within_white_space;

/// A template whose loops are expanded.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The root node.
    pub root: NodeId,
    /// Every expanded loop.
    pub loops: Vec<LoopRun>,
    /// Keys of sections that `Fn::Map` or `Fn::Merge` generated or contributed to: they are considered correct
    /// (reference/map-and-merge.md#merge-order).
    pub made: NodeSet,
}

/// The counts of an expanded loop.
#[derive(Clone, Debug)]
pub struct LoopRun {
    /// The loop's key.
    pub key: NodeId,
    /// Number of items at its first run.
    pub items: usize,
    /// Number of iterations over all runs.
    pub iterations: u64,
}

#[derive(Clone, Debug)]
struct Binding {
    name: Rc<str>,
    item: NodeId,
    /// Set for an item with a string: not a list, an object or null.
    has_text: bool,
    text: String,
    /// Set when `text` may be inserted in an `Fn::Sub` without escapes at any place: no placeholder begins or ends in
    /// it.
    is_plain: bool,
    /// `is_plain` of this variable and those around it.
    are_plain: bool,
    /// Bytes of the longest `text` of this variable and those around it.
    longest: usize,
    /// Set for a variable of an `Fn::Map`, which the variables of an `Fn::Sub` hide.
    of_map: bool,
}

impl Binding {
    fn text(&self) -> Option<&str> {
        self.has_text.then_some(&self.text)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// A section, or a fragment that generates entries of it.
    Section(Section),
    Inner,
}

struct Expander<'x, 'e> {
    ev: &'x mut Evaluator<'e>,
    nesting: Nesting<'x>,
    uses: LoopDependence,
    bad: IdSet<NodeId>,
    left: IdSet<NodeId>,
    bindings: Vec<Binding>,
    scopes: Scopes,
    frame: FrameId,
    spent: Spent,
    collections: Collections,
    strings: Strings,
    spelling: OnceCell<Spelling>,
    copies: Copies,
    open: Open,
    runs: Runs,
    /// Number of lists between the current node and its entry of a section.
    in_list: u32,
    copied: CopiedPlace,
    stopped: bool,
    rules: Rules,
    made: NodeSet,
}

#[derive(Clone, Copy, Default)]
struct CopiedPlace {
    /// Set in a resource or import that a `ForEach` copies.
    is_inside: bool,
    /// Set in a loop there that is run for each copy.
    is_waiting: bool,
}

#[derive(Default)]
struct Open {
    entries: Vec<Entry>,
    /// The node that replaces the call that resolved to nothing most recently.
    no_value: Option<NodeId>,
}

/// The numbers of scopes: of the names of the surrounding loops.
#[derive(Default)]
struct Scopes {
    current: u32,
    /// Scopes of the loops that were run, by the scope around, the variables and the flag whether items may be objects.
    known: FxHashMap<(u32, Option<Symbol>, Symbol, bool), u32>,
    /// Number of scopes in which something hides names around it.
    hidden: u32,
}

impl Scopes {
    /// Returns the number of another scope in which something hides names around it.
    fn hiding(&mut self) -> u32 {
        self.hidden += 1;
        u32::MAX - self.hidden
    }
}

#[derive(Default)]
struct Spent {
    iterations: u64,
    output_nodes: u64,
    output_bytes: u64,
    calls: u64,
}

#[derive(Default)]
struct Collections {
    /// The items of collections that are the same in every iteration; `None` for unknown ones.
    known: IdMap<NodeId, Option<Rc<Vec<Item>>>>,
    /// Collections that need a missing value, where that is not an error.
    unchecked: IdSet<NodeId>,
    fixed: Vec<PinnedParameter>,
    /// Values that loops wait for, each with its first report.
    awaited: FxHashMap<Blocker, Awaited>,
}

#[derive(Clone, Copy, Debug)]
struct Awaited {
    code: Code,
    place: Span,
    loops: usize,
}

#[derive(Default)]
struct Strings {
    /// The parsed strings, once per scope: an alias may be in several.
    plans: IdMap<(NodeId, u32), Rc<TextPlan>>,
    buffer: String,
}

#[derive(Default)]
struct Runs {
    all: Vec<LoopRun>,
    by_key: IdMap<NodeId, usize>,
}

/// The sections of a template by their names, each with the kind of its entries.
pub type Sections = Vec<(Symbol, SectionEntries)>;

/// The kind of the entries of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionEntries {
    /// Entries of this section: loops generate them.
    Of(Section),
    /// Imports: loops generate them like resources. An `Fn::ForEach` around them has a name of its own, by which
    /// references find the copies, and is kept.
    Imports,
    /// Something that no loop generates: a loop in the section is an error.
    Others,
}

impl SectionEntries {
    fn section(self) -> Option<Section> {
        match self {
            SectionEntries::Of(section) => Some(section),
            SectionEntries::Imports => Some(Section::Resources),
            SectionEntries::Others => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Set when `Fn::ForEach` is expanded: the template declares the language transform, or `Formwork`.
    for_each: bool,
    /// Set when loops may use features that CloudFormation does not have: variables of `Fn::ForEach` that are objects,
    /// loops that generate elements of lists.
    formwork: bool,
    merge: merge::Rule,
    /// Set for a module's file, as one use of it sees it: `Fn::Merge` as a value waits until its operands are known,
    /// and conditions are reported elsewhere.
    is_used: bool,
}

impl Rules {
    fn of(ev: &Evaluator<'_>) -> Rules {
        let formwork = ev.template.declares_formwork();
        let is_deep = ev.template.is_module_document(ev.tree);
        Rules {
            for_each: ev.settings.language_extensions || formwork,
            formwork,
            merge: if is_deep { merge::Rule::Deep } else { merge::Rule::Strict },
            is_used: false,
        }
    }

    fn loops_make_items(self) -> bool {
        self.for_each && self.formwork
    }
}

/// Expands the loops of the template with this root: `Conditions`, then `Resources`, then `Outputs`. Also sets the
/// conditions of `ev`. Without `AWS::LanguageExtensions` loops are reported and kept.
pub fn expand(ev: &mut Evaluator<'_>, root: NodeId) -> Expanded {
    if !ev.tree.has(root, flags::HAS_LOOP) {
        let conditions = generated(ev.tree, root, Section::Conditions.symbol());
        ev.set_conditions(conditions);
        return Expanded { root, loops: Vec::new(), made: NodeSet::default() };
    }
    let (sections, rules) = (sections_of(ev.tree, root), Rules::of(ev));
    expand_in(ev, root, &sections, rules, IdSet::default(), (FrameId::NONE, Nesting::Plain))
}

/// Expands the loops in sections of a module's file, as one use of it sees them: with the file's own names, in the
/// context `frame` (reference/modules/copies.md#fn-foreach).
///
/// The loops with the keys in `waiting` are kept.
pub fn expand_sections(
    ev: &mut Evaluator<'_>,
    root: NodeId,
    sections: &Sections,
    waiting: IdSet<NodeId>,
    (frame, nesting): (FrameId, Nesting<'_>),
) -> Expanded {
    let rules = Rules { is_used: true, ..Rules::of(ev) };
    expand_in(ev, root, sections, rules, waiting, (frame, nesting))
}

/// Returns the sections of a template with this root, none of them imports.
pub fn sections_of(tree: &Tree, root: NodeId) -> Sections {
    let section = |name| Section::from_symbol(name).filter(|section| section.is_processed());
    let members = |name| section(name).map_or(SectionEntries::Others, SectionEntries::Of);
    tree.entries(root).map(|entry| tree.symbol(entry.key)).map(|name| (name, members(name))).collect()
}

fn expand_in(
    ev: &mut Evaluator<'_>,
    root: NodeId,
    sections: &Sections,
    rules: Rules,
    waiting: IdSet<NodeId>,
    (frame, nesting): (FrameId, Nesting<'_>),
) -> Expanded {
    let mut left = left(ev.tree, root, sections);
    left.extend(waiting);
    let survey::Surveyed { uses, bad, too_deep } = survey::survey(ev, root, sections, rules, &left);
    let mut expander = Expander::new(ev, uses, bad, rules);
    expander.frame = frame;
    expander.nesting = nesting;
    expander.left = left;
    expander.stopped = too_deep;
    let root = expander.run(root, sections);
    let Expander { ev, collections: Collections { mut fixed, .. }, runs, made, .. } = expander;
    // The parameters of a module are not parameters of the deployment: their values are those that its import passes.
    fixed.retain(|fixed| frame.is_none() || ev.template.parameter(fixed.name).is_none());
    if matches!(ev.settings.values, formwork_evaluate::Values::Keep | formwork_evaluate::Values::Pin) {
        ev.report_fixed(&fixed, Severity::Note);
    }
    Expanded { root, loops: runs.all, made }
}

fn generated(tree: &Tree, root: NodeId, name: Symbol) -> Option<NodeId> {
    tree.get(root, name).filter(|&node| {
        matches!(tree.view(node), View::Map | View::Call(Function::Known(Known::Map | Known::Merge), _))
    })
}

/// Returns the sections in which loops are expanded: conditions first, since loops may need them.
fn processed(sections: &Sections) -> impl Iterator<Item = (Symbol, Section)> {
    [Section::Conditions, Section::Resources, Section::Outputs].into_iter().flat_map(|which| {
        let own = sections.iter().filter(move |(_, members)| members.section() == Some(which));
        own.map(move |&(name, _)| (name, which))
    })
}

fn left(tree: &Tree, root: NodeId, sections: &Sections) -> IdSet<NodeId> {
    let imports = sections.iter().filter(|(_, members)| *members == SectionEntries::Imports);
    let entries = imports.filter_map(|&(name, _)| tree.get(root, name)).flat_map(|node| tree.entries(node));
    entries.map(|entry| entry.key).filter(|&key| tree.loop_name(key).is_some()).collect()
}

impl<'x, 'e> Expander<'x, 'e> {
    fn new(ev: &'x mut Evaluator<'e>, uses: LoopDependence, bad: IdSet<NodeId>, rules: Rules) -> Expander<'x, 'e> {
        Expander {
            rules,
            left: IdSet::default(),
            made: NodeSet::default(),
            ev,
            nesting: Nesting::Plain,
            uses,
            bad,
            bindings: Vec::new(),
            scopes: Scopes::default(),
            frame: FrameId::NONE,
            spent: Spent::default(),
            collections: Collections::default(),
            strings: Strings::default(),
            spelling: OnceCell::new(),
            copies: Copies::default(),
            open: Open::default(),
            runs: Runs::default(),
            in_list: 0,
            copied: CopiedPlace::default(),
            stopped: false,
        }
    }
}

impl Expander<'_, '_> {
    fn run(&mut self, root: NodeId, sections: &Sections) -> NodeId {
        let mut made = root;
        // Conditions that loops may need are known as they are written until the section itself is expanded.
        self.set_conditions(root, true);
        for (name, section) in processed(sections) {
            let node = generated(self.ev.tree, root, name);
            if let Some(node) = node.filter(|&node| self.uses.is_touched(node) && !self.stopped) {
                let value = self.map(node, Level::Section(section));
                made = self.ev.tree.with_member(made, name, value);
            }
            if section == Section::Conditions {
                self.set_conditions(made, self.rules.is_used);
            }
        }
        made
    }

    fn set_conditions(&mut self, root: NodeId, is_quiet: bool) {
        let conditions = self.ev.tree.get(root, Section::Conditions.symbol());
        let conditions = conditions.filter(|&node| self.ev.tree.kind(node) == Kind::Map);
        if is_quiet { self.ev.set_conditions_quietly(conditions) } else { self.ev.set_conditions(conditions) }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let frames = self.ev.tree.frame_chain(self.frame);
        self.ev.diagnostics.push(diagnostic.frames(frames));
    }
}
