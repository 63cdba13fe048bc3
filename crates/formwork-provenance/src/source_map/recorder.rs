//! Records the places of nodes in the output.

use std::hash::{Hash, Hasher};

use formwork_base::{FileId, FrameKind, IdMap, SourceMap, Span};
use formwork_evaluate::Values;
use formwork_syntax::function::Known;
use formwork_syntax::tree::Frames;
use formwork_syntax::write::{self, Part, Sink};
use formwork_syntax::{Document, Format, FrameId, Function, Kind, NodeId, Tree};
use rustc_hash::{FxHashMap, FxHasher};

use super::rows::Row;
use crate::authored::{Authored, is_chooser};
use crate::form::{self, Form};
use crate::origin::Rule;
use crate::session::Session;

#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) segment: u32,
    pub(super) frame: FrameId,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) section: NodeId,
    pub(super) key: NodeId,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// The places of nodes in an output.
#[derive(Debug)]
pub struct Recorded {
    pub(super) uses: Vec<Use>,
    pub(super) rows: Vec<Row>,
    /// The end of each segment in `rows`.
    pub(super) segments: Vec<u32>,
    pub(super) members: Vec<Member>,
    /// The contexts, with those that were joined while recording.
    pub(super) frames: Frames,
}

/// Records the places of nodes while the output is written. See [`super`].
pub struct Recorder<'r> {
    tree: &'r Tree,
    sources: &'r SourceMap,
    authored: &'r Authored,
    /// Returns whether a loop's variable is at or below an authored node.
    is_touched: &'r dyn Fn(NodeId) -> bool,
    values: Values,
    frames: Frames,
    joined: IdMap<(FrameId, FrameId), FrameId>,
    /// The innermost link of each joined context.
    own: IdMap<FrameId, FrameId>,
    sections: Vec<Option<NodeId>>,
    members: Vec<Member>,
    /// Calls that may return an argument and were written, with the context of the last time.
    written: IdMap<NodeId, FrameId>,
    steady: IdMap<NodeId, bool>,
    current: Current,
    uses: Vec<Use>,
    rows: Vec<Row>,
    segments: Vec<u32>,
    by_hash: FxHashMap<u64, Vec<u32>>,
}

#[derive(Default)]
struct Current {
    line: u32,
    column: u32,
    frame: FrameId,
    file: Option<FileId>,
    range: Span,
    has_made_item: bool,
    rows: Vec<Row>,
    /// Set if the last row is of a mapping or list, which yields to a row at the same place.
    yields: bool,
    last_key: Option<NodeId>,
    last_call: Option<NodeId>,
}

impl<'r> Recorder<'r> {
    /// Creates a recorder for the template with the root `result`, evaluated with `values`.
    pub fn new(
        tree: &'r Tree,
        sources: &'r SourceMap,
        authored: &'r Authored,
        is_touched: &'r dyn Fn(NodeId) -> bool,
        values: Values,
        result: NodeId,
    ) -> Recorder<'r> {
        let mut sections = vec![None; tree.node_count() + 1];
        for section in tree.entries(result) {
            for member in tree.entries(section.value) {
                sections[member.key.index()] = Some(section.key);
            }
        }
        Recorder {
            tree,
            sources,
            authored,
            is_touched,
            values,
            frames: tree.frames().clone(),
            joined: IdMap::default(),
            own: IdMap::default(),
            sections,
            members: Vec::new(),
            written: IdMap::default(),
            steady: IdMap::default(),
            current: Current::default(),
            uses: Vec::new(),
            rows: Vec::new(),
            segments: Vec::new(),
            by_hash: FxHashMap::default(),
        }
    }

    /// Returns the recorded places.
    pub fn finish(mut self) -> Recorded {
        self.flush();
        Recorded {
            uses: self.uses,
            rows: self.rows,
            segments: self.segments,
            members: self.members,
            frames: self.frames,
        }
    }

    fn flush(&mut self) {
        if self.current.rows.is_empty() {
            return;
        }
        let mut hasher = FxHasher::default();
        self.current.rows.hash(&mut hasher);
        let known = self.by_hash.entry(hasher.finish()).or_default();
        let range = |segment: u32| {
            let start = (segment as usize).checked_sub(1).map_or(0, |before| self.segments[before]);
            start as usize..self.segments[segment as usize] as usize
        };
        let same = known.iter().copied().find(|&segment| self.rows[range(segment)] == self.current.rows);
        let segment = same.unwrap_or_else(|| {
            let number = self.segments.len() as u32;
            known.push(number);
            self.rows.extend_from_slice(&self.current.rows);
            self.segments.push(self.rows.len() as u32);
            number
        });
        let Current { line, column, frame, .. } = self.current;
        self.uses.push(Use { line, column, segment, frame });
        self.current.rows.clear();
    }

    fn place_span(&self, node: NodeId) -> Span {
        let span = self.tree.span(node);
        if !span.is_none() {
            return span;
        }
        self.frames.get(self.tree.frame_of(node)).map_or(span, |record| record.site)
    }

    /// Returns `true` if the sources of an authored node are the same in all iterations: they do not depend on a loop's
    /// variable.
    fn is_steady(&mut self, site: NodeId) -> bool {
        if let Some(&known) = self.steady.get(&site) {
            return known;
        }
        let steady = self.find_steady(site);
        self.steady.insert(site, steady);
        steady
    }

    fn find_steady(&self, node: NodeId) -> bool {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::List => tree.items(node).iter().all(|&item| self.find_steady(item)),
            Kind::Map => tree.entries(node).all(|entry| self.find_steady(entry.value)),
            Kind::Call => {
                let (function, argument) = tree.call(node);
                let decides = match function {
                    Function::Known(Known::FindInMap) => (self.is_touched)(argument),
                    Function::Known(Known::Select) => {
                        tree.items(argument).first().is_some_and(|&index| (self.is_touched)(index))
                    }
                    _ => false,
                };
                !decides && self.find_steady(argument)
            }
            _ => true,
        }
    }

    fn times_chosen(&self, site: NodeId, frame: FrameId) -> u32 {
        let mut times = 0;
        let mut at = site;
        while let Some(chooser) = self.authored.chooser(self.tree, at) {
            if self.written.get(&chooser) == Some(&frame) {
                break;
            }
            times += 1;
            at = chooser;
        }
        times
    }

    fn value_row(&mut self, column: u32, node: NodeId, frame: FrameId) -> Row {
        let tree = self.tree;
        let site = tree.authored(node);
        let form = form::of(tree, self.authored, node);
        let is_call = tree.kind(node) == Kind::Call;
        if is_call && (is_chooser(tree.call(node).0) || form != Form::Written) {
            self.written.insert(site, frame);
        }
        let times = self.times_chosen(site, frame);
        let rule = match form {
            Form::Item => Rule::Ref,
            Form::OfCall(_) if self.written.get(&site) == Some(&frame) => Rule::Generated,
            Form::Made(rule) | Form::OfCall(rule) => rule,
            Form::Written if times > 0 => Rule::Chosen,
            Form::Written => Rule::Copied,
        };
        let full_sight = match self.values {
            Values::Keep => false,
            Values::Pin => !is_call || self.authored.is_in_construct(tree, site),
            Values::All | Values::Resolve => true,
        };
        let mut row = Row::new(column, Part::Value, node.index() as u32, rule).chosen(times).full_sight(full_sight);
        let has_sources = !rule.is_without_sources();
        if has_sources && (form == Form::Item || !self.is_steady(site) || self.current.has_made_item) {
            row.node = node.index() as u32;
        }
        // Copies have the same place: that of the authored node.
        if form != Form::Item {
            row.place = site.index() as u32;
        }
        row
    }

    fn key_row(&mut self, column: u32, key: NodeId) -> Row {
        let rule = match form::of(self.tree, self.authored, key) {
            Form::Made(rule) => rule,
            _ => Rule::Copied,
        };
        let mut row = Row::new(column, Part::Key, self.tree.authored(key).index() as u32, rule);
        if rule == Rule::Key && self.current.has_made_item {
            row.node = key.index() as u32;
        }
        row
    }

    /// Begins a new use if the context or the file changes, or if no use is open.
    fn begin(&mut self, line: u32, column: u32, frame: FrameId, span: Span) {
        let current = &self.current;
        if current.frame == frame && !current.rows.is_empty() && current.range.contains(span) {
            return;
        }
        self.flush();
        let file = self.sources.file_of(span);
        let has_made_item = self.frames.chain(frame).any(|(_, record)| {
            record.kind == FrameKind::Loop
                && record.value.is_some_and(|item| self.tree.kind(self.tree.authored(item)) == Kind::Call)
        });
        let current = &mut self.current;
        current.range = file.map(|file| self.sources.span(file)).unwrap_or_default();
        (current.line, current.column, current.frame, current.file) = (line, column, frame, file);
        current.has_made_item = has_made_item;
        current.yields = false;
    }
}

impl write::Recorder for Recorder<'_> {
    const ON: bool = true;

    fn join(&mut self, outer: FrameId, own: FrameId) -> FrameId {
        if outer == own || self.own.get(&outer) == Some(&own) {
            return outer;
        }
        if let Some(&known) = self.joined.get(&(outer, own)) {
            return known;
        }
        let joined = self.frames.join(outer, own);
        self.joined.insert((outer, own), joined);
        if joined != own {
            self.own.insert(joined, own);
        }
        joined
    }

    fn record(&mut self, line: u32, column: u32, node: NodeId, part: Part, frame: FrameId) {
        let tree = self.tree;
        self.yield_to(line, column);
        let call = self.current.last_call.take();
        if part == Part::Key && self.is_at_last(line, column) && call.is_some_and(|call| tree.call_name(call) == node) {
            // The name of a call in the style of a mapping has the place of the call.
            return;
        }
        if part == Part::Key {
            if let Some(section) = self.sections.get(node.index()).copied().flatten() {
                self.members.push(Member { section, key: node, first: line, last: line });
                // Lines count from the beginning of a use: a use for each entry keeps them short.
                self.flush();
            }
            self.begin(line, column, frame, tree.span(node));
            self.current.last_key = Some(node);
            let row = self.key_row(column, node);
            return self.add(line, row, false);
        }
        let is_collection = matches!(tree.kind(node), Kind::Map | Kind::List);
        let key = self.current.last_key.take();
        if is_collection && key.is_some_and(|key| form::has_key_place(tree, self.authored, key, node)) {
            // The value has the place of its key, whose row exists already.
            return;
        }
        let frame = form::own_frame(tree, &self.frames, node, frame);
        self.begin(line, column, frame, self.place_span(node));
        let row = self.value_row(column, node, frame);
        self.add(line, row, is_collection);
        self.current.last_call = (tree.kind(node) == Kind::Call).then_some(node);
    }

    fn end(&mut self, line: u32, key: NodeId) {
        if self.sections.get(key.index()).copied().flatten().is_some()
            && let Some(member) = self.members.iter_mut().rev().find(|member| member.key == key)
        {
            member.last = line;
        }
    }
}

impl Session<'_, '_> {
    /// Writes the template below `root`, which came from `document`, and records the places of its nodes.
    pub fn record(&self, root: NodeId, document: &Document, format: Format, sink: Sink<'_>) -> Recorded {
        let is_touched = |node: NodeId| self.replay.is_touched(node);
        let values = self.replay.seen().settings.values;
        let mut recorder = Recorder::new(self.tree(), self.sources, &self.authored, &is_touched, values, root);
        write::write(self.tree(), root, document, self.sources, format, sink, &mut recorder);
        recorder.finish()
    }
}

impl Recorder<'_> {
    fn add(&mut self, line: u32, mut row: Row, yields: bool) {
        let current = &mut self.current;
        row.lines = line - current.line;
        current.rows.push(row);
        current.yields = yields;
    }

    fn is_at_last(&self, line: u32, column: u32) -> bool {
        let current = &self.current;
        current.rows.last().is_some_and(|last| current.line + last.lines == line && last.column() == column)
    }

    /// Removes the row of a mapping or list if a child begins at its place.
    fn yield_to(&mut self, line: u32, column: u32) {
        let is_there = self.is_at_last(line, column);
        let current = &mut self.current;
        if current.yields && is_there {
            current.rows.pop();
            current.yields = false;
        }
    }
}
