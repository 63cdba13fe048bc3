//! Expansion of `Fn::Sub` in a loop's body: the items are inserted into its string (reference/for-each.md#substitution;
//! reference/map-and-merge.md#map-references).

use std::rc::Rc;

use formwork_evaluate::{Compat, Outcome, Values, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, flags};
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::SubText;
use rustc_hash::FxHashSet;

use super::Expander;
use super::plan::{Syntax, TextPlan};

impl Expander<'_, '_> {
    /// Expands `Fn::Sub`: the items are inserted into its string, escaped so that they are never read as variables.
    pub(super) fn sub(&mut self, node: NodeId, argument: NodeId) -> NodeId {
        let (written, map) = sub_parts(self.ev.tree, argument);
        let is_alone = map.is_none() && written == argument;
        let (text, plan) = self.sub_plan(written, map);
        let mut filled_text = text;
        let mut map = map.map(|map| self.sub_map(map, text));
        if let Some(plan) = plan {
            // With other variables the value is not known.
            let is_known = is_alone && self.is_closed(&plan, text);
            let filled = self.fill_soundly(text, &plan, !is_known).unwrap_or_default().text;
            if is_known {
                let filled = filled.into_string();
                filled_text = self.ev.tree.computed(&filled, Origin::Generated(node, self.frame));
                self.reuse(filled);
                return filled_text;
            }
            (filled_text, map) = self.call_text(filled, written, map);
        }
        let list = match map {
            None if is_alone && filled_text == written => return node,
            None if is_alone => return self.ev.tree.call_like(node, filled_text, self.frame),
            None => self.list(argument, &[filled_text]),
            Some(map) => {
                // Surplus elements are reported where the call is evaluated.
                let more: Vec<NodeId> = self.ev.tree.items(argument).iter().skip(2).copied().collect();
                let parts = [filled_text, map].into_iter().chain(more).collect::<Vec<_>>();
                self.list(argument, &parts)
            }
        };
        let call = self.ev.tree.call_like(node, list, self.frame);
        // A value that has to be pinned is not reduced before its parameters are recorded.
        let is_fixed = self.ev.settings.values == Values::Pin && self.ev.tree.has(list, flags::HAS_CONSTRUCT);
        if is_fixed || map.is_some_and(|map| self.waits_for_copies(map) || self.has_unused_calls(map, filled_text)) {
            return call;
        }
        match self.ev.with_visibility(Visibility::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Known(value) => value,
            Outcome::Residual(left) => left,
            _ => call,
        }
    }

    /// Returns `true` when a mapping has a variable that the string does not use, whose value is a call: its errors are
    /// reported where the call is evaluated.
    fn has_unused_calls(&self, map: NodeId, text: NodeId) -> bool {
        let tree = &*self.ev.tree;
        if !tree.has(map, flags::HAS_CALL) {
            return false;
        }
        let used: FxHashSet<&str> = sub_string::parts(tree.text(text)).filter_map(Part::variable).collect();
        let mut calls = tree.entries(map).filter(|entry| tree.has(entry.value, flags::HAS_CALL));
        calls.any(|entry| !used.contains(tree.text(entry.key)))
    }

    /// Returns the string of an `Fn::Sub` with only variables of loops, which [`Expander::reuse`] takes back; `None`
    /// for other nodes.
    pub(super) fn closed_text(&mut self, node: NodeId) -> Option<String> {
        let tree = &*self.ev.tree;
        let text = tree.argument_of(node, Known::Sub)?;
        let is_named = self.rules.formwork && tree.text(text).contains("&{");
        if tree.is_alias(node) || is_named || !self.uses.is_touched(node) {
            return None;
        }
        let (text, plan) = self.sub_plan(text, None);
        let plan = plan.filter(|plan| self.is_closed(plan, text))?;
        Some(self.fill_soundly(text, &plan, false).unwrap_or_default().text.into_string())
    }

    pub(super) fn call_text(
        &mut self,
        mut filled: SubText,
        from: NodeId,
        map: Option<NodeId>,
    ) -> (NodeId, Option<NodeId>) {
        let origin = Origin::Generated(from, self.frame);
        let map = filled.with_dollar(self.ev.tree, map, origin);
        let filled = filled.into_string();
        let text = self.ev.tree.computed(&filled, origin);
        self.reuse(filled);
        (text, map)
    }

    /// Returns the string of an `Fn::Sub`, and its pieces if it contains items. `map` has the variables of the call
    /// itself. With `Formwork` declared every `&{}` of a loop is filled before: it may be part of the name of a
    /// variable, `${Queue&{Name}.Arn}`.
    fn sub_plan(&mut self, text: NodeId, map: Option<NodeId>) -> (NodeId, Option<Rc<TextPlan>>) {
        let written = text;
        let text = self.with_words_apart(written);
        let is_touched = text != written || self.uses.is_touched(written);
        if !is_touched || self.ev.tree.kind(text) != Kind::String {
            return (text, None);
        }
        if self.rules.formwork && self.ev.tree.text(text).contains("&{") {
            let named = self.ampersands_filled(text);
            return (named, Some(Rc::new(self.plan_once(named, map, Syntax::Sub))));
        }
        let is_sam = self.ev.settings.compat == Compat::Sam;
        (text, Some(self.plan(text, map, if is_sam { Syntax::SubAndAmpersands } else { Syntax::Sub })))
    }

    /// Instantiates the values of a mapping of variables; its names are kept. An entry with the name of an identifier
    /// of `Fn::ForEach` has no effect: the item replaced it in the string. Beside a variable of `Fn::Map` unused
    /// variables are removed, too.
    fn sub_map(&mut self, map: NodeId, text: NodeId) -> NodeId {
        if self.ev.tree.kind(map) != Kind::Map {
            return map;
        }
        let tree = &*self.ev.tree;
        let of_map = self.bindings.last().is_some_and(|binding| binding.of_map);
        let named: Option<FxHashSet<&str>> =
            of_map.then(|| sub_string::parts(tree.text(text)).filter_map(Part::variable).collect());
        let is_used = |entry: &Entry| {
            let name = tree.text(entry.key);
            let binding = self.bindings.iter().rfind(|binding| *binding.name == *name);
            named.as_ref().is_none_or(|named| named.contains(name)) && binding.is_none_or(|binding| binding.of_map)
        };
        let entries: Vec<Entry> = tree.entries(map).filter(is_used).collect();
        if entries.len() == tree.len(map) && !self.uses.is_touched(map) {
            return map;
        }
        let entries: Vec<Entry> =
            entries.into_iter().map(|entry| Entry { key: entry.key, value: self.or_no_value(entry.value) }).collect();
        let style = self.ev.tree.style(map);
        self.ev.tree.map(&entries, style, Origin::Generated(map, self.frame))
    }
}
