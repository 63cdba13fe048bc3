//! Modules (reference/modules/README.md): imports, constants, packages and the functions that come with them, inlined
//! before anything is expanded, so that the later stages see an ordinary template.
//!
//! Each use of a module is an *instance*: a file, values bound to its parameters, and the prefix of its names.
//! `evaluate` rewrites a node of a file as an instance sees it: names are resolved, and a value is inserted as it is
//! where it was written, so it never gets a second prefix. `variables` puts constants into their file, and the
//! variables of a copy into what is copied, before names are looked up. `copies` generates the instances of a `ForEach`
//! of an import, of a resource or around imports, in one way.
//!
//! What a call *yields* is computed by `formwork-evaluate` alone. `fold` asks it, silently and as far as it is
//! constant, where a value has to be known immediately: a property, an output, a collection, a condition. With
//! `--values all` everything else waits for the stage that evaluates the whole template. So errors in a module's values
//! are reported by that stage, once, with the module's names and sentences; the linker reports what only it knows:
//! sources, bindings, schemas, outputs, overrides, copies. For that the linked template has all conditions of every
//! instance as they are written, under names with a `#`, and the mappings that something looks up. [`finish`] leaves
//! out the former, and mappings that nothing in the result looks up: before the size is checked, before anything is
//! written, and after packaging.
//!
//! Loops, bindings, outputs, conditions, sources of imports and copies are *goals* (`goals`): each is computed once, by
//! `once`, and its answer is remembered, so nothing depends on the order of declarations. Everything that may ask for a
//! goal returns `Resolved`: an answer, or a `Stop`, which means that it has an error that was reported, or that it
//! waits. A goal that is asked for deep in the stack goes on the agenda, whatever asked for it waits behind it, and
//! `complete`, where the work began, processes the agenda from its end: a chain of any length needs no deep stack. A
//! goal that is asked for while it is on the agenda is a cycle, and the agenda from there on is its path.
//!
//! Each file is read and parsed once a session. Archives are read in memory, entry by entry. A remote address goes to
//! `Host::read_remote`; `Host::is_pinned` returns whether a lock file contains it. `formwork-net` is what the
//! program has behind that.
//!
//! Read [`link`] first, then `emit`, `evaluate` and `goals`.

mod address;
mod archive;
mod bind;
mod collection;
mod collections;
mod conditions;
mod constants;
mod copied_bodies;
mod copies;
mod copy_list;
mod depends_on;
mod emit;
mod emitted;
mod evaluate;
mod expanded;
mod flatten;
mod flatten_rows;
mod fold;
mod found;
mod full_ids;
mod goal;
mod goals;
mod groups;
mod imports;
mod insert_file;
mod instance;
mod invoke;
mod items;
mod load;
mod loaded;
mod mappings;
mod meanings;
mod merge;
mod modes;
mod name_kind;
mod names;
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
mod split_lists;
mod steps;
mod stop;
mod sub;
mod sub_variables;
mod unread;
mod used_names;
mod values;
mod variables;
mod walk;
mod without_constants;
mod written;

use formwork_base::{Diagnostics, FileId, IdMap, IdSet, Limits, Severity, SourceMap, VirtualPath};
use formwork_evaluate::{AccountData, ParameterTable, Settings};
use formwork_syntax::function::Known;
use formwork_syntax::{Document, Files, FrameId, Function, Kind, NodeId, Symbol, Tree, View, symbol};
use formwork_template::template::MODULE_SECTIONS;
use formwork_template::{NamePatterns, Template};
use rustc_hash::FxHashSet;

use crate::include::Includes;
use crate::loops::LoopRun;

use address::Address;
pub use constants::UsedConstant;
use emitted::Emitted;
pub use found::Inserted;
use instance::InstanceId;
use loaded::{Loaded, ModuleFile};
pub use used_names::{finish, unused_conditions};
use values::Values;

/// What a run wants of modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Whether the metrics marker is added (reference/modules/README.md#metadata).
    pub metrics: bool,
    /// Whether every emitted resource has its origin in its `Metadata`.
    pub metadata_source_map: bool,
    /// Whether a template of the run imports this one, and what this one imports is looked at by itself: the imports of
    /// its imports are put in as far as their outputs are used. The run sets it.
    pub is_imported: bool,
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
    pub unchecked: NamePatterns,
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

/// Whether a resource of a section has `ForEach`, also one that a loop or a merge generates.
fn copies(tree: &Tree, section: NodeId, for_each: Symbol) -> bool {
    let is_copied = |node| tree.get(node, for_each).is_some();
    let mut open = vec![section];
    while let Some(node) = open.pop() {
        match tree.view(node) {
            View::Call(Function::Known(Known::Map), argument)
                if tree.get(argument, symbol::FRAGMENT).is_some_and(is_copied) =>
            {
                return true;
            }
            View::Call(function, argument) if function != Function::Known(Known::Map) => open.push(argument),
            View::List(items) => open.extend_from_slice(items),
            _ => {}
        }
        for entry in tree.entries(node) {
            match tree.items(entry.value) {
                &[_, _, fragment] if tree.loop_name(entry.key).is_some() => open.push(fragment),
                _ if tree.symbol(entry.key) == symbol::FN_MERGE => open.push(entry.value),
                _ if is_copied(entry.value) => return true,
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
        diagnostics,
        template: context.template,
        parameters: context.parameters,
        facts: context.facts,
        settings: context.settings,
        limits: context.settings.limits,
        choices: context.choices,
        warns_of_full_ids: context.warns_of_full_ids,
        loaded: Loaded::new(
            context.reading,
            context.includes,
            included,
            ModuleFile { address, file: document.file, root },
        ),
        values: Values::new(root, context.parameters.clone()),
        emitted: Emitted::new(is_module_document),
    };
    linker.run()
}

/// The state of a run: what was passed to it, and what it owns, by what it is for.
struct Linker<'c> {
    tree: &'c mut Tree,
    sources: &'c mut SourceMap,
    diagnostics: &'c mut Diagnostics,
    template: &'c Template,
    parameters: &'c ParameterTable,
    facts: &'c AccountData,
    settings: Settings,
    limits: Limits,
    choices: Choices,
    warns_of_full_ids: bool,
    loaded: Loaded<'c>,
    values: Values,
    emitted: Emitted,
}

impl Linker<'_> {
    /// Whether functions are computed as far as possible in a file: in every module, and in a root
    /// with a section of the module language.
    fn folds(&self, scope: InstanceId) -> bool {
        scope != InstanceId::ROOT || self.emitted.result.is_module_document
    }
}
