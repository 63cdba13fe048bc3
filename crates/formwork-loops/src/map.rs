//! Expansion of `Fn::Map` to keys of an object, or elements of a list (reference/map-and-merge.md#map-key,
//! reference/map-and-merge.md#map-flattening).

use std::rc::Rc;

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::Outcome;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, flags};
use formwork_template::{Section, logical_id};

use super::keys::alphanumeric_key;
use super::map_check::error;
use super::parts::Loop;
use super::plan::{Syntax, TextPlan};
use super::produced::{GeneratedEntries, Maker};
use super::{Expander, Level};

struct MapKey<'l> {
    of: &'l Loop,
    node: NodeId,
    level: Level,
    /// The parsed string of the key, when it is the same for all items: it has only variables of loops, and no
    /// attributes.
    plan: Option<(NodeId, Rc<TextPlan>)>,
}

impl Expander<'_, '_> {
    pub(super) fn map_value(&mut self, call: NodeId) -> NodeId {
        let Some(of) = Loop::map(self.ev.tree, call).filter(|_| !self.bad.contains(&call)) else { return call };
        if self.waits(of.collection) {
            return self.waiting_map(call);
        }
        if let Some(key) = of.key {
            let mut members = GeneratedEntries::default();
            self.map_members(&of, key, Level::Inner, &mut members);
            self.check_duplicates(&members, Level::Inner);
            return self.object(call, &members);
        }
        let mut items = Vec::new();
        self.map_items(&of, &mut items);
        self.list_of(call, &items)
    }

    pub(super) fn map_members(&mut self, of: &Loop, key: NodeId, level: Level, out: &mut GeneratedEntries) {
        let from = out.entries.len();
        let mut key = MapKey { of, node: key, level, plan: None };
        self.iterate(of, |expander| {
            let Some(key) = expander.map_key(&mut key) else { return };
            // Merged entries are recorded together.
            if level != Level::Inner && out.merges == 0 {
                expander.made.insert(key);
            }
            let value = expander.member(key, of.fragment, level);
            out.entries.extend(value.map(|value| Entry { key, value }));
        });
        out.close(from, Maker::Map(of.site));
    }

    /// Adds the elements that an `Fn::Map` without a key generates: a fragment that is written as a list is spliced.
    pub(super) fn map_items(&mut self, of: &Loop, out: &mut Vec<NodeId>) {
        self.iterate(of, |expander| match expander.ev.tree.kind(of.fragment) {
            Kind::List => expander.splice(of.fragment, out),
            _ => out.extend(expander.instantiate(of.fragment)),
        });
    }

    pub(super) fn splice(&mut self, list: NodeId, out: &mut Vec<NodeId>) {
        for at in 0..self.ev.tree.len(list) {
            let item = self.ev.tree.items(list)[at];
            self.item(item, out);
        }
    }

    /// Adds the results of an element of a list: the elements of an `Fn::Map` without a key replace it, as do those of
    /// a loop that generates elements.
    fn item(&mut self, item: NodeId, out: &mut Vec<NodeId>) {
        let tree = &*self.ev.tree;
        if !tree.has(item, flags::HAS_LOOP) || !self.uses.is_touched(item) {
            out.extend(self.instantiate(item));
        } else if let Some(of) = Loop::of_items(tree, item).filter(|of| !self.waits(of.collection)) {
            self.in_list += 1;
            self.map_items(&of, out);
            self.in_list -= 1;
        } else if let Some((_, of)) = Loop::in_list(tree, item).filter(|_| self.rules.loops_make_items()) {
            self.iterate(&of, |expander| expander.splice(of.fragment, out));
        } else {
            out.extend(self.instantiate(item));
        }
    }

    /// Returns the key in this iteration; `None` for a missing or invalid one, which was reported.
    fn map_key(&mut self, key: &mut MapKey<'_>) -> Option<NodeId> {
        if let Some((text, plan)) = &key.plan {
            return self.closed_key(key, *text, plan);
        }
        // A plain string is evaluated like an `Fn::Sub`.
        let text = self.ev.tree.argument_of(key.node, Known::Sub).unwrap_or(key.node);
        if self.ev.tree.kind(text) != Kind::String {
            let node = self.instantiate(key.node).unwrap_or(key.node);
            return self.known_key(key, node);
        }
        let plan = self.plan(text, None, Syntax::SubAndAmpersands);
        if self.is_closed(&plan, text) {
            let made = self.closed_key(key, text, &plan);
            key.plan = (!plan.has_attributes).then_some((text, plan));
            return made;
        }
        let filled = self.fill_soundly(text, &plan, true)?.text;
        let (filled, map) = self.call_text(filled, text, None);
        let filled = map.map_or(filled, |map| self.list(text, &[filled, map]));
        let tree = &mut *self.ev.tree;
        let origin = Origin::Generated(key.node, self.frame);
        let name = tree.key(Known::Sub.long(), Style::Plain, origin);
        let node = tree.add_call(Function::Known(Known::Sub), name, filled, Style::Plain, origin);
        self.known_key(key, node)
    }

    fn closed_key(&mut self, key: &MapKey<'_>, text: NodeId, plan: &TextPlan) -> Option<NodeId> {
        let filled = self.fill_soundly(text, plan, false)?.text.into_string();
        let made = self.key_of(key, &filled);
        self.reuse(filled);
        made
    }

    fn known_key(&mut self, key: &MapKey<'_>, node: NodeId) -> Option<NodeId> {
        match self.known(node, Known::Map) {
            Outcome::Known(value) => match self.ev.tree.string(value).map(str::to_owned) {
                Some(text) => return self.key_of(key, &text),
                None => self.report_key_value(key.node),
            },
            Outcome::Secret { .. } => {
                self.report_map_no_echo(key.of, key.node, node, "the key of this Fn::Map needs");
            }
            Outcome::Residual(left) => {
                self.report_unresolved(key.of, key.node, left, "the key of this Fn::Map is not known");
            }
            Outcome::Omit(_) => self.report_key_value(key.node),
            Outcome::Poison => {}
        }
        None
    }

    fn key_of(&mut self, key: &MapKey<'_>, text: &str) -> Option<NodeId> {
        if text.is_empty() {
            self.report_key_value(key.node);
            return None;
        }
        let made = self.ev.tree.key(text, Style::Plain, Origin::Generated(key.node, self.frame));
        match key.level {
            Level::Section(section) if !logical_id::is_alphanumeric(text) => {
                self.report_map_name(made, section);
                None
            }
            _ => Some(made),
        }
    }

    fn report_key_value(&mut self, key: NodeId) {
        let diagnostic = error(
            codes::MAP_KEY,
            "the Key of this Fn::Map does not return a string",
            "Fn::Map Key must resolve to a non-empty string",
        )
        .at(self.ev.tree.span(key))
        .help("write a string that contains the item: `Key: \"Name${Value}\"`");
        self.report(diagnostic);
    }

    fn report_map_name(&mut self, key: NodeId, section: Section) {
        let name = formwork_base::display::shown(self.ev.tree.text(key));
        let what = section.name().strip_suffix('s').unwrap_or(section.name());
        let diagnostic = Diagnostic::new(
            codes::MAP_NAME_NOT_ALPHANUMERIC,
            format!("{name} is not alphanumeric: `Template format error: {what} name {name} is non alphanumeric.`"),
        )
        .at(self.ev.tree.span(key))
        .label(format!("resolves to {name}"))
        .help(self.map_key_advice(key));
        self.report(diagnostic);
    }

    fn map_key_advice(&self, key: NodeId) -> String {
        let written = self.ev.tree.text_form(self.ev.tree.authored(key));
        if written.contains("${") {
            format!("write `\"{}\"`: it keeps the letters and digits of the item", alphanumeric_key(written))
        } else {
            "write `&{Value}` in the key: it keeps the letters and digits of the item".to_owned()
        }
    }
}
