//! Unknown items: the body of a loop without items is judged with one (reference/command-line.md#checks).

use std::rc::Rc;

use formwork_base::Span;
use formwork_syntax::{FrameId, Kind, NodeId, Origin, Style};

use super::Expander;
use super::collection::Item;
use super::parts::Loop;

/// The most unknown items of a run.
const MOST: usize = 500;

/// The beginning of every mark. No name of a template begins with it.
const MARK: &str = "Zq7formwork";

/// The item of a loop of which no item is known.
#[derive(Clone, Debug)]
pub struct UnknownItem {
    /// The string of the item, which is alphanumeric, as names have to be.
    pub mark: String,
    /// Name of the loop variable.
    pub variable: String,
    /// The node of the item.
    pub node: NodeId,
    /// Set for a loop over objects, which are an error: each attribute of the item is the item.
    pub(super) is_object: bool,
    /// The place of the loop.
    pub site: Span,
    /// The place of the loop's body.
    pub body: Span,
}

impl UnknownItem {
    /// Returns a text with the variables of loops in the place of their items.
    pub fn shown_in(items: &[UnknownItem], text: &str) -> String {
        let mut shown = text.to_owned();
        for item in items.iter().filter(|item| text.contains(&item.mark)) {
            shown = shown.replace(&item.mark, &format!("${{{}}}", item.variable));
        }
        shown
    }

    /// Returns `true` for a text with an unknown item.
    pub fn is_in(text: &str) -> bool {
        text.contains(MARK)
    }
}

impl Expander<'_, '_> {
    /// Returns the items of a loop; an unknown one where it has none, in its first run, and in another unknown iteration.
    pub(super) fn items_or_unknown(&mut self, of: &Loop) -> Option<Rc<Vec<Item>>> {
        let unknown = &self.runs.unknown;
        let is_unknown = |value| unknown.iter().any(|item| Some(item.node) == value);
        let is_inside =
            !unknown.is_empty() && self.ev.tree.frames().chain(self.frame).any(|(_, link)| is_unknown(link.value));
        let items = if is_inside { None } else { self.items(of) };
        if items.as_ref().is_some_and(|items| !items.is_empty()) {
            return items;
        }
        self.runs.lacks_items = true;
        let is_first = !self.runs.by_key.contains_key(&of.site) && self.runs.unknown.len() < MOST;
        if !self.ev.settings.has_unknown_items || !is_first {
            return items;
        }
        self.note_names(of);
        let tree = &mut *self.ev.tree;
        let mark = format!("{MARK}{}x", tree.span(of.site).start());
        let origin = Origin::Generated(of.collection, FrameId::NONE);
        let node = tree.scalar(Kind::String, Style::Plain, &mark, origin);
        let variable = of.variables(tree).1.to_owned();
        let (site, body) = (tree.span(of.site), tree.span(of.fragment));
        let is_object = tree.items(of.collection).iter().any(|&item| tree.is_collection(item));
        self.runs.unknown.push(UnknownItem { mark, variable, node, is_object, site, body });
        Some(Rc::new(vec![Item { value: node, member: None, place: tree.span(of.collection) }]))
    }
}
