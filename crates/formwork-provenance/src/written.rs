//! Sources of values that a module or an import computed: every argument down to authored strings
//! (reference/provenance.md#origins).

use formwork_base::FrameKind;
use formwork_loops::copy_names::names_copies;
use formwork_modules::Inserted;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, FrameRecord, Function, NodeId, Tree, View};

use crate::origin::Source;
use crate::session::{BySite, Session};

impl Session<'_, '_> {
    /// Adds the sources of the authored node in a context: items of loops, parameters, and values that modules
    /// inserted.
    pub(crate) fn written_sources(&self, node: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        // Nobody reads more, and the walk through values ends.
        const MOST: usize = 100;
        let tree = self.tree();
        if out.len() >= MOST {
            return;
        }
        let is_reference = matches!(tree.view(node), View::Call(..));
        if let [used] = self.constants(node)
            && is_reference
        {
            // The sources of its string were recorded with it.
            if !self.put_in(node, frame, out) {
                out.push(self.inserted_source(&used.inserted));
                self.written_sources(tree.authored(used.inserted.value), frame, out);
            }
            return;
        }
        if self.put_in(node, frame, out) {
            return;
        }
        match tree.view(node) {
            View::String(_) => self.string_words(node, frame, out),
            View::List(items) => items.iter().for_each(|&item| self.written_sources(item, frame, out)),
            View::Map => tree.entries(node).for_each(|entry| self.written_sources(entry.value, frame, out)),
            View::Call(Function::Known(Known::Ref), argument) => {
                let name = tree.text(argument);
                self.loop_words(name, frame, out);
                self.variable(name, frame, out);
                self.root_parameter(node, name, out);
            }
            View::Call(Function::Known(Known::Sub), argument) => {
                let (text, map) = match *tree.items(argument) {
                    [] => (argument, None),
                    [text, ref rest @ ..] => (text, rest.first().copied()),
                };
                if !self.put_in(text, frame, out) {
                    self.text_words(text, frame, out);
                }
                if let Some(map) = map {
                    self.written_sources(map, frame, out);
                }
            }
            View::Call(_, argument) => self.written_sources(argument, frame, out),
            _ => {}
        }
    }

    /// Adds the sources of a string outside of `Fn::Sub`: constants, in the section that declares them.
    fn string_words(&self, node: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        if self.constants(node).is_empty() {
            self.loop_words(self.tree().text(node), frame, out);
        } else {
            self.text_words(node, frame, out);
        }
    }

    /// Adds the values that modules inserted in place of an authored node, or into its string. Returns `false` if they
    /// inserted none.
    pub(crate) fn put_in(&self, node: NodeId, frame: FrameId, out: &mut Vec<Source>) -> bool {
        let Some(linked) = self.linked else { return false };
        let Some(made) = self.made_at(node, frame) else { return false };
        let parts = linked.inserted.get(&made).into_iter().chain(linked.parts.get(&made).into_iter().flatten());
        let parts: Vec<&Inserted> = parts.collect();
        for part in &parts {
            self.inserted_sources(part, out);
        }
        !parts.is_empty()
    }

    /// Returns the node that modules generated from an authored node in a context.
    fn made_at(&self, node: NodeId, frame: FrameId) -> Option<NodeId> {
        let tree = self.tree();
        // Loops of the template are expanded after the modules.
        let in_module = self.is_in_module(frame);
        let is_here = |made: &&NodeId| {
            let own = tree.frame_of(**made);
            if in_module { tree.frames().chain(own).any(|(at, _)| at == frame) } else { !self.is_in_module(own) }
        };
        self.by_site().get(&node)?.iter().filter(is_here).min().copied()
    }

    /// Returns `true` if modules inserted something in place of an authored node or of one below it, or computed a call
    /// that only they resolve.
    pub(crate) fn is_changed_by_modules(&self, node: NodeId) -> bool {
        if self.linked.is_none() {
            return false;
        }
        let tree = self.tree();
        let merges = self.linked.is_some_and(|linked| linked.is_module_document);
        is_at_or_below(tree, node, |node| {
            self.by_site().contains_key(&node)
                || match tree.view(node) {
                    View::Call(Function::Known(Known::Flatten | Known::InsertFile | Known::Invoke), _) => true,
                    // References to selected copies of a resource, whose replacements are not recorded.
                    View::Call(Function::Known(Known::Ref | Known::GetAtt), argument) => {
                        is_at_or_below(tree, argument, |node| tree.string(node).is_some_and(|text| text.contains('[')))
                    }
                    View::Call(Function::Known(Known::Merge), _) => merges,
                    // A string without placeholders replaces its call.
                    View::Call(Function::Known(Known::Sub), argument) => {
                        tree.string(argument).is_some_and(|text| !text.contains("${"))
                    }
                    _ => false,
                }
        })
    }

    /// Returns `true` if an authored node, or one below it, refers to a variable of the `ForEach` of a resource or
    /// import: the copies are generated with the modules, so that the node cannot be evaluated again with the items of
    /// its context.
    pub(crate) fn is_of_copy(&self, node: NodeId, frame: FrameId) -> bool {
        let tree = self.tree();
        let mut frames = tree.frames().chain(frame);
        let is_copy = |record: &FrameRecord| record.kind == FrameKind::Loop && tree.name(record.name) == "Identifier";
        if self.linked.is_none() || !frames.any(|(_, record)| is_copy(&record)) {
            return false;
        }
        is_at_or_below(tree, node, |node| tree.string(node).is_some_and(names_copies))
    }

    fn by_site(&self) -> &BySite {
        self.by_site.get_or_init(|| {
            let mut found = BySite::default();
            if let Some(linked) = self.linked {
                for &made in linked.inserted.keys().chain(linked.parts.keys()) {
                    found.entry(self.tree().authored(made)).or_default().push(made);
                }
            }
            found
        })
    }

    /// Adds the module value of a variable in the template's own string. Returns `false` if it has none.
    pub(crate) fn put_into_text(&self, text: NodeId, variable: &str, frame: FrameId, out: &mut Vec<Source>) -> bool {
        let Some(linked) = self.linked else { return false };
        let Some(made) = self.made_at(text, frame) else { return false };
        let is_named = |part: &&Inserted| {
            let name = self.tree().name(part.name);
            variable.trim().strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let part = linked.parts.get(&made).and_then(|parts| parts.iter().find(is_named));
        part.is_some_and(|part| {
            self.inserted_sources(part, out);
            true
        })
    }

    /// Adds a value and those that it was passed on from, nearest first.
    pub(crate) fn inserted_sources(&self, inserted: &Inserted, out: &mut Vec<Source>) {
        let (Some(linked), tree) = (self.linked, self.tree()) else { return };
        let mut next = Some(inserted);
        while let Some(inserted) = next {
            out.push(self.inserted_source(inserted));
            if inserted.kind == FrameKind::Constant {
                return self.definition_words(inserted.value, FrameId::NONE, out);
            }
            if let Some(parts) = linked.parts.get(&inserted.value) {
                for part in parts {
                    self.inserted_sources(part, out);
                }
            }
            next = linked.inserted.get(&inserted.value);
            if next.is_none() && !linked.parts.contains_key(&inserted.value) && tree.is_generated(inserted.value) {
                self.written_sources(tree.authored(inserted.value), tree.frame_of(inserted.value), out);
            }
        }
    }
}

fn is_at_or_below(tree: &Tree, node: NodeId, holds: impl Fn(NodeId) -> bool) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if holds(node) {
            return true;
        }
        open.extend(tree.child_nodes(node));
    }
    false
}
