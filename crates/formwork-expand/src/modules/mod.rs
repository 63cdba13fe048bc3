//! Local modules (reference/modules/README.md): imports, constants, packages and the functions that come
//! with them, evaluated before anything else, so that what is left is an ordinary template.
//!
//! Every module use is an *instance*: a file, the values bound to its parameters, and the prefix
//! that its names get in the result. `evaluate` rewrites a node of a file, as seen by an instance,
//! into the nodes of the result. A value is computed where it was written and inserted unchanged,
//! so it never gets a second prefix. Values, conditions, copies and outputs are computed in the order of
//! their dependencies, each once, so nothing depends on the order of declarations (`goals`).
//!
//! Read [`link`] first, then `emit`, `evaluate` and `goals`.

mod address;
mod archive;
mod bind;
mod collection;
mod collections;
mod conditions;
mod constants;
mod copies;
mod copy_list;
mod depends_on;
mod emit;
mod evaluate;
mod expanded;
mod flatten;
mod flatten_rows;
mod fold;
mod full_ids;
mod goals;
mod imports;
mod insert_file;
mod instance;
mod invoke;
mod load;
mod mappings;
mod merge;
mod outputs;
mod overrides;
mod path;
mod reference;
mod report;
mod resources;
mod root;
mod root_loops;
mod root_values;
mod schema;
mod schema_rules;
mod sections;
mod slots;
mod source;
mod sub;
mod sub_variables;
mod used_names;
mod variables;
mod walk;

use std::rc::Rc;

use formwork_base::{Diagnostics, FileId, IdMap, IdSet, Limits, Severity, SourceMap, VirtualPath};
use formwork_evaluate::{AccountData, ParameterTable, Settings};
use formwork_syntax::{Document, Entry, Files, FrameId, Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::template::MODULE_SECTIONS;
use formwork_template::{NamePattern, Template};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::include::Includes;
use crate::loops::{LoopRun, NestedCollections};

use address::Address;
pub use constants::UsedConstant;
use evaluate::Modes;
use goals::{Agenda, Made};
use imports::ImportState;
use instance::{Instance, InstanceId};
use load::ModuleFile;
pub use reference::Inserted;
use schema_rules::SchemaRules;
pub use used_names::{finish, unused_conditions};

/// What a run wants of modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Whether the metrics marker is added (reference/modules/README.md#metadata).
    pub metrics: bool,
    /// Whether every emitted resource has its origin in its `Metadata`.
    pub metadata_source_map: bool,
}

/// What putting modules together needs.
pub struct Context<'c> {
    /// The tree, which grows.
    pub tree: &'c mut Tree,
    /// Files, which grow.
    pub sources: &'c mut SourceMap,
    /// The files of the run.
    pub reading: &'c Files<'c>,
    /// What was found wrong.
    pub diagnostics: &'c mut Diagnostics,
    /// The root template as written.
    pub template: &'c Template,
    /// Values of the root's parameters.
    pub parameters: &'c ParameterTable,
    /// What is known of the account.
    pub facts: &'c AccountData,
    /// Choices of the run.
    pub settings: Settings,
    /// What the run wants of modules.
    pub choices: Choices,
    /// Whether local includes of modules are inlined, and how bad a missing file is then.
    pub includes: Option<Severity>,
    /// The files that the run included so far.
    pub included: &'c mut Includes,
    /// Whether references by full ID are reported where an output has the value.
    pub warns_of_full_ids: bool,
}

/// What is to be known of a template whose modules are in place.
#[derive(Default, Debug)]
pub struct Linked {
    /// Keys of sections that modules generated: they are considered correct.
    pub made: IdSet<NodeId>,
    /// Values in the place of references, for the origins of what was made.
    pub inserted: IdMap<NodeId, Inserted>,
    /// Values that were inserted into strings, in order.
    pub parts: IdMap<NodeId, Vec<Inserted>>,
    /// Constants that authored references and strings use, in order.
    pub constants: IdMap<NodeId, Vec<UsedConstant>>,
    /// Authored nodes, and what they are with their constants replaced.
    pub replaced: IdMap<NodeId, NodeId>,
    /// Keys of conditions that are there to be checked and are not part of the result, see
    /// [`finish`].
    pub checked: IdSet<NodeId>,
    /// Keys of conditions that modules brought along.
    pub conditions: IdSet<NodeId>,
    /// Keys of mappings that modules brought along.
    pub mappings: IdSet<NodeId>,
    /// The files that were put together, as they are written, and which import each belongs to.
    pub documents: Vec<(NodeId, FrameId)>,
    /// Keys of resources that are not in the result as they are written: an import changes them, or no copy of
    /// them is made.
    pub changed: IdSet<NodeId>,
    /// IDs of resources that a false condition of a module removed.
    pub removed: FxHashSet<String>,
    /// Modules that lie on no disk: remote ones, and entries of archives.
    pub elsewhere: Vec<FileId>,
    /// Loops of the template that were expanded.
    pub loops: Vec<LoopRun>,
    /// Names that loops of the template may generate, where their items are not known.
    pub unchecked: Vec<NamePattern>,
    /// Whether a `Modules`, `Packages` or `Constants` section was there.
    pub is_module_document: bool,
    /// Whether copies are missing, since their number depends on a missing value. That was
    /// reported, and is not an error.
    pub is_incomplete: bool,
    /// Whether something is missing in it because of an error: an import, a copy, a value of one.
    pub is_broken: bool,
}

/// Whether the template with this root has anything of the module language in it.
pub fn is_needed(tree: &Tree, root: NodeId) -> bool {
    if tree.kind(root) != Kind::Map {
        return false;
    }
    // A path into an object: Formwork's own parameter types.
    let members = |section| tree.get(root, section).into_iter().flat_map(|node| tree.entries(node));
    let is_object = |node| tree.get(node, symbol::DEFAULT).is_some_and(|node| tree.kind(node) == Kind::Map);
    let for_each = tree.symbols().get("ForEach");
    tree.calls_modules()
        || crate::include::has_computed(tree, root)
        || members(symbol::PARAMETERS).any(|entry| is_object(entry.value))
        || MODULE_SECTIONS.iter().any(|name| tree.get_text(root, name).is_some())
        || for_each.is_some_and(|name| tree.get(root, symbol::RESOURCES).is_some_and(|node| copies(tree, node, name)))
}

/// Whether a resource of a section has `ForEach`, also one in the fragment of a loop.
fn copies(tree: &Tree, section: NodeId, for_each: Symbol) -> bool {
    let mut open = vec![section];
    while let Some(node) = open.pop() {
        for entry in tree.entries(node) {
            match tree.items(entry.value) {
                &[_, _, fragment] if tree.loop_name(entry.key).is_some() => open.push(fragment),
                _ if tree.get(entry.value, for_each).is_some() => return true,
                _ => {}
            }
        }
    }
    false
}

/// Inlines the modules of a template, and returns its root. `path` is that of the template. Errors are
/// reported; the result is then good for looking at, not for writing.
pub fn link(context: Context<'_>, document: Document, path: &VirtualPath) -> (NodeId, Linked) {
    let Context { tree, sources, diagnostics, included, .. } = context;
    let is_module_document = context.template.is_module_document(tree);
    let (root, address) = (context.template.root, Address::Local(path.clone()));
    let linker = Linker {
        tree,
        sources,
        reading: context.reading,
        diagnostics,
        template: context.template,
        parameters: context.parameters,
        facts: context.facts,
        settings: context.settings,
        limits: context.settings.limits,
        choices: context.choices,
        includes: context.includes,
        included,
        result: Linked { is_module_document, ..Linked::default() },
        by_address: FxHashMap::from_iter([(address.clone(), Ok(0))]),
        files: vec![ModuleFile { address, file: document.file, root }],
        archives: archive::Archives::default(),
        pinned: FxHashSet::default(),
        instances: vec![Instance::new(0, None, String::new(), root)],
        finals: IdSet::default(),
        undecided: IdMap::default(),
        slots: slots::Slots::default(),
        uses: IdMap::default(),
        duplicates: IdSet::default(),
        resources: IdMap::default(),
        calls: IdMap::default(),
        used_overrides: IdSet::default(),
        split_lists: IdSet::default(),
        empty_lists: IdSet::default(),
        names: context.parameters.clone(),
        modes: Modes::default(),
        poisons: 0,
        agenda: Agenda::default(),
        depth: 0,
        copies: 0,
        text_bytes: 0,
        stopped: false,
        nested_collections: IdMap::default(),
        conditions: IdMap::default(),
        mappings: IdMap::default(),
        mappings_in_order: Vec::new(),
        condition_owners: IdMap::default(),
        combined: IdMap::default(),
        conflicts: IdSet::default(),
        mapping_names: IdMap::default(),
        transforms: Vec::new(),
        schema_rules: SchemaRules::default(),
        emitted: Vec::new(),
        emitted_names: IdMap::default(),
        with_removed_copy: FxHashSet::default(),
        warns_of_full_ids: context.warns_of_full_ids,
    };
    linker.run()
}

/// The state of a run.
struct Linker<'c> {
    tree: &'c mut Tree,
    sources: &'c mut SourceMap,
    reading: &'c Files<'c>,
    diagnostics: &'c mut Diagnostics,
    template: &'c Template,
    parameters: &'c ParameterTable,
    facts: &'c AccountData,
    settings: Settings,
    limits: Limits,
    choices: Choices,
    includes: Option<Severity>,
    /// Files that modules include.
    included: &'c mut Includes,
    /// Files that were read, each once.
    files: Vec<ModuleFile>,
    by_address: FxHashMap<Address, Made<usize>>,
    archives: archive::Archives,
    /// Remote sources that are pinned by a hash, and those that were warned of.
    pinned: FxHashSet<String>,
    instances: Vec<Instance>,
    /// Nodes of items and loops that are computed already: they are in the result unchanged.
    finals: IdSet<NodeId>,
    /// Outputs under an undecided condition, with the condition's name.
    undecided: IdMap<NodeId, NodeId>,
    /// What names in the files mean.
    slots: slots::Slots,
    /// Imports that were instantiated, by their names and the file, with their keys.
    uses: IdMap<(Symbol, InstanceId), (NodeId, Made<ImportState>)>,
    /// Keys of imports that have the name of another one.
    duplicates: IdSet<NodeId>,
    /// Resources by the roots of their files: what all uses of a module have in common.
    resources: IdMap<NodeId, Rc<copies::Groups>>,
    /// Calls of `Fn::Invoke`, by their places.
    calls: IdMap<(NodeId, InstanceId), InstanceId>,
    /// Keys of overrides that found their resource.
    used_overrides: IdSet<NodeId>,
    /// Lists that the string of a list parameter was split into.
    split_lists: IdSet<NodeId>,
    /// Those of the empty string.
    empty_lists: IdSet<NodeId>,
    /// The names that an evaluator knows of, lent to it for each call.
    names: ParameterTable,
    /// How nodes are rewritten.
    modes: Modes,
    /// Number of values left out because they are wrong, which was reported.
    poisons: u64,
    /// Goals and their answers.
    agenda: Agenda,
    /// Nodes and goals that are open.
    depth: usize,
    /// Copies of all `ForEach` so far.
    copies: u64,
    text_bytes: u64,
    /// Collections of loops in loops, by the instance of the file.
    nested_collections: IdMap<InstanceId, NestedCollections>,
    stopped: bool,
    /// What is returned in the end.
    result: Linked,
    /// Emitted conditions and mappings by their full names.
    conditions: IdMap<Symbol, NodeId>,
    mappings: IdMap<Symbol, NodeId>,
    /// Their names in the order in which they were needed.
    mappings_in_order: Vec<Symbol>,
    /// The uses of modules whose conditions have these names.
    condition_owners: IdMap<Symbol, InstanceId>,
    /// The conditions that hold when two do.
    combined: IdMap<(Symbol, Symbol), Symbol>,
    /// Names of either that have two meanings, which was reported.
    conflicts: IdSet<Symbol>,
    /// Keys of the `Mappings` of modules, by their names.
    mapping_names: IdMap<NodeId, IdMap<Symbol, Vec<Entry>>>,
    /// Entries of `Transform` that modules bring along.
    transforms: Vec<NodeId>,
    schema_rules: SchemaRules,
    /// Entries of the result's Resources, in order.
    emitted: Vec<Entry>,
    emitted_names: IdMap<Symbol, NodeId>,
    /// Full IDs of resources with a copy that a false condition removed.
    with_removed_copy: FxHashSet<String>,
    warns_of_full_ids: bool,
}

impl Linker<'_> {
    /// Whether functions are computed as far as possible in a file: in every module, and in a root
    /// with a section of the module language.
    fn folds(&self, scope: InstanceId) -> bool {
        scope != InstanceId::ROOT || self.result.is_module_document
    }
}
