//! Goals: values that are computed once, with their answers. `goals` computes them.

use std::hash::{Hash, Hasher};

use formwork_base::IdMap;
use formwork_evaluate::Truth;
use formwork_syntax::{NodeId, Symbol};
use indexmap::IndexSet;
use indexmap::set::Slice;
use rustc_hash::FxBuildHasher;

use super::copy_list::Copies;
use super::groups::Section;
use super::instance::InstanceId;
use super::stop::Resolved;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    ImportLoops(InstanceId),
    Loops(InstanceId),
    Binding(InstanceId, Symbol),
    Output(InstanceId, Symbol),
    Condition(InstanceId, Symbol),
    Source(InstanceId, Symbol, NodeId),
    Copies(Section, InstanceId, Symbol),
}

impl Hash for Goal {
    /// Hashes names first: those of one instance are beside each other in an [`IdMap`].
    fn hash<H: Hasher>(&self, state: &mut H) {
        match *self {
            Goal::ImportLoops(instance) | Goal::Loops(instance) => instance.hash(state),
            Goal::Binding(instance, name) | Goal::Output(instance, name) | Goal::Condition(instance, name) => {
                (name, instance).hash(state);
            }
            Goal::Source(instance, name, node) => (name, instance, node).hash(state),
            Goal::Copies(section, instance, name) => (name, instance, section).hash(state),
        }
        std::mem::discriminant(self).hash(state);
    }
}

pub(super) type Answers<T> = IdMap<Goal, Resolved<T>>;

/// Open goals without an answer, each of which needs the one after it; and the answers of others.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    pub(super) open: IndexSet<Goal, FxBuildHasher>,
    pub(super) unrolled: Answers<NodeId>,
    pub(super) values: Answers<Option<NodeId>>,
    /// Conditions, with the names of undecided ones.
    pub(super) decided: Answers<(Truth, Symbol)>,
    pub(super) copied: Answers<Copies>,
}

impl Agenda {
    /// Returns the goals of the cycle that a request of `goal` closes, the goal itself first; `None` without a cycle.
    pub(super) fn cycle(&self, goal: Goal) -> Option<&Slice<Goal>> {
        self.open.get_range(self.open.get_index_of(&goal)?..)
    }
}
