//! Queries of editors to a session.

use std::sync::Arc;

use formwork_base::{Diagnostics, FileRange, Frame, VirtualPath};
use formwork_evaluate::{Truth, ValueSource};
use formwork_query::{Expansion, FileIndex, Project};
use formwork_syntax::tree::Frames;
use formwork_syntax::write::{self, Part, Recorder};
use formwork_syntax::{FrameId, NodeId, Value};
use formwork_template::Section;

use crate::compilation::{Compilation, Replayable};
use crate::session::Session;
use crate::snapshot::Snapshot;

impl Session<'_> {
    /// Returns the declarations and uses in the template at `root` and its modules. Files are read and indexed when
    /// they are first requested; after an edit only the edited files are indexed again.
    pub fn project(&self, root: &VirtualPath) -> Project {
        self.snapshot().project(root)
    }

    /// Returns the declarations and uses in one file; `None` when it cannot be read.
    pub fn index(&self, path: &VirtualPath) -> Option<Arc<FileIndex>> {
        self.snapshot().index(path)
    }
}

impl Snapshot<'_> {
    /// Returns the declarations and uses in the template at `root` and its modules.
    pub fn project(&self, root: &VirtualPath) -> Project {
        let parts = std::iter::once(root).chain(&self.options().other_files).cloned().collect();
        Project::of_files(parts, |path| self.index(path))
    }

    /// Returns the declarations and uses in one file; `None` when it cannot be read.
    pub fn index(&self, path: &VirtualPath) -> Option<Arc<FileIndex>> {
        let source = self.source(path).ok()?;
        Some(self.shared().indexes.index(path, source, &self.options().limits))
    }
}

impl Compilation {
    /// Returns the items of loops and the names that loops and modules generated, for
    /// [`Project::with_expansion`].
    pub fn expansion(&self) -> Expansion {
        let whole = self.expanded_root().unwrap_or(self.root);
        let transformed = self.replay.as_ref().and_then(|replay| replay.transformed.as_ref());
        let root = self.replay.as_ref().map_or(whole, Replayable::deployed);
        let tree = &self.tree;
        let resources = tree.get(whole, Section::Resources.symbol());
        let owner = |id: &str| {
            let owner = transformed?.owners.get(id).filter(|owner| *owner != id)?;
            Some(tree.member(resources?, tree.symbols().get(owner)?)?.key)
        };
        Expansion::new(tree, &self.sources, root, &owner)
    }

    /// Returns the value of a parameter or pseudo parameter with its source; the value of a `NoEcho` parameter is
    /// `****`. `None` when the value is unknown.
    pub fn value_of_parameter(&self, name: &str) -> Option<(Value, ValueSource)> {
        let bound = self.replay.as_ref()?.parameters.get(self.tree.symbols().get(name)?)?;
        let value = bound.value?;
        let shown = if bound.secret {
            Value::String(formwork_base::display::MASK.to_owned())
        } else {
            Value::masked(&self.tree, value, &self.secrets)
        };
        Some((shown, bound.given))
    }

    /// Returns the conditions of the expanded template in order, each with its outcome; `None` for an undecided one.
    pub fn conditions(&self) -> Vec<(String, Option<bool>)> {
        let Some(replay) = &self.replay else { return Vec::new() };
        let Some(section) = self.tree.get(replay.expanded, Section::Conditions.symbol()) else { return Vec::new() };
        let names: Vec<String> = self.tree.entries(section).map(|entry| self.tree.text(entry.key).to_owned()).collect();
        if names.is_empty() {
            return Vec::new();
        }
        let (mut scratch, mut found_again) = ((*self.tree).clone(), Diagnostics::new());
        let mut evaluator = replay.evaluator(&mut scratch, &self.template, &mut found_again);
        let decided = |name: String| {
            let truth = match evaluator.condition(&name) {
                Some(Truth::True) => Some(true),
                Some(Truth::False) => Some(false),
                _ => None,
            };
            (name, truth)
        };
        names.into_iter().map(decided).collect()
    }
}

/// A node of an output and its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenNode {
    /// The line of its first character in the output, from 0.
    pub line: u32,
    /// The column of its first character, from 0, in Unicode scalar values.
    pub column: u32,
    /// The place of the authored node.
    pub site: FileRange,
    /// The contexts in which it was generated, outermost first.
    pub frames: Vec<Frame>,
}

impl Compilation {
    /// Returns the output in its own format, and its keys, scalars and collections with their places in the files of
    /// the template, in the order of the output. `None` when there are errors.
    pub fn written_nodes(&self) -> Option<(String, Vec<WrittenNode>)> {
        self.output().ok()?;
        let mut nodes = Nodes { frames: self.tree.frames().clone(), found: Vec::new() };
        let mut text = String::new();
        let format = self.document.format;
        let mut sink = |part: &str| text.push_str(part);
        write::write(&self.tree, self.root, &self.document, &self.sources, format, &mut sink, &mut nodes);
        let Nodes { frames, found } = nodes;
        let node = |(line, column, node, frame): (u32, u32, NodeId, FrameId)| {
            let site = self.sources.file_range(self.tree.span(node))?;
            let mut chain: Vec<Frame> = frames.chain(frame).map(|(_, record)| self.tree.frame(&record)).collect();
            chain.reverse();
            Some(WrittenNode { line, column, site, frames: chain })
        };
        let nodes = found.into_iter().filter_map(node).collect();
        Some((text, nodes))
    }
}

struct Nodes {
    frames: Frames,
    found: Vec<(u32, u32, NodeId, FrameId)>,
}

impl Recorder for Nodes {
    const ON: bool = true;

    fn join(&mut self, outer: FrameId, own: FrameId) -> FrameId {
        self.frames.join(outer, own)
    }

    fn record(&mut self, line: u32, column: u32, node: NodeId, _: Part, frame: FrameId) {
        self.found.push((line, column, node, frame));
    }

    fn end(&mut self, _: u32, _: NodeId) {}
}
