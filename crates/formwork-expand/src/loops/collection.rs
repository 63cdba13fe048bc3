//! The items of a loop (reference/for-each.md#collection, reference/map-and-merge.md#map-collection): one
//! way for `Fn::ForEach` and `Fn::Map`. What they say where there are none is in `no_items`.

use formwork_base::{Diagnostic, Span, codes};
use formwork_evaluate::stage::{PinReason, PinnedParameter};
use formwork_evaluate::{Compat, Outcome, Visibility};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId, Origin};
use formwork_template::dynamic_reference;

use super::Expander;

/// An item of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Its text, a node of kind String; or a list or object, where only this engine runs the loop.
    pub(super) value: NodeId,
    /// The key of an object's member, a text.
    pub(super) member: Option<NodeId>,
    /// Where it stands.
    pub(super) place: Span,
}

/// A loop whose items are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Loop<'l> {
    /// An `Fn::ForEach`, by its key and its name.
    ForEach(NodeId, &'l str),
    /// A call of `Fn::Map`.
    Map(NodeId),
}

/// Nothing, because of something that was reported.
pub(super) struct Reported;

/// A function as what fixes a value.
pub(super) fn construct(function: Known) -> PinReason {
    PinReason::Construct(function.long().to_owned())
}

impl Expander<'_, '_> {
    /// The items of a loop; `None` when there are none to be had, which was reported.
    pub(super) fn items(&mut self, of: Loop<'_>, collection: NodeId) -> Option<Vec<Item>> {
        let is_constant = !self.uses.varies(collection);
        if is_constant && let Some(known) = self.collections.get(&collection) {
            return known.clone();
        }
        let node = self.instantiate(collection).unwrap_or(collection);
        self.ev.looks.clear();
        let items = self.evaluated(of, collection, node).ok();
        if std::mem::take(&mut self.ev.has_missed_value) {
            self.unchecked.insert(collection);
        }
        if items.is_some() {
            self.take_looks(&match of {
                Loop::ForEach(_, name) => PinReason::Loop(name.to_owned()),
                Loop::Map(_) => construct(Known::Map),
            });
        }
        if items.as_ref().is_some_and(Vec::is_empty) {
            let (at, what) = match of {
                Loop::ForEach(key, name) => (key, format!("loop {} has no items and makes nothing", shown(name))),
                Loop::Map(call) => {
                    (self.ev.tree.call_name(call), "this Fn::Map has no items and makes nothing".to_owned())
                }
            };
            let diagnostic = Diagnostic::new(codes::EMPTY_COLLECTION, what).at(self.ev.tree.span(at));
            self.report(diagnostic);
        }
        if is_constant {
            self.collections.insert(collection, items.clone());
        }
        items
    }

    /// Notes which values of the template the result now depends on.
    pub(super) fn take_looks(&mut self, cause: &PinReason) {
        for look in std::mem::take(&mut self.ev.looks) {
            PinnedParameter::add(&mut self.fixed, look, cause.clone());
        }
    }

    /// The items of a collection: `written`, which is `node` in this iteration.
    fn evaluated(&mut self, of: Loop<'_>, written: NodeId, node: NodeId) -> Result<Vec<Item>, Reported> {
        let is_computed = self.ev.tree.kind(node) == Kind::Call;
        let list = match self.ev.tree.kind(node) {
            Kind::Call => self.known_value(of, node)?,
            _ => Some(node),
        };
        let is_collection = |&list: &NodeId| match self.ev.tree.kind(list) {
            Kind::List => true,
            Kind::Map => matches!(of, Loop::Map(_)) || self.rules.formwork,
            _ => false,
        };
        let Some(list) = list.filter(is_collection) else {
            return Err(self.report_no_list(of, written, node, list));
        };
        // What a function returned as a list is known; the members of an object may be calls.
        let is_known = is_computed && self.ev.tree.kind(list) == Kind::List;
        if is_known && self.ev.parameters.is_empty_text(self.ev.tree, list) && self.ev.settings.compat != Compat::Aws {
            return Ok(Vec::new());
        }
        // A parameter's items stand in its value, those of a list that was computed in the loop.
        let is_in_loop = is_known && self.ev.tree.argument_of(written, Known::Ref).is_none();
        let keys: Vec<NodeId> = self.ev.tree.entries(list).map(|entry| entry.key).collect();
        let elements = self.ev.tree.children(list);
        let mut items = Ok(Vec::with_capacity(elements.len()));
        for (at, element) in elements.into_iter().enumerate() {
            let value = if is_known { Ok(Some(element)) } else { self.known_value(of, element) };
            let place = if is_known { node } else { element };
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

    /// What a part of a collection is; nothing for `AWS::NoValue`.
    fn known_value(&mut self, of: Loop<'_>, node: NodeId) -> Result<Option<NodeId>, Reported> {
        match self.ev.with_sight(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve(node))) {
            Outcome::Known(value) => Ok(Some(value)),
            Outcome::Omit(_) => Ok(None),
            Outcome::Secret { .. } => Err(self.report_secret(of, node)),
            Outcome::Residual(left) => Err(self.report_unknown(of, node, left)),
            Outcome::Poison => Err(Reported),
        }
    }

    /// An item: numbers and Booleans by their source text, lists and objects where only this engine runs the
    /// loop.
    fn item_value(
        &mut self,
        of: Loop<'_>,
        value: NodeId,
        at: usize,
        place: NodeId,
        is_known: bool,
    ) -> Result<NodeId, Reported> {
        let of_map = matches!(of, Loop::Map(_));
        let text = match self.ev.tree.kind(value) {
            Kind::Number | Kind::Bool => self.text_of(value),
            Kind::Null => return Err(self.report_item(of, value, at, place, is_known)),
            Kind::List | Kind::Map if !of_map && !self.rules.formwork => {
                return Err(self.report_item(of, value, at, place, is_known));
            }
            _ => value,
        };
        // Dynamic references are resolved at deployment, after loops.
        let found = dynamic_reference::find(self.ev.tree.string(text).unwrap_or_default()).map(shown);
        match (of, found) {
            (Loop::ForEach(_, name), Some(found)) => Err(self.report_dynamic(name, &found, text)),
            _ => Ok(text),
        }
    }

    fn text_of(&mut self, node: NodeId) -> NodeId {
        let tree = &mut *self.ev.tree;
        let text = tree.text_form(node).to_owned();
        tree.computed(&text, Origin::Generated(node, FrameId::NONE))
    }
}
