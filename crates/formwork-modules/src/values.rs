//! State of the values of a run: uses of modules, meanings of names, goals and their answers.

use std::rc::Rc;

use formwork_base::{IdMap, IdSet};
use formwork_evaluate::ParameterTable;
use formwork_syntax::{FrameId, NodeId, Symbol};

use super::goal::{Agenda, Goal};
use super::groups::Groups;
use super::instance::ImportState;
use super::instance::{Instance, InstanceId};
use super::lookup::Target;
use super::meanings::Meanings;
use super::modes::Modes;
use super::path::{self, Step};
use super::schema_rules::SchemaRules;
use super::stop::Resolved;
use formwork_loops::NestedCollections;

pub(super) struct Values {
    /// Uses of modules; the first one is the template.
    pub(super) instances: Vec<Instance>,
    /// Nodes of items and loops that are computed already: they are in the result unchanged.
    pub(super) substituted: IdSet<NodeId>,
    /// Outputs under an undecided condition, with the condition's name.
    pub(super) undecided: IdMap<NodeId, NodeId>,
    pub(super) meanings: Meanings,
    /// Instantiated imports by their names and the file, with their keys.
    pub(super) uses: IdMap<(Symbol, InstanceId), (NodeId, Resolved<ImportState>)>,
    pub(super) duplicates: IdSet<NodeId>,
    /// Resources by the roots of their files, shared by all uses of a module.
    pub(super) resources: IdMap<NodeId, Rc<Groups>>,
    pub(super) calls: IdMap<(NodeId, InstanceId), InstanceId>,
    /// Keys of overrides whose resource exists.
    pub(super) used_overrides: IdSet<NodeId>,
    pub(super) split: SplitLists,
    pub(super) names: ParameterTable,
    pub(super) modes: Modes,
    /// Number of invalid values, which were reported and left out.
    pub(super) poisons: u64,
    pub(super) agenda: Agenda,
    pub(super) usage: Usage,
    pub(super) nested_collections: IdMap<InstanceId, NestedCollections>,
    pub(super) schema_rules: SchemaRules,
}

/// The parts of the limits that are used.
#[derive(Default)]
pub(super) struct Usage {
    pub(super) depth: usize,
    pub(super) copies: u64,
    pub(super) text_bytes: u64,
    /// Set when a limit ended the run, which was reported.
    pub(super) stopped: bool,
}

#[derive(Default)]
pub(super) struct SplitLists {
    pub(super) all: IdSet<NodeId>,
    pub(super) empty: IdSet<NodeId>,
}

impl Values {
    pub(super) fn new(root: NodeId, names: ParameterTable) -> Values {
        Values {
            instances: vec![Instance::new(0, None, String::new(), root)],
            substituted: IdSet::default(),
            undecided: IdMap::default(),
            meanings: Meanings::default(),
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
            usage: Usage::default(),
            nested_collections: IdMap::default(),
            schema_rules: SchemaRules::default(),
        }
    }

    pub(super) fn importer(&self, scope: InstanceId) -> InstanceId {
        self.instances[scope.at()].parent.unwrap_or(InstanceId::ROOT)
    }

    /// Returns `true` for a condition that is requested from itself through conditions only.
    pub(super) fn needs_itself(&self, condition: Goal) -> bool {
        let cycle = self.agenda.cycle(condition);
        cycle.is_some_and(|goals| goals.iter().all(|goal| matches!(goal, Goal::Condition(..))))
    }

    pub(super) fn add(&mut self, instance: Instance) -> InstanceId {
        self.instances.push(instance);
        InstanceId::new(self.instances.len() - 1)
    }

    pub(super) fn target(&self, name: &str, steps: &[Step<'_>], scope: InstanceId) -> Target {
        let attribute = (!steps.is_empty()).then(|| path::written(steps));
        Target { id: [&self.instances[scope.at()].prefix, name].concat(), attribute }
    }

    pub(super) fn full_name(&self, name: &str, scope: InstanceId) -> String {
        [self.instances[scope.at()].prefix.as_str(), name].concat()
    }

    pub(super) fn frame(&self, scope: InstanceId) -> FrameId {
        self.instances[scope.at()].frame
    }
}
