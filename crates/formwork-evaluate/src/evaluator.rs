//! The evaluator: one node at a time, as far as what is known allows.

use formwork_base::{Code, Diagnostic, Diagnostics, FrameKind, IdMap, Limits, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::tree::rewritten::{Entries, Items};
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Origin, Style, Symbol, Tree, View, flags};
use formwork_template::template::may_get_entries;
use formwork_template::{NamePattern, PseudoParameter, Template};

use crate::collected_secrets::CollectedSecrets;
use crate::conditions::ConditionTable;
use crate::facts::AccountData;
use crate::functions;
use crate::looks::Looks;
use crate::outcome::Outcome;
use crate::parameters::ParameterTable;

/// How much of a template is computed (reference/values.md#modes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Loops, and constructs that plain CloudFormation does not have, if constant. References are kept.
    Keep,
    /// As `Keep`, and all such constructs from the known values.
    Pin,
    /// All that is known: CloudFormation's processed template.
    All,
    /// `All`, and everything that the values decide: what would be deployed.
    Resolve,
}

/// Whose behaviour is followed where the tools disagree (reference/transform.md#compat).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compat {
    /// CloudFormation's, but an empty string is an empty collection.
    Formwork,
    /// CloudFormation's to the letter.
    Aws,
    /// SAM CLI's.
    Sam,
}

/// Which loops are left for CloudFormation although their items are not known
/// (reference/packaging.md#nested, reference/packaging.md#loops).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnresolvedLoops {
    /// None.
    #[default]
    None,
    /// Those over a name that is not declared, unless a local file is named in them.
    Undeclared,
    /// Those over such a name, and those whose collection needs values that may be passed later, unless a local file is
    /// named in them.
    WithoutValue,
    /// Those whose collection is not known, unless a local file is named in them.
    Unknown,
}

/// What evaluation may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Neither parameters nor conditions: what is known without them is *constant*.
    Constant,
    /// Every known value.
    Full,
}

/// Choices of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How much is computed.
    pub values: Values,
    /// Whether the functions of `AWS::LanguageExtensions` are expanded.
    pub language_extensions: bool,
    /// Whose behaviour is followed.
    pub compat: Compat,
    /// Loops that are left for CloudFormation.
    pub unresolved_loops: UnresolvedLoops,
    /// How bad it is that a loop or a policy needs a value that is not passed. A warning means that it is not
    /// checked.
    pub value_missing: Severity,
    /// Whether what the values at hand take out is looked at, too: names, layouts and kinds, as far as they need no
    /// value.
    pub looks_at_all: bool,
    /// Bounds on the work.
    pub limits: Limits,
}

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

    /// A list of data: items that are nothing vanish.
    fn resolve_list(&mut self, id: NodeId) -> Outcome {
        self.resolve_rest(id, &[])
    }

    /// Resolves a list of which some elements were resolved before. Nothing is resolved twice, which would
    /// double the work at each level of nesting.
    pub(crate) fn resolve_rest(&mut self, id: NodeId, resolved: &[Option<Outcome>]) -> Outcome {
        let (mut items, mut known, mut secrets) = (Items::default(), true, CollectedSecrets::default());
        for at in 0..self.tree.len(id) {
            let item = self.tree.items(id)[at];
            if self.is_dropped_null(item) {
                items.put(self.tree, id, at, None);
                continue;
            }
            let outcome = if let Some(&Some(outcome)) = resolved.get(at) {
                outcome
            } else {
                self.path.push(item);
                let outcome = self.resolve_child(id, item);
                self.path.pop();
                outcome
            };
            if outcome == Outcome::Poison && self.diagnostics.is_cancelled() {
                return Outcome::Poison;
            }
            known &= matches!(outcome, Outcome::Known(_) | Outcome::Omit(_));
            secrets.add(outcome);
            items.put(self.tree, id, at, outcome.written(item));
        }
        let changed = items.changed();
        let made = self.collection(id, known, changed, |tree, items, origin, style| tree.list(items, style, origin));
        self.with_secrets(made, secrets.found(), |tree, kept, found| {
            let mut items = tree.items(kept).to_vec();
            for &(at, value) in found {
                items[at] = value;
            }
            tree.list(&items, tree.style(kept), Origin::Generated(id, tree.frame_of(id)))
        })
    }

    /// A map of data: keys whose value is nothing are removed.
    fn resolve_map(&mut self, id: NodeId) -> Outcome {
        let (mut entries, mut known, mut secrets) = (Entries::default(), true, CollectedSecrets::default());
        for at in 0..self.tree.len(id) {
            let entry = self.tree.entry(id, at);
            if self.is_dropped_null(entry.value) {
                entries.put(self.tree, id, at, None);
                continue;
            }
            if self.is_left_loop(id, entry) {
                known = false;
                secrets.add(Outcome::Residual(entry.value));
                entries.put(self.tree, id, at, Some(entry.value));
                continue;
            }
            self.path.push(entry.key);
            let outcome = self.resolve_child(id, entry.value);
            self.path.pop();
            if outcome == Outcome::Poison && self.diagnostics.is_cancelled() {
                return Outcome::Poison;
            }
            known &= matches!(outcome, Outcome::Known(_) | Outcome::Omit(_));
            secrets.add(outcome);
            entries.put(self.tree, id, at, outcome.written(entry.value));
        }
        let changed = entries.changed();
        let made = self.collection(id, known, changed, |tree, entries, origin, style| tree.map(entries, style, origin));
        self.with_secrets(made, secrets.found(), |tree, kept, found| {
            let mut entries: Vec<Entry> = tree.entries(kept).collect();
            for &(at, value) in found {
                entries[at].value = value;
            }
            tree.map(&entries, tree.style(kept), Origin::Generated(id, tree.frame_of(id)))
        })
    }

    /// The outcome of a list or object of which everything is known, and some of it secret. `values` makes it with these
    /// values in their places.
    fn with_secrets(
        &mut self,
        kept: Outcome,
        found: &[(usize, NodeId)],
        values: impl FnOnce(&mut Tree, NodeId, &[(usize, NodeId)]) -> NodeId,
    ) -> Outcome {
        match kept {
            Outcome::Residual(kept) if !found.is_empty() => {
                Outcome::Secret { value: values(self.tree, kept, found), kept }
            }
            outcome => outcome,
        }
    }

    fn collection<T>(
        &mut self,
        id: NodeId,
        known: bool,
        changed: Option<&[T]>,
        make: impl FnOnce(&mut Tree, &[T], Origin, Style) -> NodeId,
    ) -> Outcome {
        let node = match changed {
            Some(changed) => {
                let origin = Origin::Generated(id, self.tree.frame_of(id));
                let style = self.tree.style(id);
                make(self.tree, changed, origin, style)
            }
            None => id,
        };
        if known { Outcome::Known(node) } else { Outcome::Residual(node) }
    }

    /// A loop that is left for CloudFormation stays as it is: its variable has no value here.
    pub(crate) fn is_left_loop(&self, map: NodeId, entry: Entry) -> bool {
        self.tree.has(map, flags::HAS_LOOP) && self.tree.loop_name(entry.key).is_some()
    }

    /// Whether the current node is part of the text of an `Fn::ToJsonString`.
    pub(crate) fn is_in_json(&self) -> bool {
        self.mode.nulls_are_data > 0
    }

    /// A null that a computed call returns is removed, with and without the language transform
    /// (reference/functions.md#no-value).
    fn without_yielded_null(&mut self, outcome: Outcome, call: NodeId) -> Outcome {
        match outcome {
            Outcome::Known(value) if self.mode.nulls_are_data == 0 && self.tree.kind(value) == Kind::Null => {
                Outcome::Omit(self.no_value(value, call))
            }
            outcome => outcome,
        }
    }

    /// The outcome of an argument that may be nothing: a branch of `Fn::If`, a default.
    pub(crate) fn resolve_optional(&mut self, node: NodeId, call: NodeId) -> Outcome {
        match self.resolve(node) {
            Outcome::Known(value) if self.is_dropped_null(value) => Outcome::Omit(self.no_value(value, call)),
            outcome => outcome,
        }
    }

    /// `Ref: AWS::NoValue` in the place of a null, in the spelling of the call around it.
    pub(crate) fn no_value(&mut self, null: NodeId, call: NodeId) -> NodeId {
        let frame = self.tree.frame_of(call);
        let origin = Origin::Generated(self.tree.authored(null), frame);
        let style = if self.tree.style(call) == Style::Tag { Style::Tag } else { Style::Plain };
        let name = self.tree.key(Known::Ref.long(), Style::Plain, origin);
        let target = self.tree.computed(PseudoParameter::NoValue.name(), origin);
        self.tree.add_call(Function::Known(Known::Ref), name, target, style, origin)
    }

    /// Explicit nulls are removed by the transform (reference/functions.md#no-value).
    pub(crate) fn is_dropped_null(&self, node: NodeId) -> bool {
        self.settings.language_extensions && self.mode.nulls_are_data == 0 && self.tree.kind(node) == Kind::Null
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

    /// The list of arguments of a call that stays: `AWS::NoValue` stays in it.
    pub(crate) fn argument_list(&mut self, list: NodeId, outcomes: &[Outcome]) -> NodeId {
        let mut items = Items::default();
        for at in 0..self.tree.len(list) {
            let original = self.tree.items(list)[at];
            items.put(self.tree, list, at, outcomes.get(at).map(|outcome| outcome.as_argument(original)));
        }
        items.changed().map_or(list, |items| self.list_like(list, items))
    }

    /// A list with these items in the place of `list`; itself when nothing changed.
    pub(crate) fn list_like(&mut self, list: NodeId, items: &[NodeId]) -> NodeId {
        if self.tree.items(list) == items {
            return list;
        }
        let origin = Origin::Generated(list, self.tree.frame_of(list));
        let style = self.tree.style(list);
        self.tree.list(items, style, origin)
    }

    /// A call that stays, with another argument.
    pub(crate) fn kept(&mut self, call: NodeId, argument: NodeId) -> NodeId {
        if self.tree.call(call).1 == argument {
            return call;
        }
        let frame = self.tree.frame_of(call);
        self.tree.call_like(call, argument, frame)
    }

    /// Text that a call yields, in its place.
    pub(crate) fn text_in_place(&mut self, text: &str, call: NodeId) -> Outcome {
        if !self.charge(text.len() as u64, call) {
            return Outcome::Poison;
        }
        let origin = Origin::Generated(call, self.tree.frame_of(call));
        Outcome::Known(self.tree.computed(text, origin))
    }

    /// The value of a parameter, in the place of a reference. What is below a list keeps its own
    /// place, behind a frame that names the parameter (reference/provenance.md#frames).
    pub(crate) fn argument_in_place(&mut self, name: Symbol, value: NodeId, call: NodeId) -> NodeId {
        let outer = self.tree.frame_of(call);
        if !matches!(self.tree.kind(value), Kind::List | Kind::Map) {
            return self.tree.stand_in(value, call, outer);
        }
        let (site, item) = (self.tree.span(call), self.tree.span(value));
        let record = FrameRecord::new(outer, FrameKind::Argument, site, name);
        let frame = self.tree.frames_mut().push(FrameRecord { item, ..record });
        self.tree.stand_in(value, call, frame)
    }

    /// The value of something, in the place of a call.
    pub(crate) fn value_in_place(&mut self, value: NodeId, call: NodeId) -> NodeId {
        let frame = self.tree.frame_of(call);
        self.tree.stand_in(value, call, frame)
    }

    /// Accounts for a text of a loop before it is made; false when a limit is exceeded, which is
    /// reported. Short ones are bound by the number of iterations.
    pub fn charge_text(&mut self, bytes: u64, at: NodeId) -> bool {
        self.is_short(bytes) || self.charge(bytes, at)
    }

    /// Whether a text of a loop with so many bytes need not be accounted for.
    pub fn is_short(&self, bytes: u64) -> bool {
        const SHORT: u64 = 4096;
        bytes <= SHORT
    }

    /// Accounts for a computed string before it is created; false when a limit is exceeded.
    pub(crate) fn charge(&mut self, bytes: u64, at: NodeId) -> bool {
        let limits = self.settings.limits;
        let total = self.spent.text_bytes.saturating_add(bytes);
        if bytes <= limits.text_bytes && total <= limits.total_text_bytes {
            self.spent.text_bytes = total;
            return true;
        }
        let (what, limit) = if bytes > limits.text_bytes {
            ("a computed string is too large", limits.text_bytes)
        } else {
            ("the computed strings are too large in total", limits.total_text_bytes)
        };
        let span = self.tree.span(at);
        let diagnostic = Diagnostic::new(codes::LIMIT, format!("{what}: the limit of {limit} bytes is exceeded"))
            .at(span)
            .note("a template has at most 1 MB; the limit prevents hostile input from exhausting memory");
        self.report_always(diagnostic);
        false
    }

    /// Accounts for the elements of a list before a function generates or compares them; false when a limit
    /// is exceeded.
    pub(crate) fn charge_elements(&mut self, count: usize, at: NodeId) -> bool {
        let limit = self.settings.limits.nodes as u64;
        let total = self.spent.elements.saturating_add(count as u64);
        if total <= limit {
            self.spent.elements = total;
            return true;
        }
        let message = format!("functions generate too many list elements: the limit of {limit} is exceeded");
        let diagnostic = Diagnostic::new(codes::LIMIT, message)
            .at(self.tree.span(at))
            .note("the limit prevents hostile input from exhausting memory")
            .help("generate the list once and refer to it");
        self.report_always(diagnostic);
        false
    }

    /// Reports an error, with the contexts that lead to it.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if self.mode.silent == 0 {
            self.report_always(diagnostic);
        } else {
            self.faults += 1;
        }
    }

    fn report_always(&mut self, diagnostic: Diagnostic) {
        self.faults += 1;
        let frames = self.tree.frame_chain(self.frame);
        let path = self.path_text();
        let diagnostic = diagnostic.frames(frames);
        self.diagnostics.push(if path.is_empty() { diagnostic } else { diagnostic.path(path) });
    }

    /// A call that cannot be computed: an error, or kept where it may never be looked at.
    pub(crate) fn fail(&mut self, call: NodeId, diagnostic: Diagnostic) -> Outcome {
        if self.mode.lenient > 0 {
            if !self.failed.contains(&call) {
                self.failed.push(call);
            }
            return Outcome::Residual(call);
        }
        self.report(diagnostic);
        Outcome::Poison
    }

    /// The same for a call whose arguments are known as far as they can be: where it stays, it stays as `kept`.
    pub(crate) fn fail_as(&mut self, call: NodeId, kept: NodeId, diagnostic: Diagnostic) -> Outcome {
        match self.fail(call, diagnostic) {
            Outcome::Residual(_) => Outcome::Residual(kept),
            outcome => outcome,
        }
    }

    /// A call of the wrong shape: always an error.
    pub(crate) fn wrong(&mut self, diagnostic: Diagnostic) -> Outcome {
        self.report(diagnostic);
        Outcome::Poison
    }

    /// An error of a function at its node.
    pub(crate) fn fault(&self, code: Code, at: NodeId, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).at(self.tree.span(at))
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

    fn path_text(&self) -> String {
        let mut text = String::new();
        for &step in &self.path {
            if self.tree.kind(step) == Kind::Key {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(&formwork_syntax::document::shown(self.tree.text(step)));
            }
        }
        text
    }

    /// Whether `Ref` or `Fn::Sub` of this name means something in the template.
    pub(crate) fn names_something(&self, name: &str) -> bool {
        let Some(name) = self.tree.symbols().get(name) else { return false };
        let written = self.tree.get(self.template.root, formwork_syntax::symbol::RESOURCES);
        let mut resources = written.into_iter().chain(self.resource.section);
        self.parameters.get(name).is_some() || resources.any(|node| self.tree.get(node, name).is_some())
    }

    /// Whether the node is `{"Ref": "AWS::NoValue"}`.
    pub fn is_no_value(&self, node: NodeId) -> bool {
        self.tree
            .argument_of(node, Known::Ref)
            .is_some_and(|name| matches!(self.tree.view(name), View::String("AWS::NoValue")))
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

    /// Reports an error in the current context.
    pub fn report_here(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
    }

    /// As [`Evaluator::set_conditions`], without reporting anything.
    pub fn set_conditions_quietly(&mut self, section: Option<NodeId>) {
        self.mode.silent += 1;
        self.set_conditions(section);
        self.mode.silent -= 1;
    }
}
