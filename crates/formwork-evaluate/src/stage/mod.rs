//! Evaluating a whole template whose loops are expanded: the stage between expansion and checks.
//!
//! The treatment of a node depends on `--values` (reference/values.md#modes): checked and left alone, its constructs
//! computed, or everything computed.

mod attributes;
mod constructs;
mod pinned;

use formwork_base::{Diagnostic, FrameKind, IdSet, codes};
use formwork_syntax::function::Known;
use formwork_syntax::tree::rewritten::Entries;
use formwork_syntax::{Entry, Kind, NodeId, Origin, View, flags, symbol};
use formwork_template::{
    Section,
    template::{FORMWORK, LANGUAGE_EXTENSIONS, transform_name},
};

use rustc_hash::FxHashSet;

use self::attributes::ConditionAttribute;
use crate::condition_table::Truth;
use crate::evaluator::{Evaluator, Resource};
use crate::outcome::Outcome;
use crate::settings::{Values, Visibility};

pub use pinned::{Kept, PinReason, PinnedParameter};

/// The treatment of the functions of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Check them, and keep them.
    Check,
    /// Compute those that plain CloudFormation does not have.
    Constructs,
    All,
}

/// An evaluated template.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated {
    /// Root of the template.
    pub root: NodeId,
    /// Set if a node in it still needs `AWS::LanguageExtensions`.
    pub needs_transform: bool,
}

/// A resource or output that was evaluated with other values than those of its run.
#[derive(Clone, Copy, Debug)]
pub struct MemberAgain {
    /// The evaluated node; its `Condition` is kept where it is not decided. `None` where it does not exist.
    pub node: Option<NodeId>,
    /// Set if it has an error with these values.
    pub is_refused: bool,
}

impl Evaluator<'_> {
    /// Evaluates the template with this root, whose conditions were set before.
    pub fn run(&mut self, root: NodeId) -> Evaluated {
        self.run_without(root, |_, _| IdSet::default())
    }

    /// Evaluates the template without the conditions whose keys `left_out` returns for the evaluated sections: they are
    /// in no output, and the transform does not stay for them.
    pub fn run_without(
        &mut self,
        root: NodeId,
        left_out: impl Fn(&formwork_syntax::Tree, &[Entry]) -> IdSet<NodeId>,
    ) -> Evaluated {
        let mut notes = pinned::Notes::default();
        self.resource.section = self.tree.get(root, symbol::RESOURCES);
        let mut entries: Vec<Entry> = Vec::with_capacity(self.tree.len(root));
        let mut needs_transform = false;
        for entry in self.tree.entries(root).collect::<Vec<_>>() {
            let section = Section::from_symbol(self.tree.symbol(entry.key)).filter(|section| section.is_processed());
            let Some(section) = section.filter(|_| self.tree.kind(entry.value) == Kind::Map) else {
                // The serverless transform moves these into resources.
                if self.tree.symbol(entry.key) == symbol::GLOBALS && self.template.is_serverless() {
                    self.path.push(entry.key);
                    self.look_at_unused(entry.value);
                    self.path.pop();
                }
                entries.push(entry);
                continue;
            };
            self.path.push(entry.key);
            let value = self.section(section, entry.value, &mut notes);
            self.path.pop();
            // An entry that expansion emptied is removed, but Resources stays (section 3).
            let emptied = self.tree.is_empty(value) && self.tree.is_generated(value) && section != Section::Resources;
            if !emptied {
                needs_transform |= section != Section::Conditions && self.needs_transform(value);
                entries.push(Entry { key: entry.key, value });
            }
        }
        if let Some(entry) = entries.iter().find(|entry| self.tree.symbol(entry.key) == symbol::CONDITIONS)
            && self.needs_transform(entry.value)
        {
            let left_out = left_out(self.tree, &entries);
            let mut conditions = self.tree.entries(entry.value).filter(|entry| !left_out.contains(&entry.key));
            needs_transform |=
                conditions.any(|entry| self.tree.loop_name(entry.key).is_some() || self.needs_transform(entry.value));
        }
        self.forget_failures_elsewhere(&entries);
        needs_transform |=
            notes.attributes_kept || !self.failed.is_empty() && self.work(Section::Resources) == Work::Constructs;
        if self.settings.language_extensions && !needs_transform {
            self.remove_transform(&mut entries, LANGUAGE_EXTENSIONS);
        }
        self.remove_transform(&mut entries, FORMWORK);
        let root = if entries.iter().copied().eq(self.tree.entries(root)) {
            root
        } else {
            let style = self.tree.style(root);
            self.tree.map(&entries, style, Origin::Generated(root, formwork_syntax::FrameId::NONE))
        };
        self.report_notes(&notes, needs_transform);
        Evaluated { root, needs_transform }
    }

    fn needs_transform(&self, node: NodeId) -> bool {
        self.tree.has(node, flags::HAS_CONSTRUCT | flags::HAS_LOOP)
    }

    /// Keeps only the failed calls that are left in the output.
    fn forget_failures_elsewhere(&mut self, sections: &[Entry]) {
        if self.failed.is_empty() {
            return;
        }
        let mut left: IdSet<NodeId> = self.failed.iter().map(|&call| self.tree.authored(call)).collect();
        let mut pending: Vec<NodeId> = sections.iter().map(|entry| entry.value).collect();
        let (mut seen, mut found) = (FxHashSet::default(), FxHashSet::default());
        while let Some(node) = pending.pop().filter(|_| !left.is_empty()) {
            if !self.tree.has(node, flags::HAS_CALL) || !seen.insert(node) {
                continue;
            }
            match self.tree.view(node) {
                View::List(items) => pending.extend(items),
                View::Map => pending.extend(self.tree.entries(node).map(|entry| entry.value)),
                View::Call(_, argument) => {
                    let authored = self.tree.authored(node);
                    if left.remove(&authored) {
                        found.insert(authored);
                    }
                    pending.push(argument);
                }
                _ => {}
            }
        }
        let failed = std::mem::take(&mut self.failed);
        self.failed = failed.into_iter().filter(|&call| found.contains(&self.tree.authored(call))).collect();
    }

    fn work(&self, section: Section) -> Work {
        match (self.settings.values, self.settings.language_extensions) {
            (Values::Keep | Values::Pin, true) => Work::Constructs,
            (Values::All | Values::Resolve, true) => Work::All,
            (Values::Resolve, false) if section != Section::Conditions => Work::All,
            (_, false) => Work::Check,
        }
    }

    fn section(&mut self, section: Section, node: NodeId, notes: &mut pinned::Notes) -> NodeId {
        let work = self.work(section);
        let mut entries: Vec<Entry> = Vec::with_capacity(self.tree.len(node));
        let mut changed = false;
        for at in 0..self.tree.len(node) {
            if self.diagnostics.is_cancelled() {
                break;
            }
            let entry = self.tree.entry(node, at);
            if self.is_left_loop(node, entry) {
                entries.push(entry);
                continue;
            }
            self.path.push(entry.key);
            let outer = self.enter(entry.key);
            let value = match section {
                Section::Conditions => self.condition_member(work, entry, notes),
                _ => self.member(work, section, entry, notes),
            };
            self.frame = outer;
            self.path.pop();
            changed |= value != Some(entry.value);
            entries.extend(value.map(|value| Entry { key: entry.key, value }));
        }
        if !changed {
            return node;
        }
        let style = self.tree.style(node);
        let origin = Origin::Generated(node, self.tree.frame_of(node));
        self.tree.map(&entries, style, origin)
    }

    fn condition_member(&mut self, work: Work, entry: Entry, notes: &mut pinned::Notes) -> Option<NodeId> {
        if self.tree.kind(entry.value) == Kind::Null {
            return Some(entry.value);
        }
        let outer = self.enter(entry.value);
        // The result of a macro is not known here.
        let is_macro = self.tree.symbol(entry.key) == symbol::FN_TRANSFORM
            || self.tree.argument_of(entry.value, Known::Transform).is_some();
        if !is_macro && !self.is_reported_in_loop(entry) {
            self.check_boolean(entry.value);
        }
        let value = match work {
            Work::All => {
                let outcome = self.with_visibility(Visibility::Full, |ev| ev.resolve_condition(entry.value));
                Some(outcome.as_argument(entry.value))
            }
            work => {
                self.with_visibility(Visibility::Constant, |ev| ev.resolve_condition(entry.value));
                if work == Work::Constructs && self.tree.has(entry.value, flags::HAS_CONSTRUCT) {
                    self.mode.silent += 1;
                    let value = self.compute_constructs(entry.value, notes).unwrap_or(entry.value);
                    self.mode.silent -= 1;
                    Some(value)
                } else {
                    Some(entry.value)
                }
            }
        };
        self.frame = outer;
        value
    }

    /// Returns `true` if a condition is neither a call nor an object in the fragment of a loop, which was reported
    /// there.
    fn is_reported_in_loop(&self, entry: Entry) -> bool {
        let mut frames = self.tree.frames().chain(self.tree.frame_of(entry.key));
        let is_in_loop = frames.next().is_some_and(|(_, record)| record.kind != FrameKind::Module);
        is_in_loop && !matches!(self.tree.kind(self.tree.authored(entry.value)), Kind::Call | Kind::Map)
    }

    /// Evaluates a resource or output. `None` when it does not exist under the values of a `resolve`.
    fn member(&mut self, work: Work, section: Section, entry: Entry, notes: &mut pinned::Notes) -> Option<NodeId> {
        let node = entry.value;
        if self.tree.kind(node) != Kind::Map {
            return if self.settings.values == Values::Resolve && work == Work::All {
                let outcome = self.with_visibility(Visibility::Full, |ev| ev.resolve(node));
                outcome.written(node).or(Some(node))
            } else {
                self.value(work, node, notes).or(Some(node))
            };
        }
        let kind = self.tree.get(node, symbol::TYPE).filter(|&kind| self.tree.kind(kind) == Kind::String);
        self.resource = Resource { id: Some(entry.key), kind, ..self.resource };
        let outer = self.enter(node);
        let condition = self.condition_of(work, node, notes);
        let truth = self.presence(condition);
        let gone = truth == Truth::False && self.settings.values == Values::Resolve;
        let result = if gone {
            self.look_at_absent(section, node);
            None
        } else {
            self.mode.lenient += u32::from(truth != Truth::True);
            let result = self.attributes(work, section, entry, condition, truth, notes);
            self.mode.lenient -= u32::from(truth != Truth::True);
            Some(result)
        };
        self.frame = outer;
        self.resource = Resource { id: None, kind: None, ..self.resource };
        result
    }

    /// Checks a resource or output that does not exist under the values at hand as far as it needs no value.
    fn look_at_absent(&mut self, section: Section, node: NodeId) {
        for entry in self.tree.entries(node).collect::<Vec<_>>() {
            let name = self.tree.symbol(entry.key);
            let is_value = section == Section::Resources && name != symbol::TYPE || section == Section::Outputs;
            if name == symbol::CONDITION || !is_value || self.is_left_loop(node, entry) {
                continue;
            }
            self.path.push(entry.key);
            self.look_at_unused(entry.value);
            self.path.pop();
        }
    }

    /// Returns the truth of the existence of a resource or output under this condition. A condition counts as unknown
    /// if values are out of visibility.
    fn presence(&mut self, condition: Option<ConditionAttribute>) -> Truth {
        let name = match condition {
            None | Some(ConditionAttribute::Nothing) => return Truth::True,
            Some(ConditionAttribute::Open(_)) => return Truth::Unknown,
            Some(ConditionAttribute::Named(name)) => name,
        };
        if !matches!(self.settings.values, Values::All | Values::Resolve) {
            return Truth::Unknown;
        }
        let text = self.tree.text(name).to_owned();
        match self.condition(&text) {
            Some(truth @ (Truth::True | Truth::False)) => truth,
            _ => Truth::Unknown,
        }
    }

    fn attributes(
        &mut self,
        work: Work,
        section: Section,
        member: Entry,
        condition: Option<ConditionAttribute>,
        truth: Truth,
        notes: &mut pinned::Notes,
    ) -> NodeId {
        let node = member.value;
        let mut entries = Entries::default();
        for at in 0..self.tree.len(node) {
            let entry = self.tree.entry(node, at);
            let name = self.tree.symbol(entry.key);
            self.path.push(entry.key);
            let value = if self.tree.kind(entry.value) == Kind::Null {
                (!self.settings.language_extensions).then_some(entry.value)
            } else if name == symbol::CONDITION {
                match condition {
                    // A true condition is not needed any more.
                    _ if self.settings.values == Values::Resolve && truth == Truth::True => None,
                    Some(condition) => condition.written(),
                    None => None,
                }
            } else if section == Section::Resources {
                self.resource_attribute(work, name, entry.value, notes)
            } else {
                self.output_attribute(work, name, member, entry.value, notes)
            };
            self.path.pop();
            entries.put(self.tree, node, at, value);
        }
        let Some(entries) = entries.changed() else { return node };
        let style = self.tree.style(node);
        let origin = Origin::Generated(node, self.tree.frame_of(node));
        self.tree.map(entries, style, origin)
    }

    fn output_attribute(
        &mut self,
        work: Work,
        name: formwork_syntax::Symbol,
        member: Entry,
        node: NodeId,
        notes: &mut pinned::Notes,
    ) -> Option<NodeId> {
        // Plain CloudFormation accepts only a string.
        if name == symbol::DESCRIPTION && self.settings.language_extensions && self.tree.kind(node) == Kind::Call {
            return self.literal_attribute(work, "Description", node, notes);
        }
        let value = self.value(work, node, notes);
        if value.is_some() || name != symbol::VALUE {
            return value;
        }
        // Below a condition that is not known to be true it may never be evaluated.
        if self.mode.lenient == 0 {
            let id = formwork_base::display::shown(self.tree.text(member.key));
            self.report(
                Diagnostic::new(
                    codes::OUTPUT_WITHOUT_VALUE,
                    format!("the value of output {id} is AWS::NoValue: `Template format error: Every Outputs member must contain a Value object`"),
                )
                .at(self.tree.span(node))
                .help("add a Condition to the output"),
            );
        }
        Some(node)
    }

    /// Treats the functions in a value as `work` selects; `None` for `AWS::NoValue`.
    fn value(&mut self, work: Work, node: NodeId, notes: &mut pinned::Notes) -> Option<NodeId> {
        match work {
            Work::Check => {
                self.with_visibility(Visibility::Constant, |ev| ev.check(node));
                Some(node)
            }
            Work::Constructs => self.compute_constructs(node, notes),
            Work::All => self.with_visibility(Visibility::Full, |ev| ev.resolve(node)).written(node),
        }
    }

    /// Removes `AWS::LanguageExtensions` from Transform, which keeps its form (section 15, rule 8).
    fn remove_transform(&mut self, entries: &mut Vec<Entry>, name: &str) {
        let Some(at) = entries.iter().position(|entry| self.tree.symbol(entry.key) == symbol::TRANSFORM) else {
            return;
        };
        let node = entries[at].value;
        let is_ours = |node: NodeId| transform_name(self.tree, node) == Some(name);
        if is_ours(node) {
            entries.remove(at);
            return;
        }
        let items = self.tree.items(node);
        let left: Vec<NodeId> = items.iter().copied().filter(|&item| !is_ours(item)).collect();
        if left.len() == items.len() {
            return;
        }
        if left.is_empty() {
            entries.remove(at);
        } else {
            entries[at].value = self.list_like(node, &left);
        }
    }

    /// Evaluates a single node of a section again, without reporting anything; `None` for `AWS::NoValue`. Calls that
    /// fail stay.
    pub fn value_again(&mut self, section: Section, node: NodeId) -> Option<NodeId> {
        self.mode.silent += 1;
        self.mode.lenient += 1;
        let failed = self.failed.len();
        let work = self.work(section);
        let value = match (section, work) {
            (Section::Conditions, Work::All) if self.tree.kind(node) == Kind::Call => {
                self.with_visibility(Visibility::Full, |ev| ev.resolve(node)).written(node)
            }
            (Section::Conditions | Section::Resources | Section::Outputs, work) => {
                self.value(work, node, &mut pinned::Notes::default())
            }
            _ => Some(node),
        };
        self.failed.truncate(failed);
        self.mode.lenient -= 1;
        self.mode.silent -= 1;
        value
    }

    /// Evaluates a resource or output of the expanded template with the values at hand, without reporting anything.
    pub fn member_again(&mut self, section: Section, entry: Entry) -> MemberAgain {
        self.mode.silent += 1;
        let (errors, failed) = (self.mode.errors, self.failed.len());
        let node = self.member(self.work(section), section, entry, &mut pinned::Notes::default());
        self.failed.truncate(failed);
        self.mode.silent -= 1;
        MemberAgain { node, is_refused: self.mode.errors != errors }
    }

    /// Returns a value as a string if it is known, without reporting anything.
    pub fn known_text(&mut self, node: NodeId) -> Option<String> {
        match self.resolve_silently(node) {
            Outcome::Known(value) => self.tree.string(value).map(str::to_owned),
            _ => None,
        }
    }
}
