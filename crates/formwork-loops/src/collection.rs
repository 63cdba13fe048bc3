//! The items of a loop (reference/for-each.md#collection, reference/map-and-merge.md#map-collection), computed alike
//! for `Fn::ForEach` and `Fn::Map`. `no_items` has the reports of missing items.

use std::rc::Rc;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Span, codes};
use formwork_evaluate::stage::{PinReason, PinnedParameter};
use formwork_evaluate::{Compat, Outcome, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId, Origin};
use formwork_template::dynamic_reference;

use super::Expander;
use super::no_items::Reported;
use super::parts::Loop;

#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// A string node; or a list or object, where only this engine runs the loop.
    pub(super) value: NodeId,
    /// The key of an object's entry, a string.
    pub(super) member: Option<NodeId>,
    pub(super) place: Span,
}

pub(super) fn construct(function: Known) -> PinReason {
    PinReason::Construct(function.long().to_owned())
}

impl Expander<'_, '_> {
    /// Returns the items of a loop; `None` when they are not known, which was reported.
    pub(super) fn items(&mut self, of: &Loop) -> Option<Rc<Vec<Item>>> {
        let is_constant = !self.uses.varies(of.collection);
        if is_constant && let Some(known) = self.collections.known.get(&of.collection) {
            return known.clone();
        }
        let mut node = self.instantiate(of.collection).unwrap_or(of.collection);
        if !is_constant {
            let Some(known) = self.nested_collection(of, node) else { return Some(Rc::default()) };
            node = known;
        }
        self.ev.looks.clear();
        let items: Option<Rc<Vec<Item>>> = self.evaluated(of, node).ok().map(Rc::new);
        if std::mem::take(&mut self.ev.has_missed_value) {
            self.collections.unchecked.insert(of.collection);
        }
        if items.is_some() {
            let name = of.name(self.ev.tree).to_owned();
            self.take_looks(&if of.is_map { PinReason::Construct(name) } else { PinReason::Loop(name) });
        }
        if items.as_ref().is_some_and(|items| items.is_empty()) {
            let name = shown(of.name(self.ev.tree));
            let what = if of.is_map { format!("this {name}") } else { format!("loop {name}") };
            let diagnostic =
                Diagnostic::new(codes::EMPTY_COLLECTION, format!("{what} has no items and generates nothing"));
            let span = self.ev.tree.span(of.site);
            self.report(diagnostic.at(span));
        }
        if is_constant {
            self.collections.known.insert(of.collection, items.clone());
        }
        items
    }

    pub(super) fn take_looks(&mut self, cause: &PinReason) {
        for look in std::mem::take(&mut self.ev.looks) {
            PinnedParameter::add(&mut self.collections.fixed, look, cause.clone());
        }
    }

    /// Evaluates the items of a loop whose collection is `node` in this iteration.
    fn evaluated(&mut self, of: &Loop, node: NodeId) -> Result<Vec<Item>, Reported> {
        let written = of.collection;
        let is_computed = self.ev.tree.kind(node) == Kind::Call;
        let list = match self.ev.tree.kind(node) {
            Kind::Call => self.known_value(of, node)?,
            _ => Some(node),
        };
        let is_collection = |&list: &NodeId| match self.ev.tree.kind(list) {
            Kind::List => true,
            Kind::Map => of.is_map || self.rules.formwork,
            _ => false,
        };
        let Some(list) = list.filter(is_collection) else {
            return Err(self.report_no_list(of, node, list));
        };
        // The elements of a list that a function returned are known; the values of an object may be calls.
        let is_known = is_computed && self.ev.tree.kind(list) == Kind::List;
        if is_known && self.ev.parameters.is_empty_text(self.ev.tree, list) && self.ev.settings.compat != Compat::Aws {
            return Ok(Vec::new());
        }
        // The items of a parameter are in its value, those of a computed list in the loop.
        let is_in_loop = is_known && self.ev.tree.argument_of(written, Known::Ref).is_none();
        let keys: Vec<NodeId> = self.ev.tree.entries(list).map(|entry| entry.key).collect();
        let elements = self.ev.tree.children(list);
        let mut items = Ok(Vec::with_capacity(elements.len()));
        // Objects and lists among the items are one mistake.
        let mut has_object = false;
        for (at, element) in elements.into_iter().enumerate() {
            let value = if is_known { Ok(Some(element)) } else { self.known_value(of, element) };
            let place = if is_known { node } else { element };
            if let Ok(Some(value)) = value
                && self.is_object_in_strings(of, value)
                && std::mem::replace(&mut has_object, true)
            {
                continue;
            }
            let value =
                value.and_then(|value| value.map(|value| self.item_value(of, value, at, place, is_known)).transpose());
            match (value, &mut items) {
                (Ok(Some(value)), Ok(items)) => {
                    let place = self.ev.tree.span(if is_in_loop { written } else { element });
                    items.push(Item { value, member: keys.get(at).map(|&key| self.text_of(key)), place });
                }
                (Ok(_), _) => {}
                (Err(reported), _) if is_known => return Err(reported),
                (Err(reported), _) => items = Err(reported),
            }
        }
        items
    }

    /// Evaluates a part of a collection; `None` for `AWS::NoValue`.
    fn known_value(&mut self, of: &Loop, node: NodeId) -> Result<Option<NodeId>, Reported> {
        match self.ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve(node))) {
            Outcome::Known(value) => Ok(Some(value)),
            Outcome::Omit(_) => Ok(None),
            Outcome::Secret { .. } => Err(self.report_secret(of, node)),
            Outcome::Residual(left) => Err(self.report_unknown(of, node, left)),
            Outcome::Poison => Err(Reported),
        }
    }

    /// Returns the value of an item: numbers and Booleans by their source text, lists and objects where only this
    /// engine runs the loop.
    fn item_value(
        &mut self,
        of: &Loop,
        value: NodeId,
        at: usize,
        place: NodeId,
        is_known: bool,
    ) -> Result<NodeId, Reported> {
        let text = match self.ev.tree.kind(value) {
            Kind::Number | Kind::Bool => self.text_of(value),
            Kind::Null => return Err(self.report_item(of, value, at, place, is_known)),
            _ if self.is_object_in_strings(of, value) => {
                return Err(self.report_item(of, value, at, place, is_known));
            }
            _ => value,
        };
        // Dynamic references are resolved at deployment, after loops.
        match dynamic_reference::find(self.ev.tree.string(text).unwrap_or_default()).map(shown) {
            Some(found) if !of.is_map => Err(self.report_dynamic(of, &found, text)),
            _ => Ok(text),
        }
    }

    fn is_object_in_strings(&self, of: &Loop, item: NodeId) -> bool {
        matches!(self.ev.tree.kind(item), Kind::List | Kind::Map) && !of.is_map && !self.rules.formwork
    }

    fn text_of(&mut self, node: NodeId) -> NodeId {
        let tree = &mut *self.ev.tree;
        let text = tree.text_form(node).to_owned();
        tree.computed(&text, Origin::Generated(node, FrameId::NONE))
    }
}
