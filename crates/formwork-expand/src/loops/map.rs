//! `Fn::Map`: members of an object, or items of a list (reference/map-and-merge.md#map-key,
//! reference/map-and-merge.md#map-flattening).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::{Truth, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId};
use formwork_template::{Section, logical_id};

use super::collection::Loop;
use super::iteration::Iteration;
use super::keys::alphanumeric_key;
use super::members::{Maker, Members};
use super::parts::MapParts;
use super::{Expander, Level};

impl Expander<'_, '_> {
    /// What an `Fn::Map` becomes: an object, or a list.
    pub(super) fn map_value(&mut self, call: NodeId) -> NodeId {
        let argument = self.ev.tree.call(call).1;
        let Some(parts) = MapParts::read(self.ev.tree, argument).filter(|_| !self.bad.contains(&call)) else {
            return call;
        };
        if parts.key.is_some() {
            let mut members = Members::default();
            self.map_members(call, Level::Inner, &mut members);
            self.check_duplicates(&members, Level::Inner);
            return self.object(call, &members);
        }
        let mut items = Vec::new();
        self.map_items(call, &mut items);
        self.list_of(call, &items)
    }

    /// Adds the members that an `Fn::Map` with a key makes.
    pub(super) fn map_members(&mut self, call: NodeId, level: Level, out: &mut Members) {
        let argument = self.ev.tree.call(call).1;
        let Some(parts) = MapParts::read(self.ev.tree, argument) else { return };
        let Some(key) = parts.key else { return };
        let from = out.entries.len();
        self.each(call, &parts, |expander| {
            let Some(key) = expander.map_key(call, key) else { return };
            if let Level::Section(section) = level {
                if !logical_id::is_alphanumeric(expander.ev.tree.text(key)) {
                    return expander.report_map_name(key, section);
                }
                expander.made.insert(key);
            }
            let value = expander.member(key, parts.fragment, level);
            out.entries.extend(value.map(|value| Entry { key, value }));
        });
        out.close(from, Maker::Map(self.ev.tree.call_name(call)));
    }

    /// Adds the items that an `Fn::Map` without a key makes: a fragment that is written as a list is
    /// spliced out.
    pub(super) fn map_items(&mut self, call: NodeId, out: &mut Vec<NodeId>) {
        let argument = self.ev.tree.call(call).1;
        let Some(parts) = MapParts::read(self.ev.tree, argument) else { return };
        let fragment = parts.fragment;
        self.each(call, &parts, |expander| match expander.ev.tree.kind(fragment) {
            Kind::List => expander.splice(fragment, out),
            _ => out.extend(expander.instantiate(fragment)),
        });
    }

    /// Adds the items of a list.
    pub(super) fn splice(&mut self, list: NodeId, out: &mut Vec<NodeId>) {
        for at in 0..self.ev.tree.len(list) {
            let item = self.ev.tree.items(list)[at];
            self.item(item, out);
        }
    }

    /// Adds what an item of a list becomes: the items of an `Fn::Map` without a key stand in its
    /// place, as do those of a loop that makes items.
    pub(super) fn item(&mut self, item: NodeId, out: &mut Vec<NodeId>) {
        if !self.uses.is_touched(item) {
            out.push(item);
            return;
        }
        if MapParts::generates_items(self.ev.tree, item) {
            self.in_list += 1;
            self.map_items(item, out);
            self.in_list -= 1;
            return;
        }
        if self.rules.formwork
            && self.rules.for_each
            && let Some((entry, name)) = super::list_loop(self.ev.tree, item)
        {
            let name = name.to_owned();
            let fragment = self.ev.tree.items(entry.value)[2];
            self.iterate(entry, &name, |expander| expander.splice(fragment, out));
            return;
        }
        out.extend(self.instantiate(item));
    }

    /// Runs `work` in each iteration of an `Fn::Map`.
    fn each(&mut self, call: NodeId, parts: &MapParts, mut work: impl FnMut(&mut Self)) {
        self.worked += 1;
        if self.bad.contains(&call) || self.stopped {
            return;
        }
        let name = self.ev.tree.call_name(call);
        let Some(items) = self.items(Loop::Map(call), parts.collection) else {
            return self.leave_map_unchecked(parts);
        };
        let (position, variable) = parts.names(self.ev.tree);
        let round = Iteration {
            site: name,
            name: Known::Map.long(),
            items,
            fragment: parts.fragment,
            position: Some(position.into()),
            variable: variable.into(),
            of_map: true,
        };
        self.run_round(&round, |expander| {
            if parts.when.is_none_or(|when| expander.is_wanted(when)) {
                work(expander);
            }
        });
        self.leave_map_unchecked(parts);
    }

    /// Whether the condition of an iteration holds.
    fn is_wanted(&mut self, when: NodeId) -> bool {
        let Some(node) = self.instantiate(when) else { return false };
        match self.ev.with_sight(Visibility::Full, |ev| ev.strictly(|ev| ev.decide(node))) {
            Truth::True => true,
            Truth::False | Truth::Poison => false,
            Truth::Unknown => {
                self.report_unresolved(when, node, "the condition of this iteration is not known");
                false
            }
        }
    }

    fn report_map_name(&mut self, key: NodeId, section: Section) {
        let name = formwork_syntax::document::shown(self.ev.tree.text(key));
        let what = section.name().strip_suffix('s').unwrap_or(section.name());
        let diagnostic = Diagnostic::new(
            codes::MAP_NAME_NOT_ALPHANUMERIC,
            format!(
                "{name} has other characters than letters and digits: `Template format error: {what} name {name} is non alphanumeric.`"
            ),
        )
        .at(self.ev.tree.span(key))
        .label(format!("gives {name}"))
        .help(self.map_key_advice(key));
        self.report(diagnostic);
    }

    /// The key as it would be written for alphanumeric names.
    fn map_key_advice(&self, key: NodeId) -> String {
        let written = self.ev.tree.text_form(self.ev.tree.authored(key));
        if written.contains("${") {
            format!("write `\"{}\"`: it takes the letters and digits of the item", alphanumeric_key(written))
        } else {
            "write `&{Value}` in the key: it takes the letters and digits of the item".to_owned()
        }
    }
}
