//! Copies of what is the same in each iteration but for the strings that take the items: they are added to the tree
//! as a whole.

use formwork_base::IdMap;
use std::rc::Rc;

use formwork_evaluate::Compat;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Pattern, View, flags};

use super::Expander;
use super::plan::{Segments, Syntax};

/// Iterations from which on looking for what can be copied costs less than it gains.
const ROUNDS: usize = 4;

/// What is made by copying.
#[derive(Debug)]
pub(super) struct Copies {
    /// Iterations of the loops around the current node, all together.
    pub(super) rounds: usize,
    /// By the authored node and the scope: the same node may be in several.
    known: IdMap<(NodeId, u32), Option<Rc<Copied>>>,
    /// Whether something is being instantiated that becomes a pattern.
    is_recording: bool,
}

impl Default for Copies {
    fn default() -> Copies {
        Copies { rounds: 1, known: IdMap::default(), is_recording: false }
    }
}

/// What an iteration made, and what differs in another one.
#[derive(Debug)]
struct Copied {
    pattern: Pattern,
    /// What the strings of the pattern are.
    sources: Vec<Source>,
    /// Bytes that a string has at most, but for the items.
    fixed: usize,
    /// Items that a string has at most.
    items: usize,
}

#[derive(Debug)]
enum Source {
    /// The item of the variable with this number, in the place of a `Ref`.
    Item(usize),
    /// The text of an `Fn::Sub`.
    Text(Segments),
}

impl Expander<'_, '_> {
    /// Whether a list or object that depends on a variable may be made by copying.
    pub(super) fn may_repeat(&self, node: NodeId) -> bool {
        self.copies.rounds >= ROUNDS
            && !self.copies.is_recording
            && !self.uses.is_irregular(node)
            && self.bindings.last().is_some_and(|binding| binding.are_plain)
    }

    /// A list or object in this iteration: a copy of what another iteration made of it, if it can be.
    pub(super) fn repeated(&mut self, node: NodeId) -> Option<NodeId> {
        let place = (node, self.scope);
        match self.copies.known.get(&place) {
            Some(Some(copied)) => {
                let longest = self.bindings.last().map_or(0, |binding| binding.longest);
                if self.ev.is_short((copied.fixed + copied.items * longest) as u64) {
                    let copied = Rc::clone(copied);
                    return Some(self.copy(&copied));
                }
                self.instantiate_once(node)
            }
            Some(None) => self.instantiate_once(node),
            None => {
                let mut sources = Vec::new();
                if !self.is_regular(node, &mut sources) {
                    return self.instantiate_once(node);
                }
                let start = self.ev.tree.extent();
                self.copies.is_recording = true;
                let made = self.instantiate_once(node);
                self.copies.is_recording = false;
                let pattern = made.and_then(|made| self.ev.tree.pattern_since(start, made, self.frame));
                let copied = pattern.and_then(|pattern| self.copied(pattern, sources));
                self.copies.known.insert(place, copied.map(Rc::new));
                made
            }
        }
    }

    fn copy(&mut self, copied: &Copied) -> NodeId {
        let bindings = &self.bindings;
        self.ev.tree.repeat(&copied.pattern, self.frame, |string, out| match &copied.sources[string] {
            Source::Item(variable) => Some(bindings[*variable].item),
            Source::Text(segments) => {
                segments.fill(bindings, out);
                None
            }
        })
    }

    /// What was made in this iteration, to be copied in others, if its strings are these.
    fn copied(&self, pattern: Pattern, sources: Vec<Source>) -> Option<Copied> {
        let is_same = |(made, source): (NodeId, &Source)| match source {
            Source::Item(variable) => self.bindings[*variable].text() == Some(self.ev.tree.text(made)),
            Source::Text(segments) => {
                let mut text = String::new();
                segments.fill(&self.bindings, &mut text);
                text == self.ev.tree.text(made)
            }
        };
        if pattern.strings().len() != sources.len() || !pattern.strings().zip(&sources).all(is_same) {
            return None;
        }
        let texts =
            || sources.iter().filter_map(|source| if let Source::Text(text) = source { Some(text) } else { None });
        let (fixed, items) = (texts().map(Segments::fixed).max(), texts().map(Segments::items).max());
        Some(Copied { pattern, fixed: fixed.unwrap_or(0), items: items.unwrap_or(0), sources })
    }

    /// Whether a node becomes the same in each iteration with plain items, but for strings that take these: they are
    /// added to `sources`, in the order in which they are made.
    fn is_regular(&mut self, node: NodeId, sources: &mut Vec<Source>) -> bool {
        if !self.uses.is_touched(node) {
            return true;
        }
        let tree = &*self.ev.tree;
        let is_plain =
            !tree.is_alias(node) && !tree.has(node, flags::HAS_LOOP) && self.ev.settings.compat != Compat::Sam;
        let is_regular = is_plain
            && match tree.view(node) {
                View::String(_) => !self.uses.is_filled(node),
                View::List(_) | View::Map => {
                    let below = tree.children(node);
                    below.into_iter().all(|child| self.is_regular(child, sources))
                }
                View::Call(Function::Known(Known::Ref), name) => {
                    let variable = tree.string(name).and_then(|name| self.variable(name));
                    sources.extend(variable.map(Source::Item));
                    variable.is_some()
                }
                View::Call(Function::Known(Known::Sub), text) if tree.kind(text) == Kind::String => {
                    let segments = self.sub_segments(text);
                    let is_regular = segments.is_some();
                    sources.extend(segments.map(Source::Text));
                    is_regular
                }
                // What other functions return may depend on the items: of calls that stay, all copies have the same, so
                // later stages look at one copy for all (`Tree::pattern_of`).
                _ => false,
            };
        if !is_regular {
            self.uses.note_irregular(node);
        }
        is_regular
    }

    /// The parts of the text of an `Fn::Sub` without variables of its own.
    fn sub_segments(&mut self, text: NodeId) -> Option<Segments> {
        let written = self.ev.tree.text(text);
        if !self.uses.is_touched(text) || self.rules.formwork && written.contains("&{") {
            return None;
        }
        let plan = self.plan(text, None, Syntax::Sub);
        plan.segments(self.ev.tree.text(text), !self.is_closed(&plan, text)).cloned()
    }
}
