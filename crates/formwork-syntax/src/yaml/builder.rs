//! The builder of a tree from YAML tokens, which both YAML readers share. `build` adds the nodes.

use std::cell::OnceCell;

use formwork_base::{Diagnostic, Diagnostics, IdMap, Limits, LineIndex, Span};

use super::adapter::Gap;
use super::cause::Cause;
use super::checkpoint::Checkpoint;
use super::marks::Marks;
use super::quoted::Quoted;
use super::tag_mark::TagMark;
use crate::document::node_error;
use crate::tree::{Entry, NodeId, Origin, Style, Tree};

const OPEN: usize = 16;
const MEMBERS: usize = 64;

pub(super) struct Broken {
    pub(super) offset: usize,
    pub(super) diagnostic: Diagnostic,
    /// The cause, which decides what is left out; `None` when the reading ends here.
    pub(super) cause: Option<Cause>,
    /// The interpretation by readers of YAML 1.1, when it is not an error for them.
    pub(super) forgiven: Option<Forgiven>,
}

/// Constructs that SnakeYAML, PyYAML and libyaml read and `granit-parser` does not.
pub(super) enum Forgiven {
    /// A comment right after a quote, bracket or comma.
    Comment,
    /// A string in quotes that continues in a line with too little indentation.
    Quoted(Quoted),
    /// A dash that is a plain scalar of its own in brackets.
    Dash(Quoted),
}

/// A scalar as it is written: `start` and `end` are exact, without its tag.
pub(super) struct Token<'t> {
    pub(super) value: &'t str,
    pub(super) style: Style,
    pub(super) anchor: usize,
    pub(super) tag: Option<TagMark>,
    pub(super) is_empty: bool,
    /// Set for a quoted string that `quoted` read.
    pub(super) has_lines: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) struct Open {
    pub(super) start: usize,
    pub(super) style: Style,
    pub(super) tag: Option<TagMark>,
    pub(super) anchor: usize,
    pub(super) is_map: bool,
    /// Index of the first element or entry in the builder's scratch lists.
    pub(super) first: usize,
    pub(super) key: Option<NodeId>,
    /// Logical size of everything before it.
    pub(super) size_before: usize,
}

#[derive(Default)]
pub(super) struct Collections {
    pub(super) stack: Vec<Open>,
    pub(super) items: Vec<NodeId>,
    pub(super) entries: Vec<Entry>,
}

pub(super) struct QuotedStrings<'r> {
    pub(super) all: &'r [Quoted],
    /// Number of strings that the parser has passed.
    pub(super) seen: usize,
}

pub(super) struct Builder<'r> {
    pub(super) tree: &'r mut Tree,
    pub(super) source: &'r str,
    pub(super) text: &'r str,
    pub(super) lines: &'r OnceCell<LineIndex>,
    pub(super) quoted: QuotedStrings<'r>,
    pub(super) gap: Gap<'r>,
    pub(super) base: u32,
    pub(super) limits: &'r Limits,
    pub(super) diagnostics: &'r mut Diagnostics,
    pub(super) open: Collections,
    /// Entries of the mapping that is closed, kept for their memory.
    pub(super) members: Vec<Entry>,
    pub(super) anchors: IdMap<usize, Anchored>,
    pub(super) cursor: usize,
    pub(super) last: usize,
    pub(super) last_in_brackets: Option<usize>,
    /// Nodes read so far, each use of an alias counted in full.
    pub(super) size: usize,
    pub(super) root: Option<NodeId>,
    pub(super) alias_noted: bool,
    pub(super) marks: Marks<'r>,
    /// Places from which the reading can be resumed, outermost first.
    pub(super) checkpoints: Vec<Checkpoint>,
}

/// The target of an anchor; `node` is `None` while it is still open.
#[derive(Clone, Copy)]
pub(super) struct Anchored {
    pub(super) node: Option<NodeId>,
    pub(super) size: usize,
    pub(super) span: Span,
}

impl<'r> Builder<'r> {
    pub(super) fn new(
        tree: &'r mut Tree,
        source: &'r str,
        text: &'r str,
        lines: &'r OnceCell<LineIndex>,
        base: u32,
        limits: &'r Limits,
        diagnostics: &'r mut Diagnostics,
    ) -> Builder<'r> {
        Builder {
            tree,
            source,
            text,
            lines,
            quoted: QuotedStrings { all: &[], seen: 0 },
            gap: Gap { text },
            base,
            limits,
            diagnostics,
            open: Collections {
                stack: Vec::with_capacity(OPEN),
                items: Vec::with_capacity(MEMBERS),
                entries: Vec::with_capacity(MEMBERS),
            },
            members: Vec::with_capacity(MEMBERS),
            anchors: IdMap::default(),
            cursor: 0,
            last: 0,
            last_in_brackets: None,
            size: 0,
            root: None,
            alias_noted: false,
            marks: Marks::default(),
            checkpoints: Vec::new(),
        }
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    pub(super) fn is_full(&self) -> bool {
        self.open.stack.len() >= self.limits.depth
    }

    pub(super) fn done(&mut self, node: NodeId) {
        match self.open.stack.last_mut() {
            None => self.root = Some(node),
            Some(open) if open.is_map => {
                if let Some(key) = open.key.take() {
                    self.open.entries.push(Entry { key, value: node });
                } else {
                    // A key that is not a scalar was reported; its value must have a place.
                    let span = self.tree.span(node).at_start();
                    open.key = Some(self.tree.key("", Style::Plain, Origin::Authored(span)));
                }
            }
            Some(_) => self.open.items.push(node),
        }
    }

    pub(super) fn expects_key(&self) -> bool {
        self.open.stack.last().is_some_and(|open| open.is_map && open.key.is_none())
    }

    pub(super) fn count(&mut self, at: usize) -> Result<(), Box<Broken>> {
        self.add_size(1, at)
    }

    pub(super) fn add_size(&mut self, size: usize, at: usize) -> Result<(), Box<Broken>> {
        self.size = self.size.saturating_add(size);
        if self.size <= self.limits.nodes {
            return Ok(());
        }
        let diagnostic = node_error(self.limits.nodes, self.span(at, at));
        Err(Box::new(Broken { offset: at, diagnostic, cause: None, forgiven: None }))
    }
}
