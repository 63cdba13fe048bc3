//! The evaluator: reduces one node at a time, as far as the known values allow. `resolve` is its recursion.

mod budget;
mod collections;
mod in_place;
mod nulls;
mod report;
mod resolve;

use formwork_base::{Diagnostics, IdMap};
use formwork_syntax::{FrameId, Kind, NodeId, Symbol, Tree, flags};
use formwork_template::template::may_get_entries;
use formwork_template::{NamePatterns, Template};

use crate::condition_table::ConditionTable;
use crate::facts::AccountData;
use crate::looks::Looks;
use crate::outcome::Outcome;
use crate::parameters::ParameterTable;
use crate::settings::{Settings, Visibility};

/// Evaluates nodes of one template.
pub struct Evaluator<'e> {
    /// The tree, to which results are added.
    pub tree: &'e mut Tree,
    /// The template as written.
    pub template: &'e Template,
    /// Parameters and pseudo parameters.
    pub parameters: ParameterTable,
    /// Facts about the account.
    pub facts: &'e AccountData,
    /// Settings of the run.
    pub settings: Settings,
    /// Diagnostics so far.
    pub diagnostics: &'e mut Diagnostics,
    /// Values that may be read now.
    pub visibility: Visibility,
    /// Names that were looked at since it was last cleared, in order.
    pub looks: Looks,
    /// Names that loops may generate which are not checked, since their items are not known.
    pub unchecked: NamePatterns,
    /// Set when a loop missed a value without an error.
    pub has_missed_value: bool,
    /// Number of diagnostics so far, with those that were not reported because only the result counted.
    pub error_count: u64,
    /// Mappings of modules, by their full names.
    pub module_mappings: IdMap<Symbol, NodeId>,
    pub(crate) conditions: ConditionTable,
    pub(crate) mode: Mode,
    /// Calls that could not be computed and stay, since they may never be evaluated.
    pub(crate) failed: Vec<NodeId>,
    pub(crate) frame: FrameId,
    /// Keys and items down to the current node.
    pub(crate) path: Vec<NodeId>,
    pub(crate) resource: Resource,
    /// Results for authored nodes that are in several copies of a loop body, with the number of errors in them,
    /// separate for strict and lenient places.
    memo: [IdMap<NodeId, (Outcome, u64)>; 2],
    spent: Spent,
}

/// Modes of evaluation: each counter is above zero inside of the nodes that set it.
#[derive(Default)]
pub(crate) struct Mode {
    /// Inside a node that may never be evaluated: below a condition that is not known to be true, and in a branch of an
    /// undecided `Fn::If`. Failures there keep the call.
    pub(crate) lenient: u32,
    /// Inside `Fn::ToJsonString`, where null is a value.
    pub(crate) nulls_are_data: u32,
    /// While only the result counts: nothing is reported.
    pub(crate) silent: u32,
    /// Number of errors so far, reported or not.
    pub(crate) errors: u64,
}

/// The current resource, absent outside of resources, and the section.
#[derive(Clone, Copy, Default)]
pub(crate) struct Resource {
    pub(crate) id: Option<NodeId>,
    /// Type, if it is a string.
    pub(crate) kind: Option<NodeId>,
    /// The resources with the generated ones, once they are evaluated.
    pub(crate) section: Option<NodeId>,
}

/// Amounts that count against the limits.
#[derive(Default)]
struct Spent {
    text_bytes: u64,
    elements: u64,
}

impl<'e> Evaluator<'e> {
    /// Returns an evaluator for `template`, with every known value visible and without conditions, see
    /// [`Evaluator::set_conditions`].
    pub fn new(
        tree: &'e mut Tree,
        template: &'e Template,
        parameters: ParameterTable,
        facts: &'e AccountData,
        settings: Settings,
        diagnostics: &'e mut Diagnostics,
    ) -> Evaluator<'e> {
        Evaluator {
            tree,
            template,
            parameters,
            facts,
            settings,
            diagnostics,
            visibility: Visibility::Full,
            looks: Looks::default(),
            unchecked: NamePatterns::new(),
            has_missed_value: false,
            error_count: 0,
            module_mappings: IdMap::default(),
            conditions: ConditionTable::default(),
            mode: Mode::default(),
            failed: Vec::new(),
            frame: FrameId::NONE,
            path: Vec::new(),
            resource: Resource::default(),
            memo: [IdMap::default(), IdMap::default()],
            spent: Spent::default(),
        }
    }

    /// Evaluates with another visibility.
    pub fn with_visibility<R>(&mut self, visibility: Visibility, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.visibility, visibility);
        let result = work(self);
        self.visibility = outer;
        result
    }

    /// Enters the context of a generated node and returns the one around it.
    pub(crate) fn enter(&mut self, id: NodeId) -> FrameId {
        let outer = self.frame;
        let own = self.tree.frame_of(id);
        if !own.is_none() {
            self.frame = own;
        }
        outer
    }

    /// Returns `true` if a macro writes the argument, or the map of variables of `Fn::Sub`: CloudFormation runs it
    /// before the function, so its shape is not known.
    pub(crate) fn is_from_macro(&self, argument: NodeId) -> bool {
        if !self.tree.has(argument, flags::HAS_TRANSFORM) {
            return false;
        }
        let is_macro_map = |node: NodeId| self.tree.kind(node) == Kind::Map && may_get_entries(self.tree, node);
        may_get_entries(self.tree, argument) || matches!(*self.tree.items(argument), [_, map] if is_macro_map(map))
    }

    pub(crate) fn look(&mut self, name: Symbol) {
        self.looks.add(name);
    }

    /// Returns `true` if `Ref` or `Fn::Sub` of this name refers to something in the template.
    pub(crate) fn names_something(&self, name: &str) -> bool {
        let Some(name) = self.tree.symbols().get(name) else { return false };
        let written = self.tree.get(self.template.root, formwork_syntax::symbol::RESOURCES);
        let mut resources = written.into_iter().chain(self.resource.section);
        self.parameters.get(name).is_some() || resources.any(|node| self.tree.get(node, name).is_some())
    }
}

impl Evaluator<'_> {
    /// Returns the values of the template's names.
    pub fn into_parameters(self) -> ParameterTable {
        self.parameters
    }

    /// Sets the context of the next evaluation.
    pub fn set_frame(&mut self, frame: FrameId) {
        self.frame = frame;
    }

    /// Evaluates as a node that is certainly used: failures are errors.
    pub fn strictly<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.mode.lenient, 0);
        let result = work(self);
        self.mode.lenient = outer;
        result
    }
}
