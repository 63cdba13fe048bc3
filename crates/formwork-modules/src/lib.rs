//! Inlining of modules (reference/modules/README.md): imports, constants, packages and their functions are resolved
//! before anything is expanded, so that the later stages see an ordinary template. [`mod@include`] inlines local
//! `AWS::Include` files before.
//!
//! Each use of a module is an *instance*: a file, values bound to its parameters, and the prefix of its names.
//! `evaluate` rewrites a node of a file as an instance sees it: names are resolved, and a value is inserted unchanged
//! from its original place, so it never gets a second prefix. `variables` inserts constants into their file, and the
//! variables of a copy into the copied node, before names are looked up. `copies` generates the instances of a
//! `ForEach` of an import, of a resource or around imports, in one way.
//!
//! The *value* of a call is computed by `formwork-evaluate` alone. `fold` uses it, silently and as far as the call is
//! constant, where a value has to be known immediately: a property, an output, a collection, a condition. With
//! `--values all` everything else waits for the stage that evaluates the whole template. So errors in a module's values
//! are reported by that stage, once, with the module's names and sentences; the linker reports errors that only it
//! knows: sources, bindings, schemas, outputs, overrides, copies. For that the linked template has all conditions of
//! every instance as they are written, under names with a `#`, and the mappings that something looks up. [`finish`]
//! removes the former, and mappings that nothing in the result looks up: before the size is checked, before anything is
//! written, and after packaging.
//!
//! Loops, bindings, outputs, conditions, sources of imports and copies are *goals* (`goals`): each is computed once, by
//! `once`, and its answer is remembered, so nothing depends on the order of declarations. Every function that may
//! request a goal returns `Resolved`: an answer, or a `Stop` for an error that was reported or a goal that it waits
//! for. A goal that is requested deep in the stack goes on the agenda, its caller waits behind it, and `complete`,
//! where the work began, processes the agenda from its end: a chain of any length needs no deep stack. A goal that is
//! requested while it is on the agenda is a cycle, and the agenda from there on is its path.
//!
//! Each file is read and parsed once per session. Archives are read in memory, entry by entry. A remote address goes to
//! `Host::read_remote`; `Host::is_pinned` returns `true` when a lock file contains it. `formwork-net` is the
//! implementation in the program.
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
mod find_meanings;
mod flatten;
mod flatten_rows;
mod fold;
mod full_ids;
mod goal;
mod goals;
mod groups;
mod imports;
pub mod include;
mod insert_file;
mod instance;
mod invoke;
mod items;
mod load;
mod loaded;
mod lookup;
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
use formwork_loops::LoopRun;

use address::Address;
pub use constants::UsedConstant;
use emitted::Emitted;
use instance::InstanceId;
use loaded::{Loaded, ModuleFile};
pub use lookup::Inserted;
pub use used_names::{finish, unused_conditions};
use values::Values;

/// Options of a run for modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Adds the metrics marker (reference/modules/README.md#metadata).
    pub metrics: bool,
    /// Adds the origin of every emitted resource to its `Metadata`.
    pub metadata_source_map: bool,
    /// Set by the run for a template that another one imports, when the imports of its own imports are checked
    /// separately: they are inlined as far as their outputs are used.
    pub is_imported: bool,
}

/// The state of a run that modules need.
pub struct Context<'c> {
    /// The tree, which grows.
    pub tree: &'c mut Tree,
    /// The files in the position space, which grow.
    pub sources: &'c mut SourceMap,
    /// The files of the run.
    pub reading: &'c Files<'c>,
    /// The diagnostics found so far.
    pub diagnostics: &'c mut Diagnostics,
    /// The root template as written.
    pub template: &'c Template,
    /// Values of the root's parameters.
    pub parameters: &'c ParameterTable,
    /// The known facts of the account.
    pub facts: &'c AccountData,
    /// Settings of the run.
    pub settings: Settings,
    /// Options of the run for modules.
    pub choices: Choices,
    /// The severity of a missing included file; `None` when local includes of modules are not inlined.
    pub includes: Option<Severity>,
    /// The files that the run included so far.
    pub included: &'c mut Includes,
    /// Reports references by full ID when an output has the value.
    pub warns_of_full_ids: bool,
}

/// The properties of a template with inlined modules that later stages need.
#[derive(Default, Debug)]
pub struct Linked {
    /// Keys of sections that modules generated: they are considered correct.
    pub made: IdSet<NodeId>,
    /// Values in place of references, for the origins of generated nodes.
    pub inserted: IdMap<NodeId, Inserted>,
    /// Values that were inserted into strings, in order.
    pub parts: IdMap<NodeId, Vec<Inserted>>,
    /// Constants that authored references and strings use, in order.
    pub constants: IdMap<NodeId, Vec<UsedConstant>>,
    /// Authored nodes, with their nodes after the replacement of constants.
    pub replaced: IdMap<NodeId, NodeId>,
    /// Keys of conditions that are only checked and are not part of the result, see [`finish`].
    pub checked: IdSet<NodeId>,
    /// Keys of conditions of modules.
    pub conditions: IdSet<NodeId>,
    /// Keys of mappings of modules.
    pub mappings: IdSet<NodeId>,
    /// The files as they are written, each with the context of its import.
    pub documents: Vec<(NodeId, FrameId)>,
    /// Keys of resources that differ from the written ones in the result: an import changes them, or they have no
    /// copies.
    pub changed: IdSet<NodeId>,
    /// IDs of resources that a false condition of a module removed.
    pub removed: FxHashSet<String>,
    /// Modules that are not on a disk: remote ones, and entries of archives.
    pub elsewhere: Vec<FileId>,
    /// Loops of the template that were expanded.
    pub loops: Vec<LoopRun>,
    /// Names that loops of the template may generate, where their items are not known.
    pub unchecked: NamePatterns,
    /// `true` when the template has a `Modules`, `Packages` or `Constants` section.
    pub is_module_document: bool,
    /// `true` when copies are missing, since their number depends on a missing value. That was reported, and is not an
    /// error.
    pub is_incomplete: bool,
    /// `true` when an import, a copy, or a value of one is missing because of an error.
    pub is_broken: bool,
}

/// Returns `true` when the template with this root has any construct of the module language.
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

/// Returns `true` when a resource of a section has `ForEach`, also one that a loop or a merge generates.
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

/// Inlines the modules of a template, and returns its root. `path` is the path of the template. Errors are reported;
/// the result is then for checks only, and must not be written.
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
    /// Returns `true` when functions are computed as far as possible in a file: in every module, and in a root with a
    /// section of the module language.
    fn folds(&self, scope: InstanceId) -> bool {
        scope != InstanceId::ROOT || self.emitted.result.is_module_document
    }
}
