//! Sources of strings that a loop, an argument or a parameter generated, because they are corrected there.

use formwork_base::display::shown;
use formwork_base::{Frame, FrameKind};
use formwork_syntax::{NodeId, View};
use formwork_template::reference;
use formwork_template::sub_string::{self, Part};

use super::walk::Walk;

impl Walk<'_> {
    /// Advises to write another string; for a generated one, with its source and the place of it.
    pub(super) fn advice(&self, node: NodeId, text: &str) -> String {
        match self.source_of(node) {
            Some(source) => format!("write {text}: the text comes from {source}"),
            None => format!("write {text}"),
        }
    }

    /// Describes the item, argument or parameter that generated a string, with its place.
    fn source_of(&self, node: NodeId) -> Option<String> {
        let tree = self.tree;
        if !tree.is_generated(node) {
            return None;
        }
        let names = self.names_in(tree.authored(node));
        let frames = self.frames_around(node);
        let is_named = |frame: &&Frame| frame.kind == FrameKind::Loop && names.contains(&frame.name);
        if let Some(frame) = frames.iter().rev().find(is_named) {
            let item = frame.value.as_deref().map(|value| format!(" \"{}\"", shown(value))).unwrap_or_default();
            let of = frame.loop_name.as_deref().map(|name| format!(" of loop {}", shown(name))).unwrap_or_default();
            let place = self.place_in_words(frame.item).map_or(of, |place| format!(" ({place})"));
            return Some(format!("item{item}{place}"));
        }
        let name = names.iter().find(|name| !name.contains(':'))?;
        match frames.iter().rev().find(|frame| frame.kind == FrameKind::Module) {
            Some(import) => {
                let place = self.place_in_words(import.span).map(|place| format!(" ({place})")).unwrap_or_default();
                Some(format!("argument {} of import {}{place}", shown(name), shown(&import.name)))
            }
            None => Some(format!("parameter {}", shown(name))),
        }
    }

    fn names_in(&self, node: NodeId) -> Vec<String> {
        let tree = self.tree;
        let mut names = Vec::new();
        match tree.view(node) {
            View::Call(..) => {
                let mut enter = |_| true;
                reference::visit(tree, node, &mut enter, &mut |found| names.push(found.name.to_owned()));
            }
            View::Map | View::List(_) => {}
            _ => {
                let text = tree.text_form(node);
                names.extend(sub_string::parts(text).filter_map(Part::variable).map(str::to_owned));
                // The second spelling of a loop's variable, and of its value.
                names.extend(text.split("&{").skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())));
                names.extend(text.strip_prefix('$').map(str::to_owned));
            }
        }
        names
    }

    fn place_in_words(&self, span: formwork_base::Span) -> Option<String> {
        let place = self.sources.place(span)?;
        Some(format!("{}:{}:{}", shown(self.sources.display(place.file)), place.line, place.column))
    }
}
