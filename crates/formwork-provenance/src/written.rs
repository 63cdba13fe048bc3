//! Where the text came from that a module or an import computed: every argument down to written text
//! (reference/provenance.md#origins).

use formwork_base::FrameKind;
use formwork_expand::modules::Inserted;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Function, NodeId, View};
use formwork_template::sub_string::{self, Part};
use rustc_hash::FxHashMap;

use crate::origin::Source;
use crate::session::Session;

/// Values in the place of references, by the references as they are written.
pub(crate) type BySite = FxHashMap<NodeId, Vec<NodeId>>;

impl Session<'_, '_> {
    /// What went into the authored node in a context: items of loops, parameters, and what modules put in.
    pub(crate) fn written_sources(&self, node: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        // Nobody reads more, and the way back through values ends.
        const MOST: usize = 100;
        let tree = self.tree();
        if out.len() >= MOST || self.put_in(node, frame, out) {
            return;
        }
        match tree.view(node) {
            View::String(text) => self.loop_words(text, frame, out),
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
                    self.loop_words(tree.text(text), frame, out);
                    for part in sub_string::parts(tree.text(text)) {
                        if let Part::Variable(name) = part {
                            self.root_parameter(node, name, out);
                        }
                    }
                }
                if let Some(map) = map {
                    self.written_sources(map, frame, out);
                }
            }
            View::Call(_, argument) => self.written_sources(argument, frame, out),
            _ => {}
        }
    }

    /// What modules put in the place of an authored node, or into its text. False when that is nothing.
    fn put_in(&self, node: NodeId, frame: FrameId, out: &mut Vec<Source>) -> bool {
        let (Some(linked), tree) = (self.linked, self.tree()) else { return false };
        let by_site = self.by_site.get_or_init(|| {
            let mut found = BySite::default();
            for &made in linked.inserted.keys().chain(linked.parts.keys()) {
                found.entry(tree.authored(made)).or_default().push(made);
            }
            found
        });
        let is_here = |made: &&NodeId| tree.frames().chain(tree.frame_of(**made)).any(|(at, _)| at == frame);
        let Some(&made) = by_site.get(&node).and_then(|all| all.iter().filter(is_here).min()) else { return false };
        let parts = linked.inserted.get(&made).into_iter().chain(linked.parts.get(&made).into_iter().flatten());
        let parts: Vec<&Inserted> = parts.collect();
        for part in &parts {
            self.inserted_sources(part, out);
        }
        !parts.is_empty()
    }

    /// The items of the loops whose variables a text names, as the module language writes them.
    fn loop_words(&self, text: &str, frame: FrameId, out: &mut Vec<Source>) {
        if !text.contains(['$', '&']) {
            return;
        }
        let tree = self.tree();
        for (at, record) in tree.frames().chain(frame).filter(|(_, record)| record.kind == FrameKind::Loop) {
            let name = tree.name(record.name);
            let is_named = if name == "Identifier" {
                ["Identifier", "Index", "Value"]
                    .iter()
                    .any(|name| text.contains(&format!("${name}")) || text.contains(&format!("${{{name}")))
            } else {
                text.contains(&format!("${{{name}}}")) || text.contains(&format!("&{{{name}}}"))
            };
            if is_named {
                self.add_loop(at, out);
            }
        }
    }

    /// The item of the loop whose variable has this name.
    fn variable(&self, name: &str, frame: FrameId, out: &mut Vec<Source>) {
        let tree = self.tree();
        let found = tree
            .frames()
            .chain(frame)
            .find(|(_, record)| record.kind == FrameKind::Loop && tree.name(record.name) == name);
        if let Some((at, _)) = found {
            self.add_loop(at, out);
        }
    }

    fn add_loop(&self, at: FrameId, out: &mut Vec<Source>) {
        if !out.iter().any(|source| source.kind == FrameKind::Loop && source.frame == at) {
            out.extend(self.loop_source(at));
        }
    }

    /// A parameter of the template, named in the template's own file.
    fn root_parameter(&self, node: NodeId, name: &str, out: &mut Vec<Source>) {
        let tree = self.tree();
        let file = |node| self.sources.file_of(tree.span(node));
        let root = self.roots.linked;
        if file(node) != file(tree.authored(root)) {
            return;
        }
        let symbol = tree.symbols().get(name);
        let Some(source) = symbol.and_then(|symbol| self.argument(symbol)) else { return };
        if !out.iter().any(|other| other.kind == source.kind && other.name == source.name) {
            out.push(source);
        }
    }
}
