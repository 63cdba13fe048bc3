//! Copying of nodes that are the same in each iteration except for strings with items: they are added to the tree as a
//! whole.

use std::rc::Rc;

use formwork_base::IdMap;
use formwork_evaluate::Compat;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Pattern, View, flags};

use super::Expander;
use super::plan::{Segments, Syntax};

#[derive(Debug)]
pub(super) struct Copies {
    /// Iterations of the surrounding loops, all together.
    pub(super) rounds: usize,
    /// By the authored node and the scope: the same node may be in several.
    known: IdMap<(NodeId, u32), Option<Rc<Copied>>>,
    /// Set while a node is instantiated that becomes a pattern.
    is_recording: bool,
}

impl Default for Copies {
    fn default() -> Copies {
        Copies { rounds: 1, known: IdMap::default(), is_recording: false }
    }
}

#[derive(Debug)]
struct Copied {
    pattern: Pattern,
    sources: Sources,
}

#[derive(Debug, Default)]
struct Sources {
    strings: Vec<CopiedText>,
    /// Most bytes of a string without the items.
    fixed: usize,
    items: usize,
    /// Variables whose items have no dot: with one, a name would end in the item.
    dotless: Vec<usize>,
}

#[derive(Debug)]
enum CopiedText {
    /// The item of the variable with this index, in place of a `Ref`.
    Item(usize),
    /// The string of an `Fn::Sub`, or a part of it.
    Text(Segments),
    /// Such a string without variables, which another copy has.
    Constant(NodeId),
}

impl Sources {
    fn add_text(&mut self, text: Segments) {
        self.measure(&text);
        self.strings.push(CopiedText::Text(text));
    }

    /// Adds the string of an `Fn::Sub` in an `Fn::GetAtt`, which is split at its first dot. Returns `false` when that
    /// is not the same dot for all items.
    fn add_name(&mut self, text: &Segments) -> bool {
        let Some((name, attribute)) = text.split_at_dot() else { return false };
        self.measure(text);
        self.dotless.extend(name.variables());
        self.strings.extend([CopiedText::Text(name), CopiedText::Text(attribute)]);
        true
    }

    fn measure(&mut self, text: &Segments) {
        self.fixed = self.fixed.max(text.fixed());
        self.items = self.items.max(text.variables().len());
    }
}

impl Expander<'_, '_> {
    pub(super) fn may_repeat(&self, node: NodeId) -> bool {
        self.copies.rounds >= self.ev.settings.limits.copied_iterations
            && !self.copies.is_recording
            && !self.copied.is_inside
            && !self.uses.is_irregular(node)
            && self.bindings.last().is_some_and(|binding| binding.are_plain)
    }

    /// Returns a list or object in this iteration: a copy of its result in another iteration, if possible.
    pub(super) fn repeated(&mut self, node: NodeId) -> Option<NodeId> {
        let place = (node, self.scopes.current);
        match self.copies.known.get(&place) {
            Some(Some(copied)) => {
                let (copied, bindings) = (Rc::clone(copied), &self.bindings);
                let Sources { fixed, items, dotless, .. } = &copied.sources;
                let longest = bindings.last().map_or(0, |binding| binding.longest);
                let has_dot = |&variable: &usize| bindings[variable].text.contains('.');
                if self.ev.is_short((fixed + items * longest) as u64) && !dotless.iter().any(has_dot) {
                    return Some(self.copy(&copied));
                }
                self.instantiate_once(node)
            }
            Some(None) => self.instantiate_once(node),
            None => {
                let mut sources = Sources::default();
                if !self.is_regular(node, &mut sources) {
                    return self.instantiate_once(node);
                }
                let start = self.ev.tree.extent();
                self.copies.is_recording = true;
                let made = self.instantiate_once(node);
                self.copies.is_recording = false;
                let pattern = made.and_then(|made| self.ev.tree.pattern_since(start, made, self.frame));
                let copied = pattern.and_then(|pattern| self.copied(pattern, sources));
                if let Some(Copied { pattern, .. }) = &copied {
                    self.ev.tree.reserve_repeats(pattern, self.copies.rounds);
                }
                self.copies.known.insert(place, copied.map(Rc::new));
                made
            }
        }
    }

    fn copy(&mut self, copied: &Copied) -> NodeId {
        let bindings = &self.bindings;
        self.ev.tree.repeat(&copied.pattern, self.frame, |string, out| match &copied.sources.strings[string] {
            CopiedText::Item(variable) => Some(bindings[*variable].item),
            CopiedText::Text(segments) => {
                segments.fill(bindings, out);
                None
            }
            CopiedText::Constant(string) => Some(*string),
        })
    }

    /// Returns the result of this iteration for copying in others, if its strings are these.
    fn copied(&self, pattern: Pattern, mut sources: Sources) -> Option<Copied> {
        let is_same = |(made, source): (NodeId, &CopiedText)| match source {
            CopiedText::Constant(_) => false,
            CopiedText::Item(variable) => self.bindings[*variable].text() == Some(self.ev.tree.text(made)),
            CopiedText::Text(segments) => {
                let mut text = String::new();
                segments.fill(&self.bindings, &mut text);
                text == self.ev.tree.text(made)
            }
        };
        let is_sound =
            pattern.strings().len() == sources.strings.len() && pattern.strings().zip(&sources.strings).all(is_same);
        if !is_sound {
            return None;
        }
        for (made, source) in pattern.strings().zip(&mut sources.strings) {
            if let CopiedText::Text(text) = source
                && text.variables().len() == 0
            {
                *source = CopiedText::Constant(made);
            }
        }
        Some(Copied { pattern, sources })
    }

    /// Returns `true` when a node is the same in each iteration with plain items, except for strings with items: those
    /// are added to `sources`, in the order in which they are generated.
    fn is_regular(&mut self, node: NodeId, sources: &mut Sources) -> bool {
        if !self.uses.is_touched(node) {
            return true;
        }
        let tree = &*self.ev.tree;
        let is_plain = !tree.is_alias(node)
            && !tree.has(node, flags::HAS_LOOP)
            && !self.is_copied(node)
            && self.ev.settings.compat != Compat::Sam;
        let is_regular = is_plain
            && match tree.view(node) {
                View::String(_) => !self.uses.is_filled(node),
                View::List(_) | View::Map => {
                    let below = tree.children(node);
                    below.into_iter().all(|child| self.is_regular(child, sources))
                }
                View::Call(Function::Known(Known::Ref), name) if tree.kind(name) == Kind::String => {
                    let variable = tree.string(name).and_then(|name| self.variable(name));
                    sources.strings.extend(variable.map(CopiedText::Item));
                    variable.is_some()
                }
                View::Call(Function::Known(Known::Ref), name) => {
                    tree.kind(name) == Kind::Call && self.is_regular(name, sources)
                }
                View::Call(Function::Known(Known::Sub), text) if tree.kind(text) == Kind::String => {
                    let segments = self.sub_segments(text);
                    segments.map(|(text, _)| sources.add_text(text)).is_some()
                }
                View::Call(Function::Known(Known::GetAtt), argument) => self.is_regular_name(argument, sources),
                // The results of other functions may depend on the items.
                _ => false,
            };
        if !is_regular {
            self.uses.note_irregular(node);
        }
        is_regular
    }

    /// Returns `true` when the argument of an `Fn::GetAtt` consists of names with items.
    fn is_regular_name(&mut self, argument: NodeId, sources: &mut Sources) -> bool {
        let tree = &*self.ev.tree;
        if tree.is_alias(argument) {
            return false;
        }
        match tree.view(argument) {
            View::Call(Function::Known(Known::Sub), text) if tree.kind(text) == Kind::String => {
                let segments = self.sub_segments(text);
                segments.is_some_and(|(text, is_closed)| is_closed && sources.add_name(&text))
            }
            // The first of two strings may be a variable.
            View::List(parts) if parts.iter().any(|&part| tree.kind(part) == Kind::Call) => {
                self.is_regular(argument, sources)
            }
            _ => false,
        }
    }

    /// Returns the parts of the string of an `Fn::Sub` without variables of its own, and `true` when all its variables
    /// are those of loops.
    fn sub_segments(&mut self, text: NodeId) -> Option<(Segments, bool)> {
        let written = self.ev.tree.text(text);
        if !self.uses.is_touched(text) || self.rules.formwork && written.contains("&{") {
            return None;
        }
        let plan = self.plan(text, None, Syntax::Sub);
        let is_closed = self.is_closed(&plan, text);
        Some((plan.segments(self.ev.tree.text(text), !is_closed)?.clone(), is_closed))
    }
}
