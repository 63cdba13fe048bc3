//! What a run knows of values: uses of modules, what names mean there, goals and their answers.

use std::rc::Rc;

use formwork_base::{IdMap, IdSet};
use formwork_evaluate::ParameterTable;
use formwork_syntax::{FrameId, NodeId, Symbol};

use super::found::Target;
use super::goal::{Agenda, Goal};
use super::groups::Groups;
use super::instance::ImportState;
use super::instance::{Instance, InstanceId};
use super::meanings::Slots;
use super::modes::Modes;
use super::path::{self, Step};
use super::schema_rules::SchemaRules;
use super::stop::Resolved;
use crate::loops::NestedCollections;

/// Instances, slots, goals, and how nodes are rewritten.
pub(super) struct Values {
    /// Uses of modules; the first one is the template.
    pub(super) instances: Vec<Instance>,
    /// Nodes of items and loops that are computed already: they are in the result unchanged.
    pub(super) substituted: IdSet<NodeId>,
    /// Outputs under an undecided condition, with the condition's name.
    pub(super) undecided: IdMap<NodeId, NodeId>,
    /// What names in the files mean.
    pub(super) slots: Slots,
    /// Imports that were instantiated, by their names and the file, with their keys.
    pub(super) uses: IdMap<(Symbol, InstanceId), (NodeId, Resolved<ImportState>)>,
    /// Keys of imports that have the name of another one.
    pub(super) duplicates: IdSet<NodeId>,
    /// Resources by the roots of their files: what all uses of a module have in common.
    pub(super) resources: IdMap<NodeId, Rc<Groups>>,
    /// Calls of `Fn::Invoke`, by their places.
    pub(super) calls: IdMap<(NodeId, InstanceId), InstanceId>,
    /// Keys of overrides that found their resource.
    pub(super) used_overrides: IdSet<NodeId>,
    pub(super) split: SplitLists,
    /// The names that an evaluator knows of, lent to it for each call.
    pub(super) names: ParameterTable,
    /// How nodes are rewritten.
    pub(super) modes: Modes,
    /// Number of values left out because they are wrong, which was reported.
    pub(super) poisons: u64,
    /// Goals and their answers.
    pub(super) agenda: Agenda,
    /// Nodes and goals that are open.
    pub(super) depth: usize,
    /// Copies of all `ForEach` so far.
    pub(super) copies: u64,
    /// Bytes of computed strings so far.
    pub(super) text_bytes: u64,
    /// Collections of loops in loops, by the instance of the file.
    pub(super) nested_collections: IdMap<InstanceId, NestedCollections>,
    /// Whether a limit ended the run, which was reported.
    pub(super) stopped: bool,
    /// What `ParameterSchema` asks of values.
    pub(super) schema_rules: SchemaRules,
}

/// Lists that the string of a list parameter was split into.
#[derive(Default)]
pub(super) struct SplitLists {
    pub(super) all: IdSet<NodeId>,
    /// Those of the empty string.
    pub(super) empty: IdSet<NodeId>,
}

impl Values {
    /// Those of the template with this root, before anything is asked. `names` are the parameters that have a value.
    pub(super) fn new(root: NodeId, names: ParameterTable) -> Values {
        Values {
            instances: vec![Instance::new(0, None, String::new(), root)],
            substituted: IdSet::default(),
            undecided: IdMap::default(),
            slots: Slots::default(),
            uses: IdMap::default(),
            duplicates: IdSet::default(),
            resources: IdMap::default(),
            calls: IdMap::default(),
            used_overrides: IdSet::default(),
            split: SplitLists::default(),
            names,
            modes: Modes::default(),
            poisons: 0,
            agenda: Agenda::default(),
            depth: 0,
            copies: 0,
            text_bytes: 0,
            nested_collections: IdMap::default(),
            stopped: false,
            schema_rules: SchemaRules::default(),
        }
    }

    /// The instance whose file writes the properties of an import.
    pub(super) fn importer(&self, scope: InstanceId) -> InstanceId {
        self.instances[scope.at()].parent.unwrap_or(InstanceId::ROOT)
    }

    /// Whether a condition is asked for that only conditions lead to from itself.
    pub(super) fn needs_itself(&self, condition: Goal) -> bool {
        let cycle = self.agenda.cycle(condition);
        cycle.is_some_and(|goals| goals.iter().all(|goal| matches!(goal, Goal::Condition(..))))
    }

    /// Adds an instance.
    pub(super) fn add(&mut self, instance: Instance) -> InstanceId {
        self.instances.push(instance);
        InstanceId::new(self.instances.len() - 1)
    }

    /// A resource of the file, or the attribute of it that steps name.
    pub(super) fn target(&self, name: &str, steps: &[Step<'_>], scope: InstanceId) -> Target {
        let attribute = (!steps.is_empty()).then(|| path::written(steps));
        Target { id: [&self.instances[scope.at()].prefix, name].concat(), attribute }
    }

    /// What something in the file of an instance is called in the result.
    pub(super) fn full_name(&self, name: &str, scope: InstanceId) -> String {
        [self.instances[scope.at()].prefix.as_str(), name].concat()
    }

    /// The context of everything in an instance.
    pub(super) fn frame(&self, scope: InstanceId) -> FrameId {
        self.instances[scope.at()].frame
    }
}
