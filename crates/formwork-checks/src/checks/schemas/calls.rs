//! Kinds of function calls whose value is not known (reference/schemas.md#calls).

use formwork_schemas::{Kind, Kinds, Node};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, symbol};
use formwork_template::reference::get_att;
use formwork_template::{PseudoParameter, attribute};

use super::kind::alternatives_accept;
use super::walk::{At, Walk};

enum Returned {
    Scalar,
    Number,
    Scalars,
    List,
    Unknown,
}

impl<'w> Walk<'w> {
    pub(super) fn call(&mut self, schema: Node<'w>, at: At, function: Function, argument: NodeId) {
        let kinds = schema.kinds();
        match self.returned(function, argument) {
            Returned::Unknown => {}
            Returned::Scalar => {
                self.some_scalar(schema, at, "string", "String");
                self.partial(schema, at, function);
            }
            Returned::Number => {
                let number = [Kind::String, Kind::Integer, Kind::Number];
                if number.into_iter().any(|kind| kinds.allows(kind)) {
                    self.some_scalar(schema, at, "number", "Integer");
                } else {
                    let found = self.described(at.node, "number");
                    self.wrong_kind(schema, at, &found, "Integer");
                }
            }
            Returned::Scalars => {
                let takes = |kinds: Kinds| kinds.allows(Kind::Array);
                let items = schema.items().is_none_or(|items| items.kinds().allows_scalar());
                if !takes(kinds) || !alternatives_accept(schema, Kind::Array) {
                    let found = self.described(at.node, "list");
                    self.wrong_kind(schema, at, &found, "JSONArray");
                } else if let Some(items) = schema.items().filter(|_| !items) {
                    self.wrong_elements(schema, items, at);
                }
            }
            Returned::List => {
                if !kinds.allows(Kind::Array) || !alternatives_accept(schema, Kind::Array) {
                    let found = self.described(at.node, "list");
                    self.wrong_kind(schema, at, &found, "JSONArray");
                }
            }
        }
    }

    fn returned(&self, function: Function, argument: NodeId) -> Returned {
        let Function::Known(known) = function else { return Returned::Unknown };
        match known {
            Known::Sub
            | Known::Join
            | Known::Base64
            | Known::ToJsonString
            | Known::ImportValue
            | Known::GetStackOutput => Returned::Scalar,
            Known::Split | Known::GetAZs | Known::Cidr => Returned::Scalars,
            Known::Length => Returned::Number,
            Known::Ref => self.of_ref(argument),
            Known::GetAtt => self.of_attribute(argument),
            _ => Returned::Unknown,
        }
    }

    fn of_ref(&self, argument: NodeId) -> Returned {
        let tree = self.tree;
        let Some(name) = tree.string(argument) else { return Returned::Unknown };
        match PseudoParameter::from_name(name) {
            Some(PseudoParameter::NotificationArns) => return Returned::Scalars,
            Some(PseudoParameter::NoValue) => return Returned::Unknown,
            Some(_) => return Returned::Scalar,
            None => {}
        }
        let Some(symbol) = tree.symbols().get(name) else { return Returned::Unknown };
        if let Some(parameter) = self.template.parameter(symbol) {
            // An input of a module may get any value.
            let is_declared = tree.get(parameter.node, symbol::TYPE).is_some_and(|kind| tree.string(kind).is_some());
            return match parameter.kind.is_list {
                _ if !is_declared || self.template.is_module => Returned::Unknown,
                true => Returned::Scalars,
                false => Returned::Scalar,
            };
        }
        let resource = self.resources.and_then(|section| tree.get(section, symbol));
        let kind = resource.and_then(|resource| tree.string(tree.get(resource, symbol::TYPE)?));
        match kind {
            Some(kind) if !attribute::is_registry_module(kind) => Returned::Scalar,
            _ => Returned::Unknown,
        }
    }

    fn of_attribute(&self, argument: NodeId) -> Returned {
        let tree = self.tree;
        let Some((name, Some(attribute), _)) = get_att(tree, argument) else { return Returned::Unknown };
        let resource = self.resources.and_then(|section| tree.get_text(section, name));
        let kind = resource.and_then(|resource| tree.string(tree.get(resource, symbol::TYPE)?));
        let known = kind.and_then(|kind| self.schemas.resource_type(kind)).filter(|known| !known.is_serverless());
        let Some(node) = known.and_then(|known| known.attribute(attribute)).and_then(|found| found.node) else {
            return Returned::Unknown;
        };
        let kinds = node.kinds();
        let is_only = |kind| kinds == Kinds::ANY.with(kind);
        if is_only(Kind::Array) {
            Returned::List
        } else if kinds.allows_scalar() && !kinds.is_any() && !kinds.has(Kind::Object) && !kinds.has(Kind::Array) {
            Returned::Scalar
        } else {
            Returned::Unknown
        }
    }
}
