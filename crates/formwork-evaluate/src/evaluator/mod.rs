//! The evaluator: one node at a time, as far as what is known allows. `resolve` is its recursion.

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
    /// The tree, which grows.
    pub tree: &'e mut Tree,
    /// The template as written.
    pub template: &'e Template,
    /// Parameters and pseudo parameters.
    pub parameters: ParameterTable,
    /// What is known of the account.
    pub facts: &'e AccountData,
    /// Choices of the run.
    pub settings: Settings,
    /// What was found wrong.
    pub diagnostics: &'e mut Diagnostics,
    /// What may be looked at now.
    pub visibility: Visibility,
    /// Names that were looked at since it was last cleared, each once, in order.
    pub looks: Looks,
    /// Names that loops may generate which are not checked, since their items are not known.
    pub unchecked: NamePatterns,
    /// Set when a loop missed a value without an error.
    pub has_missed_value: bool,
    /// Number of diagnostics so far, with those that were not reported because only the result counted.
    pub faults: u64,
    /// Mappings of modules, by their full names.
    pub module_mappings: IdMap<Symbol, NodeId>,
    pub(crate) conditions: ConditionTable,
    pub(crate) mode: Mode,
    /// Calls that could not be computed and stay, since they may never be looked at.
    pub(crate) failed: Vec<NodeId>,
    /// The innermost context on the way to the current node.
    pub(crate) frame: FrameId,
    /// Keys and items on the way to the current node.
    pub(crate) path: Vec<NodeId>,
    pub(crate) resource: Resource,
    /// Results for authored nodes that are in several copies of a loop body, with the number of errors in them, apart
    /// for strict and lenient places.
    memo: [IdMap<NodeId, (Outcome, u64)>; 2],
    spent: Spent,
}

/// How the current node is evaluated: each is above zero inside of what asks for it.
#[derive(Default)]
pub(crate) struct Mode {
    /// Inside what may never be looked at: below a condition that is not known to be true, and in a branch of an undecided
    /// `Fn::If`. Failures there keep the call.
    pub(crate) lenient: u32,
    /// Inside `Fn::ToJsonString`, where null is a value.
    pub(crate) nulls_are_data: u32,
    /// While only the result counts: nothing is reported.
    pub(crate) silent: u32,
    /// How many errors there were on the way, reported or not.
    pub(crate) errors: u64,
}

/// The current resource, nothing outside of resources, and their section.
#[derive(Clone, Copy, Default)]
pub(crate) struct Resource {
    /// The logical ID.
    pub(crate) id: Option<NodeId>,
    /// The type, if it is a string.
    pub(crate) kind: Option<NodeId>,
    /// The resources with those that loops generated, once they are evaluated.
    pub(crate) section: Option<NodeId>,
}

/// What functions have made, against the limits.
#[derive(Default)]
struct Spent {
    text_bytes: u64,
    /// Elements of lists.
    elements: u64,
}

impl<'e> Evaluator<'e> {
    /// An evaluator for `template`, with every known value visible. No conditions are known yet,
    /// see [`Evaluator::set_conditions`].
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
            faults: 0,
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

    /// Steps into the context of a made node and returns the one around it.
    pub(crate) fn enter(&mut self, id: NodeId) -> FrameId {
        let outer = self.frame;
        let own = self.tree.frame_of(id);
        if !own.is_none() {
            self.frame = own;
        }
        outer
    }

    /// Whether a macro writes the argument, or the map of variables of `Fn::Sub`: CloudFormation runs it before the
    /// function, so its shape is not known.
    pub(crate) fn is_from_macro(&self, argument: NodeId) -> bool {
        if !self.tree.has(argument, flags::HAS_TRANSFORM) {
            return false;
        }
        let is_macro_map = |node: NodeId| self.tree.kind(node) == Kind::Map && may_get_entries(self.tree, node);
        may_get_entries(self.tree, argument) || matches!(*self.tree.items(argument), [_, map] if is_macro_map(map))
    }

    /// Records that a name was looked at.
    pub(crate) fn look(&mut self, name: Symbol) {
        self.looks.add(name);
    }

    /// Whether `Ref` or `Fn::Sub` of this name means something in the template.
    pub(crate) fn names_something(&self, name: &str) -> bool {
        let Some(name) = self.tree.symbols().get(name) else { return false };
        let written = self.tree.get(self.template.root, formwork_syntax::symbol::RESOURCES);
        let mut resources = written.into_iter().chain(self.resource.section);
        self.parameters.get(name).is_some() || resources.any(|node| self.tree.get(node, name).is_some())
    }
}

impl Evaluator<'_> {
    /// The values that the names of the template have.
    pub fn into_parameters(self) -> ParameterTable {
        self.parameters
    }

    /// Sets the context of what is evaluated next.
    pub fn set_frame(&mut self, frame: FrameId) {
        self.frame = frame;
    }

    /// Evaluates as something that is looked at for sure: failures are errors.
    pub fn strictly<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.mode.lenient, 0);
        let result = work(self);
        self.mode.lenient = outer;
        result
    }
}
