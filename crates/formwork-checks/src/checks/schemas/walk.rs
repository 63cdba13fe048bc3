//! The state of the walk through the properties of resources in `value`.

use std::ops::Range;

use formwork_base::suggest::slip;
use formwork_base::{Code, Diagnostic, Frame, Goal, Severities, Severity, SourceMap, Span};
use formwork_schemas::{ResourceType, Schemas};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Function, NodeId, Tree, View, symbol};
use formwork_template::{PseudoParameter, Template, artifact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::parameter_values::ParameterValues;
use super::step::Step;
use super::words;
use crate::Context;

#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) node: NodeId,
    /// The key of the value; `None` for elements of lists and branches of `Fn::If`.
    pub(super) key: Option<NodeId>,
}

/// Facts about the run.
#[derive(Clone, Copy)]
struct Setting<'w> {
    goal: Goal,
    /// The Region that was passed.
    region: Option<&'w str>,
}

/// Limit of searches for near names in a run.
const MOST_SUGGESTIONS: u32 = 2_000;

pub(super) struct Walk<'w> {
    pub(super) tree: &'w Tree,
    pub(super) sources: &'w SourceMap,
    pub(super) template: &'w Template,
    pub(super) schemas: &'w Schemas,
    /// The Resources section with its loops expanded.
    pub(super) resources: Option<NodeId>,
    setting: Setting<'w>,
    pub(super) id: NodeId,
    pub(super) resource: Option<ResourceType<'w>>,
    pub(super) path: Vec<Step<'w>>,
    /// Contexts around the value, outermost first.
    pub(super) contexts: Vec<FrameId>,
    /// Places of the values around it, outermost first.
    pub(super) around: Vec<Span>,
    /// Checked authored values, with the node of the schema and the type, and the range of their findings.
    pub(super) done: FxHashMap<(NodeId, u32, &'w str), Range<usize>>,
    pub(super) values: ParameterValues<'w>,
    /// Keys of objects that are meant to be calls.
    pub(super) misspelt: FxHashSet<Span>,
    /// Intended names of misspelt keys by object: they are not missing.
    pub(super) meant: FxHashMap<NodeId, Vec<&'w str>>,
    /// Keys that were reported as misspelt, whatever the alternative is.
    pub(super) slipped: FxHashSet<Span>,
    pub(super) unknown: FxHashSet<Span>,
    /// Set while a kind of `Globals` is checked instead of a resource.
    pub(super) is_global: bool,
    /// Remaining searches for near names.
    suggestions: u32,
    pub(super) found: Vec<(Diagnostic, Severity)>,
}

impl<'w> Walk<'w> {
    pub(super) fn new<'c: 'w>(cx: &Context<'c>, schemas: &'w Schemas) -> Walk<'w> {
        Walk {
            tree: cx.tree,
            sources: cx.sources,
            template: cx.template,
            schemas,
            resources: cx.tree.get(cx.unrolled, symbol::RESOURCES),
            setting: Setting { goal: cx.goal, region: None },
            id: cx.template.root,
            resource: None,
            path: Vec::new(),
            contexts: Vec::new(),
            around: Vec::new(),
            done: FxHashMap::default(),
            values: ParameterValues::default(),
            misspelt: FxHashSet::default(),
            meant: FxHashMap::default(),
            slipped: FxHashSet::default(),
            unknown: FxHashSet::default(),
            is_global: false,
            suggestions: MOST_SUGGESTIONS,
            found: Vec::new(),
        }
    }

    pub(super) fn in_region(self, region: Option<&'w str>) -> Walk<'w> {
        Walk { setting: Setting { region, ..self.setting }, ..self }
    }

    pub(super) fn region(&self) -> Option<&'w str> {
        self.setting.region
    }

    pub(super) fn finish(self) -> Vec<(Diagnostic, Severity)> {
        self.found
    }

    /// Begins a resource, or a kind of `Globals`.
    pub(super) fn begin(&mut self, key: NodeId, known: ResourceType<'w>) {
        self.begin_in(key, known, self.tree.frame_of(key));
    }

    pub(super) fn begin_in(&mut self, key: NodeId, known: ResourceType<'w>, frame: FrameId) {
        self.id = key;
        self.resource = Some(known);
        self.path.clear();
        self.contexts.clear();
        self.contexts.push(frame);
    }

    /// Returns `true` if less is checked (reference/schemas.md#serverless).
    pub(super) fn is_serverless(&self) -> bool {
        self.resource.is_some_and(|resource| resource.is_serverless())
    }

    /// Returns the name that a misspelt one is near to. The number of searches is limited, for hostile templates.
    pub(super) fn near<'n>(&mut self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        self.suggestions = self.suggestions.checked_sub(1)?;
        if !name.contains(['_', '-']) {
            return slip(name, names);
        }
        // `topic_name` for `TopicName`: a name without its separators is equal up to letter case.
        let (names, joined): (Vec<&'n str>, String) = (names.into_iter().collect(), name.replace(['_', '-'], ""));
        slip(name, names.iter().copied()).or_else(|| names.into_iter().find(|one| one.eq_ignore_ascii_case(&joined)))
    }

    /// Returns `true` if the value at this path may be the path of a local file, whatever the schema has.
    pub(super) fn is_artifact(&self) -> bool {
        let Some(resource) = self.resource else { return false };
        artifact::of_type(resource.name()).any(|artifact| {
            let names = artifact.property.iter().copied();
            names.clone().count() == self.path.len()
                && names.zip(&self.path).all(|(name, step)| match step {
                    Step::Key(key) => name == "*" || name == *key,
                    Step::Element(_) => name == "*",
                })
        })
    }

    /// Returns `true` for null and `AWS::NoValue`.
    pub(super) fn is_nothing(&self, node: NodeId) -> bool {
        match self.tree.view(node) {
            View::Null => true,
            View::Call(Function::Known(Known::Ref), name) => {
                self.tree.string(name) == Some(PseudoParameter::NoValue.name())
            }
            _ => false,
        }
    }

    /// Returns `true` if an object can be checked: it is not a call, and contains nothing that adds, changes or removes
    /// entries.
    pub(super) fn is_plain_object(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let mut entries = tree.entries(node);
        if entries.len() == 1
            && let Some(only) = entries.next()
        {
            let name = tree.text(only.key);
            let is_foreign = name.contains("::") && !name.starts_with("AWS::") && !name.starts_with("aws:");
            // Some types have a property `Condition` with an object.
            let is_condition = name == "Condition" && !matches!(tree.view(only.value), View::Map);
            let is_call = name == "Ref" || is_condition || self.misspelt.contains(&tree.span(only.key));
            if is_foreign || is_call {
                return false;
            }
        }
        // A function with another key beside it is reported as such.
        tree.entries(node).all(|entry| {
            let name = tree.text(entry.key);
            !(name.starts_with("Fn::") || name == "Ref" && tree.string(entry.value).is_some())
        })
    }

    /// Returns the place of an object or a list: its key, or its first token.
    pub(super) fn place(&self, at: At) -> Span {
        let tree = self.tree;
        if let Some(key) = at.key {
            return tree.span(key);
        }
        let span = tree.span(at.node);
        if self.sources.slice(span).starts_with(['{', '[']) {
            return Span::new(span.start(), span.start() + 1);
        }
        match tree.view(at.node) {
            View::Map => tree.entries(at.node).next().map_or(span, |entry| tree.span(entry.key)),
            View::List(items) => items.first().map_or(span, |&first| tree.span(first)),
            _ => span,
        }
    }

    /// Adds a finding. `subject` distinguishes it at its place.
    pub(super) fn push(&mut self, diagnostic: Diagnostic, severity: Severity, subject: &str) {
        // A value from the command line is not in a file: the call that returns it is.
        let diagnostic = match self.around.last() {
            Some(&around) if diagnostic.span().is_none() => diagnostic.at(around),
            _ => diagnostic,
        };
        let id = self.tree.text(self.id);
        let path = if self.is_global { words::global_path(id, &self.path) } else { words::full_path(id, &self.path) };
        let diagnostic = diagnostic.frames(self.frames()).path(path).subject(format!("{}{subject}", severity.name()));
        self.found.push((diagnostic, severity));
    }

    pub(super) fn error(&self) -> Option<Severity> {
        if self.is_serverless() { self.warning() } else { Severities::Thorough.at(self.setting.goal) }
    }

    pub(super) fn hard_error(&self) -> Option<Severity> {
        Severities::Thorough.at(self.setting.goal)
    }

    pub(super) fn warning(&self) -> Option<Severity> {
        Severities::ThoroughDoubt.at(self.setting.goal)
    }

    pub(super) fn note(&self) -> Option<Severity> {
        Severities::Remark.at(self.setting.goal)
    }

    /// Returns the severity of a code, unless its type lowers it.
    pub(super) fn severity_of(&self, code: Code) -> Option<Severity> {
        code.info().severities.at(self.setting.goal)
    }

    fn frames(&self) -> Vec<Frame> {
        self.joined(self.contexts.iter().copied())
    }

    pub(super) fn frames_around(&self, node: NodeId) -> Vec<Frame> {
        self.joined(self.contexts.iter().copied().chain([self.tree.frame_of(node)]))
    }

    /// Joins contexts, outermost first: absolute ones replace those around them.
    fn joined(&self, contexts: impl Iterator<Item = FrameId>) -> Vec<Frame> {
        let frames = self.tree.frames();
        let mut all: Vec<Frame> = Vec::new();
        for context in contexts.filter(|context| !context.is_none()) {
            if !frames.is_relative(context) {
                all.clear();
            }
            all.extend(self.tree.frame_chain(context));
        }
        all
    }

    pub(super) fn known_as_of(&self) -> String {
        let date = self.schemas.date();
        let name = self.resource.map_or("", |resource| resource.name());
        match date {
            Some(date) if !self.resource.is_some_and(|resource| resource.is_own()) => {
                format!("known as of {date}; `formwork schemas {name}` lists the properties")
            }
            _ => format!("`formwork schemas {name}` lists the properties"),
        }
    }
}
