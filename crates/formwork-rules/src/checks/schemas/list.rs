//! Lists: their elements, how many there are, and duplicates.

use formwork_base::{Diagnostic, codes};
use formwork_schemas::{Kind, Node};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind as Written, NodeId, View, flags};

use super::step::Step;
use super::walk::{At, Walk};
use super::{scalar, words};
use crate::checks::written;

impl<'w> Walk<'w> {
    pub(super) fn list(&mut self, schema: Node<'w>, at: At, items: &'w [NodeId]) {
        let is_list = schema.kinds().allows(Kind::Array);
        if !is_list || !alternatives_accept(schema, Kind::Array) {
            return self.wrong_kind(schema, at, "a list", "JSONArray");
        }
        if schema.one_of().chain(schema.any_of()).next().is_some() {
            return;
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

    fn count_of_elements(&mut self, schema: Node<'w>, at: At, items: &[NodeId]) {
        if schema.min_items().is_none() && schema.max_items().is_none() {
            return;
        }
        // Those of a function have a check of their own.
        if words::pointer(&self.path) == "#/Architectures" && schema.max_items() == Some(1) {
            return;
        }
        let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
        let (mut least, mut most) = (0, 0);
        for &item in items {
            let (fewest, greatest) = self.elements(item, 8);
            least += fewest;
            most += greatest;
        }
        let (message, sentence, help) = match (schema.min_items(), schema.max_items()) {
            (Some(bound), _) if most < bound => (
                format!("has {most} elements, fewer than {bound}"),
                format!("expected minimum item count: {bound}, found: {most}"),
                format!("write at least {bound}"),
            ),
            (_, Some(bound)) if least > bound => (
                format!("has {least} elements, more than {bound}"),
                format!("expected maximum item count: {bound}, found: {least}"),
                format!("write at most {bound}"),
            ),
            _ => return,
        };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, format!("{subject} {message}"))
            .at(self.place(at))
            .quoting(&format!("{}: {sentence}", words::pointer(&self.path)))
            .help(help);
        self.push(diagnostic, severity, "count");
    }

    /// How many elements an element of a list may be: the branches of a condition may be none.
    fn elements(&self, item: NodeId, depth: u32) -> (u64, u64) {
        if self.is_nothing(item) {
            return (0, 0);
        }
        let (View::Call(Function::Known(Known::If), argument), Some(depth)) =
            (self.tree.view(item), depth.checked_sub(1))
        else {
            return (1, 1);
        };
        match *self.tree.items(argument) {
            [_, holds, fails] => {
                let (one, other) = (self.elements(holds, depth), self.elements(fails, depth));
                (one.0.min(other.0), one.1.max(other.1))
            }
            _ => (0, 1),
        }
    }

    /// Literal elements that are equal to an earlier one.
    fn equal_elements(&mut self, items: &[NodeId]) {
        /// Longer lists are not compared, each with each.
        const MOST: usize = 500;
        let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
        let tree = self.tree;
        let literal: Vec<(usize, NodeId)> =
            items.iter().copied().enumerate().filter(|&(_, item)| self.is_literal(item)).take(MOST).collect();
        for (at, &(number, item)) in literal.iter().enumerate() {
            let is_again = literal.iter().take(at).any(|&(_, other)| tree.same_data(item, other));
            if !is_again {
                continue;
            }
            self.path.push(Step::Element(number));
            let outer = words::subject(self.path.get(..self.path.len() - 1).unwrap_or_default(), tree.text(self.id));
            let pointer = words::pointer(self.path.get(..self.path.len() - 1).unwrap_or_default());
            let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, format!("{outer} has two equal elements"))
                .at(self.place(At { node: item, key: None }))
                .quoting(&format!("{pointer}: array items are not unique"))
                .help("remove one of them");
            self.push(diagnostic, severity, "equal");
            self.path.pop();
        }
    }

    /// Whether everything in a value is literal.
    fn is_literal(&self, node: NodeId) -> bool {
        let tree = self.tree;
        if tree.has(node, flags::HAS_CALL | flags::HAS_NULL | flags::HAS_TRANSFORM | flags::HAS_LOOP) {
            return false;
        }
        match tree.view(node) {
            View::List(items) => items.iter().all(|&item| self.is_literal(item)),
            View::Map => tree.entries(node).all(|entry| self.is_literal(entry.value)),
            View::String(text) => !scalar::is_placeholder(text),
            _ => true,
        }
    }

    /// One value where a list of such values is wanted.
    pub(super) fn one_for_a_list(&mut self, schema: Node<'w>, at: At, found: &str, of_service: &str) {
        let Some(severity) = self.warning() else { return };
        let tree = self.tree;
        let subject = words::subject(&self.path, tree.text(self.id));
        let title = format!("{subject} is {found}, not {}", words::wanted(schema));
        let is_scalar = tree.is_scalar(at.node);
        let place =
            if is_scalar || !matches!(tree.view(at.node), View::Map) { tree.span(at.node) } else { self.place(at) };
        let mut diagnostic = Diagnostic::titled(codes::KIND_OF_PROPERTY, title).at(place);
        if !of_service.is_empty() {
            let pointer = words::pointer(&self.path);
            diagnostic = diagnostic.quoting(&format!("{pointer}: expected type: JSONArray, found: {of_service}"));
        }
        diagnostic = diagnostic.note("some types accept a single value, most reject it");
        let pairs = schema.items().and_then(|items| self.as_pairs(items, at.node));
        diagnostic = match written::code(tree, self.sources, at.node) {
            _ if pairs.is_some() => {
                let text = pairs.unwrap_or_default();
                diagnostic.help(format!("write a list: `{text}`")).unsafe_fix("write a list", tree.span(at.node), text)
            }
            Some(own) => {
                let text = format!("[{}]", own.inner);
                diagnostic.help(format!("write a list: `{text}`")).unsafe_fix("write a list", tree.span(at.node), text)
            }
            None if is_scalar && tree.string(at.node).is_some_and(|text| text.starts_with('-')) => {
                diagnostic.help("write a space behind each dash")
            }
            None if matches!(tree.view(at.node), View::Map) => {
                diagnostic.help("write a list: begin each of its objects with `- `")
            }
            None => diagnostic.help("write a list"),
        };
        self.push(diagnostic, severity, "");
    }

    /// An object such as `{Env: dev}` as a list of tags: `[{Key: Env, Value: dev}]`.
    fn as_pairs(&self, items: Node<'w>, node: NodeId) -> Option<String> {
        const MOST: usize = 5;
        let tree = self.tree;
        let wants_pairs = items.property("Key").is_some() && items.property("Value").is_some();
        let entries: Vec<_> = (tree.kind(node) == Written::Map).then(|| tree.entries(node).collect())?;
        let is_tag = |entry: &Entry| tree.is_scalar(entry.value) && !["Key", "Value"].contains(&tree.text(entry.key));
        if !wants_pairs || entries.is_empty() || entries.len() > MOST || !entries.iter().all(is_tag) {
            return None;
        }
        let is_json = self.sources.slice(tree.span(node)).starts_with("{\"");
        let mut pairs = Vec::new();
        for entry in entries {
            let slices = [entry.key, entry.value].map(|node| self.sources.slice(tree.span(node)).trim());
            if slices.iter().any(|slice| slice.is_empty() || slice.contains(['\n', ',', '{', '}', '[', ']', '#', '`']))
            {
                return None;
            }
            let [key, value] = slices;
            pairs.push(if is_json {
                format!("{{\"Key\": {key}, \"Value\": {value}}}")
            } else {
                format!("{{Key: {key}, Value: {value}}}")
            });
        }
        Some(format!("[{}]", pairs.join(", ")))
    }

    /// A value of a kind that the schema does not take.
    pub(super) fn wrong_kind(&mut self, schema: Node<'w>, at: At, found: &str, of_service: &str) {
        let Some(severity) = self.error() else { return };
        let tree = self.tree;
        let subject = words::subject(&self.path, tree.text(self.id));
        let title = format!("{subject} is {found}, not {}", words::wanted(schema));
        let is_collection = matches!(tree.view(at.node), View::Map | View::List(_));
        let place = if is_collection { self.place(at) } else { tree.span(at.node) };
        let mut diagnostic = Diagnostic::titled(codes::KIND_OF_PROPERTY, title).at(place);
        if !of_service.is_empty() {
            let (pointer, wanted) = (words::pointer(&self.path), words::of_service(schema));
            diagnostic = diagnostic.quoting(&format!("{pointer}: expected type: {wanted}, found: {of_service}"));
        }
        let number = number_with_unit(tree.text_form(at.node)).filter(|_| !is_collection && wants_number(schema));
        let help = self.advice(at.node, &number.map_or_else(|| words::wanted(schema), |number| format!("`{number}`")));
        self.push(diagnostic.help(self.selection(schema, at.node).unwrap_or(help)), severity, "");
    }

    /// What to write for a call that returns a list where a string is wanted: one of its elements.
    fn selection(&self, schema: Node<'w>, node: NodeId) -> Option<String> {
        let tree = self.tree;
        let View::Call(Function::Known(Known::GetAZs | Known::Split | Known::Cidr), _) = tree.view(node) else {
            return None;
        };
        let written = self.sources.slice(tree.span(node));
        let is_short = written.starts_with('!') && written.len() < 80 && !written.contains(['\n', '`']);
        let code = if is_short { format!("!Select [0, {}]", shown(written)) } else { "Fn::Select".to_owned() };
        schema.kinds().has(Kind::String).then(|| format!("select one of its elements: `{code}`"))
    }

    /// A list of scalars, which a call returns, where a list of something else is wanted.
    pub(super) fn wrong_elements(&mut self, schema: Node<'w>, items: Node<'w>, at: At) {
        let Some(severity) = self.error() else { return };
        let tree = self.tree;
        let (function, _) = tree.call(at.node);
        let subject = words::subject(&self.path, tree.text(self.id));
        let wanted = words::wanted(schema);
        let title = format!("{subject} is a list of strings ({}), not {wanted}", tree.function_name(function));
        let pointer = words::pointer(&self.path);
        let diagnostic = Diagnostic::titled(codes::KIND_OF_PROPERTY, title)
            .at(tree.span(at.node))
            .quoting(&format!("{pointer}/0: expected type: {}, found: String", words::of_service(items)))
            .help(format!("write {wanted}"));
        self.push(diagnostic, severity, "");
    }
}

/// The number in front of a unit: `30s`, `128 MB`.
fn number_with_unit(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let unit = text.get(end..)?.trim_start();
    let is_unit = !unit.is_empty() && unit.len() <= 8 && unit.chars().all(|c| c.is_ascii_alphabetic() || c == '%');
    text.get(..end).filter(|number| is_unit && !number.is_empty() && !text.starts_with("0x"))
}

/// Whether a number is wanted, and no string.
fn wants_number(schema: Node<'_>) -> bool {
    let kinds = schema.kinds();
    !kinds.has(Kind::String) && (kinds.has(Kind::Integer) || kinds.has(Kind::Number))
}

/// Whether one of the alternatives takes a kind. Without alternatives every kind is taken.
pub(super) fn alternatives_accept(schema: Node<'_>, kind: Kind) -> bool {
    accepts(schema.one_of(), kind, 4) && accepts(schema.any_of(), kind, 4)
}

/// Whether one of some alternatives takes a kind. Without alternatives every kind is taken, and by what is nested deeper
/// than `depth`.
fn accepts<'w>(alternatives: impl Iterator<Item = Node<'w>> + Clone, kind: Kind, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    if alternatives.clone().next().is_none() {
        return true;
    }
    alternatives.into_iter().any(|node| {
        let nested: Vec<Node<'w>> = node.one_of().chain(node.any_of()).collect();
        node.kinds().allows(kind) && (nested.is_empty() || accepts(nested.into_iter(), kind, depth))
    })
}
