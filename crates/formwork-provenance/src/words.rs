//! The items of loops and the parameters that a string refers to.

use formwork_base::FrameKind;
use formwork_syntax::{FrameId, Kind, NodeId, Symbol};

use crate::origin::Source;
use crate::session::Session;

impl Session<'_, '_> {
    /// Adds the items of the loops whose variables a string refers to, in the syntax of the module language.
    pub(crate) fn loop_words(&self, text: &str, frame: FrameId, out: &mut Vec<Source>) {
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

    /// Adds the item of the loop whose variable has this name.
    pub(crate) fn variable(&self, name: &str, frame: FrameId, out: &mut Vec<Source>) {
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

    /// Adds a parameter of the template, if the reference is in the template's own file.
    pub(crate) fn root_parameter(&self, node: NodeId, name: &str, out: &mut Vec<Source>) {
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

    pub(crate) fn loop_source(&self, at: FrameId) -> Option<Source> {
        let tree = self.tree();
        let record = tree.frames().get(at)?;
        let frame = tree.frame(&record);
        Some(Source {
            kind: FrameKind::Loop,
            name: frame.name,
            value: frame.value,
            span: record.item,
            given: None,
            frame: at,
        })
    }

    /// Returns a parameter or pseudo parameter, if its value may be shown in the output.
    pub(crate) fn argument(&self, name: Symbol) -> Option<Source> {
        let ev = self.replay.seen();
        let bound = ev.parameters.get(name)?;
        let value = bound.value.filter(|_| !bound.secret)?;
        let text = match ev.tree.kind(value) {
            Kind::List => {
                ev.tree.items(value).iter().map(|&item| ev.tree.text_form(item)).collect::<Vec<_>>().join(",")
            }
            _ => ev.tree.text_form(value).to_owned(),
        };
        Some(Source {
            kind: if bound.pseudo { FrameKind::Pseudo } else { FrameKind::Argument },
            name: ev.tree.name(name).to_owned(),
            value: Some(text),
            span: ev.tree.span(value),
            given: Some(bound.given),
            frame: FrameId::NONE,
        })
    }
}
