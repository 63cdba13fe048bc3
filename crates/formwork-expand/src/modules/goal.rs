//! Values that are computed once: what they are, their answers, and those that are begun. `goals` computes them.

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

/// Something that is computed once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The root of an instance's file with its imports generated.
    ImportLoops(InstanceId),
    /// The root of an instance's file with its loops expanded.
    Loops(InstanceId),
    /// The value of a parameter.
    Binding(InstanceId, Symbol),
    /// An output.
    Output(InstanceId, Symbol),
    /// A condition.
    Condition(InstanceId, Symbol),
    /// The `Source` of the import with this name.
    Source(InstanceId, Symbol, NodeId),
    /// The imports or resources that an entry of a section generates.
    Copies(Section, InstanceId, Symbol),
}

impl Hash for Goal {
    /// Names first: those of one instance are beside each other in an [`IdMap`].
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

/// Answers of goals of one type.
pub(super) type Answers<T> = IdMap<Goal, Resolved<T>>;

/// Goals that are begun and have no answer yet, each of which needs the one after it; and the answers of others.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    pub(super) open: IndexSet<Goal, FxBuildHasher>,
    /// Files with their loops expanded.
    pub(super) unrolled: Answers<NodeId>,
    /// Bindings and outputs.
    pub(super) values: Answers<Option<NodeId>>,
    /// Conditions, with the names of those that are left.
    pub(super) decided: Answers<(Truth, Symbol)>,
    pub(super) copied: Answers<Copies>,
}

impl Agenda {
    /// The goals of the cycle that asking for `goal` closes, the goal itself first; `None` when it closes none.
    pub(super) fn cycle(&self, goal: Goal) -> Option<&Slice<Goal>> {
        self.open.get_range(self.open.get_index_of(&goal)?..)
    }
}
