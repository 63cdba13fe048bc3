//! The evaluator: one node at a time, as far as what is known allows.

mod budget;
mod collections;
mod in_place;
mod nulls;
mod report;

use formwork_base::{Diagnostics, IdMap};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Function, Kind, NodeId, Symbol, Tree, flags};
use formwork_template::template::may_get_entries;
use formwork_template::{NamePattern, Template};

use crate::conditions::ConditionTable;
use crate::facts::AccountData;
use crate::functions;
use crate::looks::Looks;
use crate::outcome::Outcome;
use crate::parameters::ParameterTable;
use crate::settings::{Settings, Values, Visibility};

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
    pub unchecked: Vec<NamePattern>,
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
            unchecked: Vec::new(),
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

    /// Reduces a node as far as the visible values allow. Reports errors.
    pub fn resolve(&mut self, id: NodeId) -> Outcome {
        if !self.tree.has(id, flags::HAS_CALL | flags::HAS_NULL) {
            return Outcome::Known(id);
        }
        if self.diagnostics.is_cancelled() {
            return Outcome::Poison;
        }
        let outer = self.enter(id);
        let outcome = match self.tree.kind(id) {
            Kind::List => self.resolve_list(id),
            Kind::Map => self.resolve_map(id),
            Kind::Call => {
                let outcome = self.resolve_call(id);
                self.without_yielded_null(outcome, id)
            }
            _ => Outcome::Known(id),
        };
        self.frame = outer;
        outcome
    }

    /// The same, without reporting anything: only the result counts.
    pub fn resolve_silently(&mut self, id: NodeId) -> Outcome {
        self.mode.silent += 1;
        let failed = self.failed.len();
        let outcome = self.resolve(id);
        self.failed.truncate(failed);
        self.mode.silent -= 1;
        outcome
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

    /// Resolves a child; results of shared authored children are remembered.
    fn resolve_child(&mut self, parent: NodeId, child: NodeId) -> Outcome {
        let is_shared =
            self.tree.is_generated(parent) && !self.tree.is_generated(child) && self.tree.has(child, flags::HAS_CALL);
        // Not where reports are held back, and not where it matters what was looked at.
        let remembers = match (self.settings.values, self.visibility) {
            (Values::All | Values::Resolve, Visibility::Full) | (Values::Keep, Visibility::Constant) => {
                self.mode.silent == 0
            }
            _ => false,
        };
        if !is_shared || !remembers {
            return self.resolve(child);
        }
        let memo = usize::from(self.mode.lenient > 0);
        if let Some(&(known, faults)) = self.memo[memo].get(&child) {
            self.faults += faults;
            return known;
        }
        let before = self.faults;
        let outcome = self.resolve(child);
        self.memo[memo].insert(child, (outcome, self.faults - before));
        outcome
    }

    fn resolve_call(&mut self, id: NodeId) -> Outcome {
        let (function, argument) = self.tree.call(id);
        let Function::Known(known) = function else {
            return functions::other::reduce(self, id, argument);
        };
        if self.is_from_macro(argument) {
            return functions::other::reduce(self, id, argument);
        }
        match known {
            Known::Ref => functions::reference::reduce(self, id, argument),
            Known::GetAtt => functions::get_att::reduce(self, id, argument),
            Known::Sub => functions::sub::reduce(self, id, argument),
            Known::Join => functions::join::reduce(self, id, argument),
            Known::Split => functions::split::reduce(self, id, argument),
            Known::Select => functions::select::reduce(self, id, argument),
            Known::FindInMap => functions::find_in_map::reduce(self, id, argument),
            Known::If => functions::r#if::reduce(self, id, argument),
            Known::Base64 => functions::base64::reduce(self, id, argument),
            Known::Cidr => functions::cidr::reduce(self, id, argument),
            Known::GetAZs => functions::get_azs::reduce(self, id, argument),
            Known::GetStackOutput => functions::get_stack_output::reduce(self, id, argument),
            Known::ImportValue => functions::import_value::reduce(self, id, argument),
            Known::Length => functions::length::reduce(self, id, argument),
            Known::ToJsonString => functions::to_json_string::reduce(self, id, argument),
            Known::Range => functions::range::reduce(self, id, argument),
            Known::Zip => functions::zip::reduce(self, id, argument),
            Known::And | Known::Or | Known::Not | Known::Equals | Known::Condition => self.resolve_condition(id),
            _ => functions::other::reduce(self, id, argument),
        }
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

    /// Resolves each of a call's arguments by itself, when they are a list.
    pub(crate) fn arguments(&mut self, list: NodeId) -> Vec<Outcome> {
        let count = self.tree.len(list);
        (0..count)
            .map(|at| {
                let item = self.tree.items(list)[at];
                self.resolve(item)
            })
            .collect()
    }

    /// Looks at what the values at hand do not use: a branch that is not taken, an element that is not selected. Errors
    /// that do not depend on the values are reported, as far as `Settings::looks_at_all` asks for it.
    pub fn look_at_unused(&mut self, node: NodeId) {
        if !self.settings.looks_at_all || self.mode.silent > 0 {
            return;
        }
        self.mode.lenient += 1;
        let failed = self.failed.len();
        self.with_visibility(Visibility::Constant, |ev| ev.check(node));
        self.failed.truncate(failed);
        self.mode.lenient -= 1;
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

    /// As [`Evaluator::set_conditions`], without reporting anything.
    pub fn set_conditions_quietly(&mut self, section: Option<NodeId>) {
        self.mode.silent += 1;
        self.set_conditions(section);
        self.mode.silent -= 1;
    }
}
