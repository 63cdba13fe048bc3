//! The walk through the values of resources: a value and its content, by the node of its schema.

use formwork_schemas::{Kind, Node, ResourceType};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind as Written, NodeId, View, flags, symbol};
use formwork_template::attribute;

use super::combinations;
use super::kind::alternatives_accept;
use super::object::Named;
use super::step::Step;
use super::walk::{At, Walk};

/// Deeper values are not checked: only types whose schema contains itself have any.
const DEEPEST: usize = 64;

impl<'w> Walk<'w> {
    pub(super) fn resource(&mut self, key: NodeId, resource: NodeId, known: ResourceType<'w>) {
        self.begin(key, known);
        match self.tree.member(resource, symbol::PROPERTIES) {
            Some(entry) if self.is_object(entry.value) => {
                let properties = At { node: entry.value, key: Some(entry.key) };
                self.value(known.properties(), properties);
                self.rules(properties);
                self.policies(properties);
                self.tags(properties);
                self.attributes_of_tables(properties);
                self.between(properties);
            }
            // Other values are reported as the wrong kind of the attribute, or not known.
            Some(entry) if self.tree.kind(entry.value) != Written::Null => {}
            // A misspelt `Properties` is reported as such.
            _ if self.has_unknown_attribute(resource) => {}
            _ => self.without_properties(known),
        }
    }

    /// Returns `true` for an object, or a choice by `Fn::If`.
    fn is_object(&self, value: NodeId) -> bool {
        matches!(self.tree.view(value), View::Map | View::Call(Function::Known(Known::If), _))
    }

    fn has_unknown_attribute(&self, resource: NodeId) -> bool {
        self.tree.entries(resource).any(|entry| !attribute::RESOURCE.contains(&self.tree.symbol(entry.key)))
    }

    fn value(&mut self, schema: Node<'w>, at: At) {
        if self.path.len() > DEEPEST {
            return;
        }
        let tree = self.tree;
        let node = at.node;
        let is_leaf = tree.is_scalar(node) || tree.kind(node) == Written::Null;
        // Copies of a loop's body share values that do not depend on its variable.
        let is_shared = !is_leaf && tree.may_share() && !tree.is_generated(node) && !tree.has(node, flags::HAS_ALIAS);
        let mark = (node, schema.key(), self.resource.map_or("", |resource| resource.name()));
        if is_shared && let Some(found) = self.done.get(&mark) {
            // The findings are repeated for this copy.
            for (diagnostic, _) in self.found.get_mut(found.clone()).unwrap_or_default() {
                diagnostic.count += 1;
            }
            return;
        }
        let before = self.found.len();
        let own = tree.frame_of(node);
        let is_context = !own.is_none() && self.contexts.last() != Some(&own);
        if is_context {
            self.contexts.push(own);
        }
        if !is_leaf && schema.is_open() {
            self.slips(schema, at);
        }
        let span = tree.span(node);
        let has_place = !span.is_none();
        if has_place {
            self.around.push(span);
        }
        match tree.view(node) {
            View::Null => {}
            View::Call(Function::Known(Known::If), argument) => self.branches(schema, argument),
            View::Call(function, argument) => self.call(schema, at, function, argument),
            View::List(items) => self.list(schema, at, items),
            View::Map => self.object(schema, at),
            _ => self.scalar(schema, at),
        }
        if has_place {
            self.around.pop();
        }
        if is_context {
            self.contexts.pop();
        }
        if is_shared {
            self.done.insert(mark, before..self.found.len());
        }
    }

    fn object(&mut self, schema: Node<'w>, at: At) {
        if !self.is_plain_object(at.node) {
            return;
        }
        if !schema.kinds().allows(Kind::Object) {
            return self.wrong_object(schema, at);
        }
        if !alternatives_accept(schema, Kind::Object) {
            return self.wrong_kind(schema, at, "an object", "JSONObject");
        }
        if self.is_serverless() && schema.has_alternatives() && !self.path.is_empty() {
            return;
        }
        let tree = self.tree;
        for entry in tree.entries(at.node) {
            if self.is_nothing(entry.value) {
                continue;
            }
            let name = tree.text(entry.key);
            self.path.push(Step::Key(name));
            match self.named(schema, name) {
                Named::Node(node) => {
                    self.special(entry);
                    self.value(node, At { node: entry.value, key: Some(entry.key) });
                }
                Named::Open => {}
                Named::Unknown => self.unknown(schema, at, entry),
            }
            self.path.pop();
        }
        self.required(schema, at);
        self.zip_package(at);
        self.event_sources(at);
        if !self.is_serverless() {
            combinations::judge(self, schema, at);
        }
        self.count_of_properties(schema, at);
    }

    fn list(&mut self, schema: Node<'w>, at: At, items: &'w [NodeId]) {
        let is_list = schema.kinds().allows(Kind::Array);
        if !is_list || !alternatives_accept(schema, Kind::Array) {
            return self.wrong_kind(schema, at, "a list", "JSONArray");
        }
        if schema.has_alternatives() {
            // A list is meant by the only alternative that takes one.
            let mut lists = schema.one_of().chain(schema.any_of()).filter(|node| node.kinds().has(Kind::Array));
            return match (lists.next(), lists.next()) {
                (Some(only), None) if !only.has_alternatives() && !self.is_serverless() => self.list(only, at, items),
                _ => {}
            };
        }
        if let Some(element) = schema.items() {
            for (number, &item) in items.iter().enumerate() {
                if !self.is_nothing(item) {
                    self.path.push(Step::Element(number));
                    self.value(element, At { node: item, key: None });
                    self.path.pop();
                }
            }
        }
        if self.tree.has(at.node, flags::HAS_LOOP | flags::HAS_TRANSFORM) {
            return;
        }
        self.count_of_elements(schema, at, items);
        if schema.has_unique_items() {
            self.equal_elements(items);
        }
    }

    fn branches(&mut self, schema: Node<'w>, argument: NodeId) {
        if let [_, holds, fails] = *self.tree.items(argument) {
            for branch in [holds, fails] {
                if !self.is_nothing(branch) {
                    self.value(schema, At { node: branch, key: None });
                }
            }
        }
    }
}
