//! Text with gaps: what an iteration of a loop generated is written like what the iteration before generated in the
//! same place, but for the strings that differ.
//!
//! The text of a *model* is kept with the places of its strings. Another node in the same place fits it when both
//! have the same shape: then only its strings are written again, between the pieces of the model's text. What a
//! writer does must depend on nothing but the authored node in whose place it writes, on the shape, and on each string
//! for itself. A recorder receives every node, so molds are not used with one.

use formwork_base::IdMap;

use super::form::Form;
use super::out::{Out, Recorder};
use crate::tree::{Kind, NodeId, Tree, flags};

/// Bytes that are kept at most, over all molds and of one.
const MOST: usize = 1 << 19;
const MOST_OF_ONE: usize = MOST >> 2;

/// Bytes of what is so large that it often goes to the sink while it is written.
const LARGE: usize = 1 << 15;

/// Nodes that may not fit a mold, beyond as many as fit it.
const MISSES: u32 = 4;

/// What else the text in a place depends on, as its writer packs it.
pub(super) type Context = [u32; 5];

/// What is to be done with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// It was written.
    Done,
    /// It is written, and its text becomes a mold: [`Molds::keep`] is called behind it.
    Keep(usize),
    /// It is written.
    Write,
}

/// The molds of a document, by the authored nodes in whose place they are.
#[derive(Debug, Default)]
pub(super) struct Molds {
    known: IdMap<NodeId, State>,
    /// Bytes that are kept.
    bytes: usize,
    /// Whether a node is being written whose text becomes a mold.
    is_keeping: bool,
}

#[derive(Debug)]
enum State {
    /// One node was written in this place.
    Seen,
    Mold(Box<Mold>),
    /// What is in this place has no mold.
    None,
}

#[derive(Debug)]
struct Mold {
    model: NodeId,
    context: Context,
    text: String,
    gaps: Vec<Gap>,
    /// How many nodes did not fit it, less those that did.
    misses: u32,
}

/// A string in a mold, and where its text is in that of the mold.
#[derive(Clone, Copy, Debug)]
struct Gap {
    node: NodeId,
    form: Form,
    start: u32,
    end: u32,
}

impl Molds {
    /// Writes a node into the mold of its place, if there is one that it fits. Nodes that no loop or module generated
    /// have none.
    pub(super) fn write<R: Recorder>(
        &mut self,
        tree: &Tree,
        node: NodeId,
        context: Context,
        out: &mut Out<'_, R>,
    ) -> Step {
        if R::ON || self.is_keeping || tree.frame_of(node).is_none() || tree.has(node, flags::HAS_ALIAS) {
            return Step::Write;
        }
        match self.known.get_mut(&tree.authored(node)) {
            None => {
                self.known.insert(tree.authored(node), State::Seen);
                Step::Write
            }
            Some(State::Seen) => {
                self.is_keeping = true;
                out.begin_holes();
                Step::Keep(out.position())
            }
            Some(State::None) => Step::Write,
            Some(state @ State::Mold(_)) => {
                let State::Mold(mold) = state else { return Step::Write };
                if mold.context == context && mold.fill(tree, node, out) {
                    mold.misses = mold.misses.saturating_sub(1);
                    return Step::Done;
                }
                mold.misses += 1;
                if mold.misses > MISSES {
                    self.bytes -= mold.text.len();
                    *state = State::None;
                }
                Step::Write
            }
        }
    }

    /// Makes a mold of a node that was written from `start` on.
    pub(super) fn keep<R: Recorder>(
        &mut self,
        tree: &Tree,
        node: NodeId,
        context: Context,
        start: usize,
        out: &mut Out<'_, R>,
    ) {
        self.is_keeping = false;
        let holes = out.end_holes();
        let is_behind_block = out.is_behind_block();
        let Some(text) = out.since(start) else {
            // Some of it went to the sink: the next one becomes the mold, unless they are so large that what is below
            // them should.
            if out.position() - start > LARGE {
                self.known.insert(tree.authored(node), State::None);
            }
            return;
        };
        if is_behind_block || text.len() > MOST_OF_ONE || self.bytes + text.len() > MOST {
            self.known.insert(tree.authored(node), State::None);
            return;
        }
        let gaps: Vec<Gap> = holes
            .iter()
            .map(|hole| Gap {
                node: hole.node,
                form: hole.form,
                start: (hole.start - start) as u32,
                end: (hole.end - start) as u32,
            })
            .collect();
        let mold = Mold { model: node, context, text: text.to_owned(), gaps, misses: 0 };
        let state = if mold.is_sound(tree) {
            self.bytes += mold.text.len();
            State::Mold(Box::new(mold))
        } else {
            State::None
        };
        self.known.insert(tree.authored(node), state);
    }
}

impl Mold {
    /// Whether all strings that were written are those of generated nodes below the model, in their order.
    fn is_sound(&self, tree: &Tree) -> bool {
        let mut fitting = Fitting { tree, gaps: self.gaps.iter() };
        fitting.fits(self.model, self.model, &mut |_, _| {}) && fitting.gaps.next().is_none()
    }

    /// Writes the text with the strings of another node, unless that has another shape.
    fn fill<R: Recorder>(&self, tree: &Tree, node: NodeId, out: &mut Out<'_, R>) -> bool {
        let start = out.text_mut().len();
        let mut at = 0;
        let text = out.text_mut();
        let mut fill = |gap: Gap, string: &str| {
            text.push_str(&self.text[at..gap.start as usize]);
            gap.form.write(string, text);
            at = gap.end as usize;
        };
        let fits = Fitting { tree, gaps: self.gaps.iter() }.fits(node, self.model, &mut fill);
        if fits {
            text.push_str(&self.text[at..]);
        } else {
            text.truncate(start);
        }
        fits
    }
}

/// A walk through a node and its model.
struct Fitting<'m> {
    tree: &'m Tree,
    /// Strings of the model that come next.
    gaps: std::slice::Iter<'m, Gap>,
}

impl Fitting<'_> {
    /// Whether a node is like its model but for strings in gaps. These are returned.
    fn fits(&mut self, node: NodeId, model: NodeId, fill: &mut impl FnMut(Gap, &str)) -> bool {
        let tree = self.tree;
        if !tree.is_alike(node, model) {
            return false;
        }
        match tree.kind(model) {
            Kind::List | Kind::Map | Kind::Call => {
                let (below, models) = (tree.below(node), tree.below(model));
                if below.len() != models.len() {
                    return false;
                }
                for at in 0..below.len() {
                    let (node, model) = (below[at], models[at]);
                    let fits = if tree.is_generated(model) { self.fits(node, model, fill) } else { node == model };
                    if !fits {
                        return false;
                    }
                }
                true
            }
            // Whether keys are of one iteration decides how they are laid out.
            Kind::Key => node == model,
            Kind::String => {
                let text = tree.text(node);
                match self.gaps.as_slice().first() {
                    Some(&gap) if gap.node == model => {
                        self.gaps.next();
                        let fits = gap.form.is_usual(text);
                        if fits {
                            fill(gap, text);
                        }
                        fits
                    }
                    _ => text == tree.text(model),
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => tree.text(node) == tree.text(model),
        }
    }
}
